"""Times in a question as typed, half-open periods: `in March 2020`, `since 2019`, `at night`."""

from __future__ import annotations

import re
from calendar import month_name, monthrange
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Literal

from groundwire.draft.offline.tokens import Token

__all__ = ["Part", "Period", "Times", "time_phrases"]

PartUnit = Literal["hour", "weekday", "month", "day"]

_MONTHS = {
    **{name.lower(): number for number, name in enumerate(month_name) if number},
    **{name[:3].lower(): number for number, name in enumerate(month_name) if number},
    "sept": 9,
}
_WEEKDAYS = {
    name: number
    for number, names in enumerate(
        ("monday mon", "tuesday tue", "wednesday wed", "thursday thu", "friday fri",
         "saturday sat", "sunday sun"), 1)
    for name in names.split()
}  # fmt: skip
_ORDINALS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4,
             "4th": 4, "last": -1}  # fmt: skip
_DAY_PARTS = {"night": (22, 6), "morning": (6, 12), "afternoon": (12, 18), "evening": (18, 22)}
_UNIT_DAYS = {"day": 1, "week": 7}
_CLOCK = re.compile(r"(\d{1,2})(?::(\d{2}))?(am|pm)?$")


@dataclass(frozen=True, slots=True)
class Period:
    """From `start` (inclusive) to `end` (exclusive); None = open. `assumed` = a reading to show."""

    start: date | None
    end: date | None
    label: str
    assumed: str = ""

    @property
    def years(self) -> tuple[int | None, int | None] | None:
        """(first, last) year where the period is made of whole years."""
        bounds = (self.start, self.end)
        if any(bound is not None and (bound.month, bound.day) != (1, 1) for bound in bounds):
            return None
        first = self.start.year if self.start is not None else None
        last = self.end.year - 1 if self.end is not None else None
        return first, last


@dataclass(frozen=True, slots=True)
class Part:
    """A recurring part of time; `values` are hours 0-23, ISO weekdays 1-7 or months 1-12."""

    unit: PartUnit
    values: tuple[int, ...]
    label: str
    assumed: str = ""


Times = tuple[Period | Part, ...]
"""Alternatives: any of them."""


def time_phrases(
    tokens: tuple[Token, ...], position: int, today: date
) -> Iterator[tuple[Times, int]]:
    """(times, end) for every way to read a time at a position, its preposition included."""
    reader = _Reader(tokens, today)
    yield from reader.phrase(position)


@dataclass(frozen=True, slots=True)
class _Reader:
    tokens: tuple[Token, ...]
    today: date

    def word(self, position: int) -> str:
        return self.tokens[position].word if 0 <= position < len(self.tokens) else ""

    def skip(self, position: int, *words: str) -> int:
        while self.word(position) in words:
            position += 1
        return position

    def phrase(self, position: int) -> Iterator[tuple[Times, int]]:
        yield from self.between(position)
        yield from self.bounded(position)
        yield from self.clock(position)
        yield from self.recurring(position)
        start = self.skip(position, "in", "on", "during", "for", "of", "within", "at", "over",
                          "from", "throughout")  # fmt: skip
        if start > position + 1:
            return
        start = self.skip(start, "the", "all", "entire", "whole")
        start = self.skip(start, "year", "years", "month", "calendar")
        for period, end in self.span(start):
            yield from self.more([period], end)

    def more(self, periods: list[Period], end: int) -> Iterator[tuple[Times, int]]:
        """`2014`, `2014 or later`, `2014 and 2015`, `2014, 2015 or 2016`."""
        yield tuple(periods), end
        last = periods[-1]
        if self.word(end) in {"or", "and"} and self.word(end + 1) in {"later", "after", "onwards"}:
            label = f"{last.label} or later"
            yield (replace(last, end=None, label=label),), end + 2
        if self.word(end) in {"or", "and"} and self.word(end + 1) in {"earlier", "before"}:
            label = f"{last.label} or earlier"
            yield (replace(last, start=None, label=label),), end + 2
        if self.word(end) in {"or", "and", ",", "&"}:
            following = self.skip(end, ",", "and", "or", "in", "the", "year", "years")
            for period, after in self.span(following):
                yield from self.more([*periods, period], after)

    def between(self, position: int) -> Iterator[tuple[Times, int]]:
        start = self.skip(position, "in", "during", "the", "years", "period", "time")
        opening = self.word(start)
        if opening in {"between", "from"}:
            start = self.skip(start + 1, "the", "year", "years", "start", "of")
        elif opening:
            opening = ""
        joints = {"between": {"and", "to"}, "from": {"to", "through", "till", "until"}}.get(
            opening, {"to", "through", "-"}
        )
        for first, middle in self.span(start, year_later=True):
            if self.word(middle) not in joints:
                continue
            after = self.skip(middle + 1, "the", "year", "end", "of")
            for last, end in self.span(after):
                whole = self._joined(first, last)
                if whole is not None:
                    yield (whole,), self.skip(end, "inclusive")

    def _joined(self, first: Period, last: Period) -> Period | None:
        if last.start is None or last.end is None or first.start is None:
            return None
        start = first.start
        if start.year == 1:
            start = start.replace(year=last.start.year)
        if start >= last.end:
            return None
        label = f"{first.label} to {last.label}"
        return Period(start, last.end, label, f"“{label}” includes both ends.")

    def bounded(self, position: int) -> Iterator[tuple[Times, int]]:
        start = self.skip(position, "on", "or", "in")
        inclusive = start > position and self.word(position) in {"on", "in"}
        word = self.word(start)
        start = start + 1 if word == "up" and self.word(start + 1) == "to" else start
        at = self.skip(start + 1, "the", "year", "of", "start", "end", "in")
        for period, end in self.span(at):
            label = f"{word} {period.label}"
            if word in {"since", "starting"} or (word == "after" and inclusive):
                yield (Period(period.start, None, label),), self.skip(end, "onwards", "onward")
            elif word == "after":
                yield (Period(period.end, None, label),), end
            elif word in {"before", "prior"}:
                yield (Period(None, period.start, label),), end
            elif word in {"until", "till", "through"} or (word == "up"):
                assumed = f"“{label}” includes {period.label}."
                yield (Period(None, period.end, label, assumed),), end
            elif word == "from" and self.word(end) in {"on", "onwards", "onward", "forward"}:
                yield (Period(period.start, None, f"{label} on"),), end + 1

    def span(self, position: int, *, year_later: bool = False) -> Iterator[tuple[Period, int]]:
        """One stretch of time: a year, a quarter, a month, a day, `last year`."""
        yield from self.year(position)
        yield from self.month(position, year_later)
        yield from self.day(position)
        yield from self.fraction(position)
        yield from self.relative(position)

    def year(self, position: int) -> Iterator[tuple[Period, int]]:
        position = self.skip(position, "year") if self.word(position) == "year" else position
        year = self.year_number(position)
        if year is not None:
            yield Period(date(year, 1, 1), date(year + 1, 1, 1), str(year)), position + 1
        match = re.fullmatch(r"(\d{3}0)s", self.word(position))
        if match:
            first = int(match.group(1))
            label = f"the {first}s"
            yield Period(date(first, 1, 1), date(first + 10, 1, 1), label), position + 1

    def year_number(self, position: int) -> int | None:
        if not 0 <= position < len(self.tokens):
            return None
        token = self.tokens[position]
        if token.quoted or not re.fullmatch(r"(1[6-9]|20|21)\d\d", token.text):
            return None
        return int(token.text)

    def month(self, position: int, year_later: bool) -> Iterator[tuple[Period, int]]:
        month = _MONTHS.get(self.word(position))
        if month is None:
            return
        at = self.skip(position + 1, "of", ",", "in", "the", "year")
        year = self.year_number(at)
        if year is not None:
            label = f"{month_name[month]} {year}"
            yield Period(date(year, month, 1), _next_month(year, month), label), at + 1
        elif year_later:
            yield Period(date(1, month, 1), date(1, month, 28), month_name[month]), position + 1

    def day(self, position: int) -> Iterator[tuple[Period, int]]:
        word = self.word(position)
        if re.fullmatch(r"\d{4}-\d{1,2}-\d{1,2}", word):
            year, month, number = (int(part) for part in word.split("-"))
            yield from _one_day(year, month, number, position + 1)
        if re.fullmatch(r"\d{1,2}/\d{1,2}/\d{4}", word):
            first, second, year = (int(part) for part in word.split("/"))
            if second > 12 or first == second:
                yield from _one_day(year, first, second, position + 1)
            elif first > 12:
                yield from _one_day(year, second, first, position + 1)
        yield from self.named_day(_MONTHS.get(word), self.word(position + 1), position + 2)
        at = self.skip(position + 1, "of")
        yield from self.named_day(_MONTHS.get(self.word(at)), word, at + 1)

    def named_day(
        self, month: int | None, number: str, position: int
    ) -> Iterator[tuple[Period, int]]:
        """`March 5, 2020` and `5 March 2020`; the year stands at the position."""
        day = _day_number(number)
        at = self.skip(position, ",", "of")
        year = self.year_number(at)
        if month and day and year:
            yield from _one_day(year, month, day, at + 1)

    def fraction(self, position: int) -> Iterator[tuple[Period, int]]:
        """`Q1 2020`, `the first quarter of 2020`, `the second half of 2019`."""
        position = self.skip(position, "the")
        quarter = re.fullmatch(r"q([1-4])", self.word(position))
        if quarter:
            at = self.skip(position + 1, "of", "in")
            year = self.year_number(at)
            if year is not None:
                yield _months_of(year, 3, int(quarter.group(1)), "quarter"), at + 1
        rank = _ORDINALS.get(self.word(position))
        size = {"quarter": 3, "half": 6}.get(self.word(position + 1))
        at = self.skip(position + 2, "of", "in", "the", "year")
        year = self.year_number(at)
        if rank is None or size is None or year is None:
            return
        rank = 12 // size if rank == -1 else rank
        if rank <= 12 // size:
            yield _months_of(year, size, rank, self.word(position + 1)), at + 1

    def relative(self, position: int) -> Iterator[tuple[Period, int]]:
        position = self.skip(position, "the")
        word, following = self.word(position), self.word(position + 1)
        today = self.today
        if word in {"today", "yesterday"}:
            day = today - timedelta(days=word == "yesterday")
            yield Period(day, day + timedelta(days=1), word, f"“{word}” is {day}."), position + 1
        if word in {"last", "previous", "this", "current", "past"}:
            yield from self._unit(position, following, back=word not in {"this", "current"})
        if word in {"last", "past", "previous"}:
            count = self.tokens[position + 1].number if position + 1 < len(self.tokens) else None
            unit = self.word(position + 2).removesuffix("s")
            if isinstance(count, int) and 0 < count < 10_000:
                start = _back(today, count, unit)
                if start is not None:
                    label = f"the last {count} {unit}s"
                    assumed = f"“{label}” is counted back from today: since {start}."
                    yield (
                        Period(start, today + timedelta(days=1), label, assumed),
                        position + 3,
                    )

    def _unit(self, position: int, unit: str, *, back: bool) -> Iterator[tuple[Period, int]]:
        today = self.today
        if unit == "year":
            start = date(today.year - back, 1, 1)
            end = date(start.year + 1, 1, 1)
        elif unit == "month":
            start = _months_back(today.replace(day=1), int(back))
            end = _next_month(start.year, start.month)
        elif unit == "week":
            start = today - timedelta(days=today.weekday() + 7 * back)
            end = start + timedelta(days=7)
        else:
            return
        label = f"{self.word(position)} {unit}"
        last = end - timedelta(days=1)
        yield Period(start, end, label, f"“{label}” is {start} to {last}."), position + 2

    def clock(self, position: int) -> Iterator[tuple[Times, int]]:
        """`between 10 pm and 4 am`, `after 10pm`, `at 3 am`."""
        word = self.word(position)
        if word in {"between", "from"}:
            for first, middle in self.hour(position + 1):
                if self.word(middle) in {"and", "to", "until", "till"}:
                    for last, end in self.hour(middle + 1):
                        yield (_hours(first, last, f"{first}:00 to {last}:00"),), end
        if word in {"after", "before", "at"}:
            for hour, end in self.hour(position + 1):
                if word == "at":
                    yield (_hours(hour, hour + 1, f"the hour from {hour}:00"),), end
                elif word == "after":
                    yield (_hours(hour, 24, f"{hour}:00 to midnight"),), end
                elif hour:
                    yield (_hours(0, hour, f"midnight to {hour}:00"),), end

    def hour(self, position: int) -> Iterator[tuple[int, int]]:
        word = self.word(position)
        if word in {"midnight", "noon"}:
            yield (12 if word == "noon" else 0), position + 1
        match = _CLOCK.fullmatch(word)
        if match is None or int(match.group(2) or 0):
            return
        half = match.group(3) or (
            self.word(position + 1) if self.word(position + 1) in {"am", "pm"} else ""
        )
        end = position + (1 if match.group(3) or not half else 2)
        hour = int(match.group(1))
        if half and 1 <= hour <= 12:
            yield hour % 12 + (12 if half == "pm" else 0), end
        elif not half and match.group(2) and hour < 24:
            yield hour, end

    def recurring(self, position: int) -> Iterator[tuple[Times, int]]:
        at = self.skip(position, "in", "at", "on", "during", "over")
        at = self.skip(at, "the", "a", "an", "any")
        word = self.word(at)
        name = word.removesuffix("s")
        if name in _DAY_PARTS and (at > position or word.endswith("s")):
            start, end = _DAY_PARTS[name]
            assumed = f"“{name}” was taken as {start}:00 to {end}:00."
            yield (replace(_hours(start, end, name), assumed=assumed),), at + 1
        days: list[int] = []
        while (day := _WEEKDAYS.get(self.word(at).removesuffix("s"))) and at > position:
            days.append(day)
            at = self.skip(at + 1, ",", "and", "or", "on") if _WEEKDAYS.get(
                self.word(self.skip(at + 1, ",", "and", "or", "on")).removesuffix("s")
            ) else at + 1  # fmt: skip
            yield (Part("weekday", tuple(days), "weekday"),), at
        if name in {"weekend", "weekday"}:
            chosen = (6, 7) if name == "weekend" else (1, 2, 3, 4, 5)
            spoken = "Saturday and Sunday" if name == "weekend" else "Monday to Friday"
            yield (Part("weekday", chosen, name, f"“{name}” was taken as {spoken}."),), at + 1
        yield from self.months(position)

    def months(self, position: int) -> Iterator[tuple[Times, int]]:
        """`in December`, without a year: every December."""
        at = self.skip(position, "in", "during", "the", "month", "months", "of")
        if at == position:
            return
        months: list[int] = []
        while (month := _MONTHS.get(self.word(at))) is not None:
            months.append(month)
            after = at + 1
            if self.year_number(self.skip(after, "of", ",")) is not None:
                return
            names = " and ".join(month_name[m] for m in months)
            assumed = f"{names} of every year."
            yield (Part("month", tuple(months), names, assumed),), after
            at = self.skip(after, ",", "and", "or")
            if at == after:
                return


def _hours(start: int, end: int, label: str) -> Part:
    count = (end - start) % 24 or 24
    return Part("hour", tuple(sorted((start + n) % 24 for n in range(count))), label)


def _one_day(year: int, month: int, number: int, end: int) -> Iterator[tuple[Period, int]]:
    try:
        day = date(year, month, number)
    except ValueError:
        return
    yield Period(day, day + timedelta(days=1), day.isoformat()), end


def _day_number(word: str) -> int | None:
    match = re.fullmatch(r"(\d{1,2})(st|nd|rd|th)?", word)
    return int(match.group(1)) if match and 1 <= int(match.group(1)) <= 31 else None


def _months_of(year: int, size: int, rank: int, unit: str) -> Period:
    first = (rank - 1) * size + 1
    return Period(
        date(year, first, 1), _next_month(year, first + size - 1), f"{unit} {rank} of {year}"
    )


def _next_month(year: int, month: int) -> date:
    return date(year + month // 12, month % 12 + 1, 1)


def _months_back(day: date, count: int) -> date:
    month = day.year * 12 + day.month - 1 - count
    last = monthrange(month // 12, month % 12 + 1)[1]
    return date(month // 12, month % 12 + 1, min(day.day, last))


def _back(today: date, count: int, unit: str) -> date | None:
    if unit in _UNIT_DAYS:
        return today - timedelta(days=count * _UNIT_DAYS[unit])
    if unit in {"month", "year"}:
        return _months_back(today, count * (12 if unit == "year" else 1))
    return None

"""The dates of a sentence, as far as each is told: years, months, days, quarters, hours."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from groundwire.answer.wording import MONTH_NUMBERS

__all__ = ["Moment", "find_moments"]

_NAMES = sorted((name.capitalize() for name in MONTH_NUMBERS), key=len, reverse=True)
_MONTH = rf"(?P<month>{'|'.join(_NAMES)})\b\.?"
_YEAR = r"(?P<year>1[5-9]\d\d|20\d\d|21\d\d)"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_CLOCK = r"(?:[ T,]+(?:at\s+)?(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d))?)?"
_END = r"(?![\w%]|[.,]\d|\s?(?:%|percent))"
_PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?<![\w.,])(?P<year>\d{{4}})-(?P<month>\d\d)-(?P<day>\d\d){_CLOCK}{_END}",
        rf"(?<![\w.,])(?P<year>\d{{4}})-(?P<month>\d\d)(?!-\d){_END}",
        rf"(?<!\w){_DAY}(?:\s+of)?\s+{_MONTH}(?:,?\s+{_YEAR})?{_CLOCK}{_END}",
        rf"(?<!\w){_MONTH}\s+{_DAY}(?:,?\s+{_YEAR})?{_CLOCK}{_END}",
        rf"(?<!\w){_MONTH}(?:\s+of)?,?\s+{_YEAR}{_END}",
        rf"(?<!\w)(?:Q(?P<quarter>[1-4])|(?P<ordinal>first|second|third|fourth)\s+quarter)"
        rf"(?:(?:\s+of)?,?\s+{_YEAR})?{_END}",
        rf"(?<![\w.,$€£/:])(?:the\s+year\s+)?{_YEAR}(?=[-–—/]\d{{4}}){_END}",
        rf"(?<![\w.,$€£:]){_YEAR}(?!\s?(?:thousand|million|billion)){_END}",
        rf"(?<!\w){_MONTH}(?!\w)",
        r"(?<![\w:])(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d))?"
        r"(?:\s?(?P<half>[ap]\.?m\b\.?))?(?![\w:])",
        r"(?<![\w:.,])(?P<hour>\d{1,2})\s?(?P<half>[ap]\.?m\b\.?)",
    )
)
_QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4}


@dataclass(frozen=True, slots=True)
class Moment:
    """A date as a sentence tells it; None is what it leaves out."""

    start: int
    end: int
    year: int | None = None
    month: int | None = None
    day: int | None = None
    hour: int | None = None
    minute: int | None = None
    second: int | None = None
    quarter: int | None = None

    @property
    def bare_year(self) -> bool:
        """Four digits and nothing else: it could be any number."""
        return self.year is not None and not any(
            part is not None for part in (self.month, self.day, self.hour, self.quarter)
        )

    def parts(self) -> dict[str, int]:
        """What the sentence tells, by name."""
        names = ("year", "month", "day", "hour", "minute", "second", "quarter")
        told = {name: getattr(self, name) for name in names}
        return {name: part for name, part in told.items() if part is not None}

    def within(self, key: tuple[int, ...]) -> bool:
        """Whether a full time, as `shape.time_key` gives it, agrees with all that is told."""
        names = ("year", "month", "day", "hour", "minute", "second")
        told = self.parts()
        quarter = told.pop("quarter", None)
        if quarter is not None and (key[1] == 0 or (key[1] - 1) // 3 + 1 != quarter):
            return False
        return all(key[names.index(name)] == part for name, part in told.items())


def find_moments(text: str) -> list[Moment]:
    """Every date of a text, in order, none inside another."""
    found: list[Moment] = []
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            moment = _moment(match)
            free = all(match.end() <= other.start or other.end <= match.start() for other in found)
            if moment and free:
                found.append(moment)
    return sorted(found, key=lambda moment: moment.start)


def _moment(match: re.Match[str]) -> Moment | None:
    told = {name: text for name, text in match.groupdict().items() if text}
    parts: dict[str, int] = {}
    for name in ("year", "day", "hour", "minute", "second", "quarter"):
        if name in told:
            parts[name] = int(told[name])
    if "month" in told:
        month = told["month"]
        parts["month"] = int(month) if month.isdigit() else MONTH_NUMBERS[month.lower()]
    if "ordinal" in told:
        parts["quarter"] = _QUARTERS[told["ordinal"]]
    if "half" in told:
        parts["hour"] = parts["hour"] % 12 + (12 if told["half"][0] in "pP" else 0)
    in_range = (
        parts.get("month", 1) in range(1, 13)
        and parts.get("day", 1) in range(1, 32)
        and parts.get("hour", 0) in range(25)
    )
    return replace(Moment(match.start(), match.end()), **parts) if in_range else None

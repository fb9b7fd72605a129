"""Conditions on a property: `released in 2005`, `with more than 9000 inhabitants`, `in drama`."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from groundwire.database.graph_catalog import Property
from groundwire.draft.offline.names import identifier_words
from groundwire.draft.offline.time_ranges import Period, time_phrases
from groundwire.draft.offline.vocabulary import vocabulary
from groundwire.draft.offline_graph.plan import Filter, Operator, Value
from groundwire.draft.offline_graph.values import Stored
from groundwire.draft.offline_graph.vocabulary import phrases, words_of
from groundwire.draft.offline_graph.words import DETERMINERS, Words

__all__ = ["NUMBERS", "comparisons", "filters", "is_time", "is_year", "value_filter"]

NUMBERS = ("INTEGER", "FLOAT")
_TIMES = ("DATE", "ZONED DATETIME", "LOCAL DATETIME", "DATETIME", "LOCALDATETIME")
_YEARS = words_of("years")
_EVENTS = words_of("events")
"""Words of the times at which a thing happens once: `movies from 2005` means these."""
_OPENING = phrases("before a value")
_WHOSE = phrases("whose")
_IS = phrases("is")
_NAMED = phrases("named")
_LACKING = phrases("property lacking")

_MATCHES: tuple[Operator, ...] = ("contains", "starts", "ends")

_SIGNS: dict[str, Operator] = {
    "more than": ">", "less than": "<", "at least": ">=", "at most": "<=", "equal": "=",
}  # fmt: skip


def filters(words: Words, position: int, label: str) -> Iterator[tuple[tuple[Filter, ...], int]]:
    """Every way to read one condition on a property of `label` at a position."""
    yield from _named(words, position, label)
    yield from _compared(words, position, label)
    yield from _timed(words, position, label)
    yield from _valued(words, position, label)
    yield from _missing(words, position, label)
    yield from _matched(words, position, label)


def comparisons(words: Words, position: int) -> Iterator[tuple[Operator, int | float, int]]:
    """`more than 3`, `at least 3`, `3 or more`, `exactly 3`: (operator, number, end)."""
    for section, operator in _SIGNS.items():
        for start in vocabulary(section).at(words, position):
            value = words.number(start)
            if value is not None:
                yield operator, value, start + 1
    value = words.number(position)
    if value is not None:
        for section, after in (("after at least", ">="), ("after at most", "<=")):
            for end in vocabulary(section).at(words, position + 1):
                yield ">=" if after == ">=" else "<=", value, end


def is_time(known: Property) -> bool:
    """A date or a moment."""
    return bool(known.types) and known.types[0] in _TIMES


def value_filter(stored: Stored, assumed: str = "") -> Filter:
    """The property is (or a list holds) the value, in any of the ways it is stored."""
    many = len(stored.values) > 1
    return Filter(
        stored.property, "in" if many else "=", stored.values, stored.element, assumed=assumed
    )


def _named(words: Words, position: int, label: str) -> Iterator[tuple[tuple[Filter, ...], int]]:
    for start in _NAMED.at(words, position):
        for stored in words.stored(start, label):
            if stored.naming:
                yield (value_filter(stored),), stored.end


def _matched(words: Words, position: int, label: str) -> Iterator[tuple[tuple[Filter, ...], int]]:
    """`whose title starts with "The"`, `with "sea" in the title`: upper and lower case differ."""
    start = _WHOSE.end(words, position)
    for known, end in words.properties(DETERMINERS.skip(words, start), label):
        if known.type != "STRING":
            continue
        for how in _MATCHES:
            for behind in vocabulary(f"text {how}").at(words, end):
                token = words.tokens[behind] if behind < len(words) else None
                if token is not None and token.quoted:
                    yield (Filter(known.name, how, (token.text,)),), behind + 1


def _compared(words: Words, position: int, label: str) -> Iterator[tuple[tuple[Filter, ...], int]]:
    """`height over 1.8`, `with more than 9000 inhabitants`, `whose height is between 1 and 2`."""
    start = _WHOSE.end(words, position)
    for known, end in words.properties(start, label):
        if known.type not in NUMBERS:
            continue
        at = _IS.end(words, end)
        for operator, value, after in comparisons(words, at):
            yield (Filter(known.name, operator, (value,)),), after
        if words.number(at) is not None and at > end:
            yield (Filter(known.name, "=", (words.number(at) or 0,)),), at + 1
        low, high = words.number(at + 1), words.number(at + 3)
        if words.word(at) == "between" and words.word(at + 2) == "and" and None not in (low, high):
            pair = (Filter(known.name, ">=", (low or 0,)), Filter(known.name, "<=", (high or 0,)))
            yield pair, at + 4
    for operator, value, after in comparisons(words, start):
        for known, end in words.properties(after, label):
            if known.type in NUMBERS:
                yield (Filter(known.name, operator, (value,)),), end


def _timed(words: Words, position: int, label: str) -> Iterator[tuple[tuple[Filter, ...], int]]:
    """`released in 2005`, `born after 1965`; `movies from 2005` where one property is a time."""
    start = vocabulary("be").end(words, position)
    named = False
    for known, end in words.properties(start, label):
        for bounds, after in _period(words, end, known):
            named = True
            yield bounds, after
    after_noun = position and any(end == position for _, _, end in words.nouns(position - 1))
    if named or start != position or not after_noun:
        return
    owner = words.catalog.label(label)
    known_times = [p for p in owner.properties if is_time(p) or is_year(p)] if owner else []
    times = [p for p in known_times if set(identifier_words(p.name)) & _EVENTS]
    if len(times) == 1:
        assumed = f"The time is taken to be the {times[0].name} of {label}."
        yield from _period(words, position, times[0], assumed)


def is_year(known: Property) -> bool:
    """A whole number that is a year, as its name says."""
    return known.type == "INTEGER" and bool(set(identifier_words(known.name)) & _YEARS)


def _period(
    words: Words, position: int, known: Property, assumed: str = ""
) -> Iterator[tuple[tuple[Filter, ...], int]]:
    for times, end in time_phrases(words.tokens, position, words.today):
        if not isinstance(times[0], Period):
            continue
        if len(times) > 1:
            years = [t.years for t in times if isinstance(t, Period)]
            single = tuple(y[0] for y in years if y and y[0] is not None and y[0] == y[1])
            if is_year(known) and len(single) == len(times):
                yield (Filter(known.name, "in", single, assumed=assumed),), end
            continue
        bounds = _bounds(times[0], known)
        if bounds is not None:
            said = times[0].assumed or assumed
            yield tuple(Filter(known.name, o, (v,), assumed=said) for o, v in bounds), end


def _bounds(period: Period, known: Property) -> list[tuple[Operator, Value]] | None:
    """The period as bounds of the stored type; None where the property holds no such time."""
    if is_time(known):
        moment = known.types[0] != "DATE"
        bounds: list[tuple[Operator, Value]] = []
        for operator, day in ((">=", period.start), ("<", period.end)):
            if day is not None:
                value: Value = datetime(day.year, day.month, day.day) if moment else day
                bounds.append((">=" if operator == ">=" else "<", value))
        return None if known.types[0] == "ZONED DATETIME" else bounds
    if not is_year(known) or period.years is None:
        return None
    first, last = period.years
    if first is not None and first == last:
        return [("=", first)]
    low: list[tuple[Operator, Value]] = [(">=", first)] if first is not None else []
    return low + ([("<=", last)] if last is not None else [])


def _valued(words: Words, position: int, label: str) -> Iterator[tuple[tuple[Filter, ...], int]]:
    """`in the genre drama`, `with the hobby chess`, `in the energy sector`, `in Midland`."""
    for start in (position, *_OPENING.at(words, position)):
        start = DETERMINERS.skip(words, start)
        for known, end in words.properties(start, label):
            for stored in words.stored(_IS.end(words, end), label):
                if stored.property == known.name:
                    yield (value_filter(stored),), stored.end
        for stored in words.stored(start, label):
            after = [e for p, e in words.properties(stored.end, label) if p.name == stored.property]
            if after:
                yield (value_filter(stored),), after[0]
            elif start > position and not stored.naming:
                said = f"“{stored.values[0]}” is taken as the {stored.property} of {label}."
                yield (value_filter(stored, said),), stored.end


def _missing(words: Words, position: int, label: str) -> Iterator[tuple[tuple[Filter, ...], int]]:
    for start in _LACKING.at(words, position):
        for known, end in words.properties(start, label):
            yield (Filter(known.name, "missing"),), end

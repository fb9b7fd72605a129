"""Superlatives, orders, groups and measures."""

from __future__ import annotations

from collections.abc import Iterator

from groundwire.draft.offline.comparisons import ADJECTIVES
from groundwire.draft.offline.sentence import Sentence, rule
from groundwire.draft.offline.syntax import (
    AggregateOf,
    ColumnOf,
    CountOf,
    Function,
    GroupBy,
    Measure,
    OrderBy,
    Pick,
    RateOf,
    TimeUnit,
)
from groundwire.draft.offline.vocabulary import Phrases, vocabulary

__all__ = [
    "AGGREGATES",
    "KINDS_OF",
    "UNITS",
    "group_by",
    "leading_pick",
    "measure",
    "order_by",
    "superlative",
    "top",
]

AGGREGATES: dict[Function, Phrases] = {
    "avg": vocabulary("aggregates avg"),
    "max": vocabulary("aggregates max"),
    "min": vocabulary("aggregates min"),
    "sum": vocabulary("aggregates sum"),
}
_HIGH = vocabulary("high")
_LOW = vocabulary("low")
_NUMBER_OF = vocabulary("number of")
_COMMON = vocabulary("most common")
_RARE = vocabulary("least common")
_TOP = vocabulary("top")
_BOTTOM = vocabulary("bottom")
_LATEST = vocabulary("latest")
_EARLIEST = vocabulary("earliest")
KINDS_OF = vocabulary("kinds of")
_THE = vocabulary("the")

UNITS: dict[TimeUnit, Phrases] = {
    "year": vocabulary("units year"),
    "calendar month": vocabulary("units calendar month"),
    "quarter": vocabulary("units quarter"),
    "month": vocabulary("units month"),
    "week": vocabulary("units week"),
    "day": vocabulary("units day"),
    "weekday": vocabulary("units weekday"),
    "hour": vocabulary("units hour"),
}
_ADVERBS: dict[str, TimeUnit] = {
    "yearly": "year",
    "annually": "year",
    "annual": "year",
    "monthly": "month",
    "daily": "day",
    "hourly": "hour",
    "weekly": "week",
}
_PER = vocabulary("group")
_ORDER = vocabulary("ordered by")
_DOWN = vocabulary("descending")
_UP = vocabulary("ascending")
_DIRECTION_OF = vocabulary("direction of")


@rule
def measure(sentence: Sentence, position: int) -> Iterator[tuple[Measure, int]]:
    """What things are compared by: `number of crimes`, `average age`, `capacity`."""
    from groundwire.draft.offline.noun import noun

    start = _THE.skip(sentence, position)
    for at in _NUMBER_OF.at(sentence, start):
        for thing, end in noun(sentence, at, 1):
            yield CountOf(thing), end
    for function, phrases in AGGREGATES.items():
        for at in phrases.at(sentence, start):
            for column in sentence.columns(_THE.skip(sentence, at)):
                yield AggregateOf(function, column), column.end
    for column in sentence.columns(start):
        yield ColumnOf(column), column.end
    for flag in sentence.found(start, "flag"):
        if sentence.word(flag.end) in {"rate", "rates"}:
            yield RateOf(flag), flag.end + 1


@rule
def leading_pick(sentence: Sentence, position: int) -> Iterator[tuple[Pick, int]]:
    """A superlative before its noun: `top 5`, `3 most common`, `latest`, `oldest`."""
    count, at = _count(sentence, position)
    for descending, phrases in ((True, _COMMON), (False, _RARE)):
        for end in phrases.at(sentence, at):
            yield Pick(CountOf(None), descending, count), end
    for descending, phrases in ((True, _TOP), (False, _BOTTOM)):
        for end in phrases.at(sentence, position):
            number, after = _count(sentence, end)
            if after > end:
                yield from _after_top(sentence, after, number, descending)
    for descending, phrases in ((True, _LATEST), (False, _EARLIEST)):
        for end in phrases.at(sentence, at):
            number, after = (count, end) if at > position else _count(sentence, end)
            yield Pick(None, descending, number), after
    if sentence.word(position) == "last" and sentence.number(position + 1) is None:
        yield Pick(None, True, 1), position + 1
    about = ADJECTIVES.get(sentence.word(at))
    if about is not None:
        yield Pick(ColumnOf(None, about[0]), about[1], count), at + 1


def _after_top(
    sentence: Sentence, position: int, count: int, descending: bool
) -> Iterator[tuple[Pick, int]]:
    yield Pick(CountOf(None), descending, count), position
    for end in _COMMON.at(sentence, position):
        yield Pick(CountOf(None), descending, count), end


def _count(sentence: Sentence, position: int) -> tuple[int, int]:
    number = sentence.number(position)
    if isinstance(number, int) and 0 < number <= 1_000:
        return number, position + 1
    return 1, position


@rule
def superlative(sentence: Sentence, position: int) -> Iterator[tuple[Pick, int]]:
    """After its noun: `the highest capacity`, `the most crimes`, `the 3 largest populations`."""
    from groundwire.draft.offline.noun import noun

    start = _THE.skip(sentence, position)
    start = _TOP.end(sentence, start)
    count, at = _count(sentence, start)
    at = _THE.skip(sentence, at)
    for descending, phrases in ((True, _HIGH), (False, _LOW)):
        for end in phrases.at(sentence, at):
            after = (sentence.word(end) == "of" and end + 1) or end
            for by, done in measure(sentence, after):
                yield Pick(by, descending, count), done
            if sentence.word(at) in {"most", "fewest", "least"}:
                for thing, done in noun(sentence, after, 1):
                    yield Pick(CountOf(thing), descending, count), done


@rule
def top(sentence: Sentence, position: int) -> Iterator[tuple[Pick, int]]:
    """The measure of a `top 5 …`: `by number of crimes`, `in terms of capacity`."""
    for end in vocabulary("by measure").at(sentence, position):
        for by, done in measure(sentence, end):
            yield Pick(by, True, 0), done


@rule
def order_by(sentence: Sentence, position: int) -> Iterator[tuple[OrderBy, int]]:
    """`ordered by age in descending order`, `in alphabetical order`, `from high to low`."""
    for end in _DIRECTION_OF.at(sentence, position):
        descending = "descending" in {sentence.word(n) for n in range(position, end)}
        for by, after in measure(sentence, end):
            yield OrderBy(by, descending), after
    for at in [position, *_ORDER.at(sentence, position)]:
        for descending, phrases in ((True, _DOWN), (False, _UP)):
            for end in phrases.at(sentence, at):
                yield OrderBy(None, descending), end
        if at == position:
            continue
        for end in _DIRECTION_OF.at(sentence, at):
            descending = "descending" in {sentence.word(n) for n in range(at, end)}
            for by, after in measure(sentence, end):
                yield OrderBy(by, descending), after
        yield from _ordered(sentence, at)


def _ordered(sentence: Sentence, position: int) -> Iterator[tuple[OrderBy, int]]:
    for by, after in measure(sentence, position):
        yield OrderBy(by, False), after
        after = after + 1 if sentence.word(after) == "," else after
        for descending, phrases in ((True, _DOWN), (False, _UP)):
            for end in phrases.at(sentence, after):
                yield OrderBy(by, descending), end


@rule
def group_by(sentence: Sentence, position: int) -> Iterator[tuple[tuple[GroupBy, ...], int]]:
    """`per district and year`, `in each month`, `daily`."""
    adverb = _ADVERBS.get(sentence.word(position))
    if adverb is not None:
        yield (GroupBy(None, adverb),), position + 1
    for at in _PER.at(sentence, position):
        for first, end in group_target(sentence, at):
            if sentence.word(at - 1) == "by" and _is_plural_table(sentence, first):
                continue
            yield from _more_targets(sentence, (first,), end)


def _is_plural_table(sentence: Sentence, group: GroupBy) -> bool:
    """`by singer` groups; `by singers who …` says whose."""
    if group.target is None or group.target.kind != "table":
        return False
    last = sentence.token(group.target.end - 1)
    return last is not None and last.word != last.stem


def _more_targets(
    sentence: Sentence, groups: tuple[GroupBy, ...], end: int
) -> Iterator[tuple[tuple[GroupBy, ...], int]]:
    yield groups, end
    if sentence.word(end) in {"and", ","} and len(groups) < 3:
        after = Phrases("and|,|by|per|each|for each|of|in each").skip(sentence, end)
        for following, done in group_target(sentence, after):
            yield from _more_targets(sentence, (*groups, following), done)


@rule
def group_target(sentence: Sentence, position: int) -> Iterator[tuple[GroupBy, int]]:
    """What is grouped by: a column, a table, a unit of time."""
    start = vocabulary("each of").skip(sentence, position)
    for unit, phrases in UNITS.items():
        for end in phrases.at(sentence, start):
            yield GroupBy(None, unit), end
    for column in sentence.columns(start):
        yield GroupBy(column), column.end
    for table in sentence.found(start, "table"):
        yield GroupBy(table), table.end
        token = sentence.token(table.end)
        if token is not None and token.stem in {"type", "kind", "category"}:
            yield GroupBy(table, kinds=True), table.end + 1
    for at in KINDS_OF.at(sentence, start):
        for table in sentence.found(at, "table"):
            yield GroupBy(table, kinds=True), table.end

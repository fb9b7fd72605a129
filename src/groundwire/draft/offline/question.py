"""Whole questions: the forms in which a person asks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from groundwire.draft.offline.conditions import condition, neutral
from groundwire.draft.offline.noun import bare_noun, noun
from groundwire.draft.offline.picks import (
    AGGREGATES,
    UNITS,
    group_by,
    group_target,
    order_by,
    top,
)
from groundwire.draft.offline.sentence import Sentence, rule
from groundwire.draft.offline.syntax import (
    AggregateOf,
    Ask,
    AverageOf,
    ColumnOf,
    Condition,
    CountOf,
    During,
    Flagged,
    Function,
    GroupBy,
    Noun,
    OrderBy,
    Output,
    Pick,
    TimeUnit,
)
from groundwire.draft.offline.vocabulary import Phrases, vocabulary, words

__all__ = ["readings"]

MAX_READINGS = 2_000
"""A question with more readings than this is taken as not understood."""

_POLITE = vocabulary("polite")
_THE = vocabulary("determiners of outputs")
_WHAT_IS = vocabulary("asks what")
_COUNT = vocabulary("asks for a count")
_LIST = vocabulary("asks for a list")
_SHARE = vocabulary("asks for a share")
_UNIT_SHARE = {"proportion", "fraction", "ratio"}
_MARKERS = words("begins a predicate")
_EXISTS = vocabulary("asks whether")
_ANY = vocabulary("any of")
_WHEN = vocabulary("asks when")
_TRAILING = vocabulary("trailing words")
_OF = vocabulary("outputs of")
_AND = vocabulary("outputs and")
_BEFORE_ARGUMENT = vocabulary("before an argument")
_OWNED = vocabulary("owned by")
_NUMBER_OF = vocabulary("number of outputs")
_AVERAGE_NUMBER = vocabulary("average number")
_ON_AVERAGE = vocabulary("on average")
_DAILY: dict[str, TimeUnit] = {
    "daily": "day",
    "monthly": "month",
    "yearly": "year",
    "annual": "year",
}
_FOR_EACH = vocabulary("leading group")


@dataclass(frozen=True, slots=True)
class _Rest:
    """What follows the core of a question."""

    conditions: tuple[Condition, ...] = ()
    groups: tuple[GroupBy, ...] = ()
    order: OrderBy | None = None
    top: Pick | None = None


def readings(sentence: Sentence) -> list[Ask]:
    """All ways to read the whole question; empty where a word is left over in each."""
    found: list[Ask] = []
    start = _POLITE.skip(sentence, 0)
    for lead, at in _lead(sentence, start):
        at = _POLITE.skip(sentence, at)
        for form in (_averages, _counts, _shares, _rates, _exists, _whens, _lists):
            for ask in form(sentence, at):
                found.append(_with(ask, lead))
                if len(found) >= MAX_READINGS:
                    return []
    return list(dict.fromkeys(found))


def _lead(sentence: Sentence, position: int) -> Iterator[tuple[_Rest, int]]:
    """`In 2019, …`, `For each district, …`."""
    yield _Rest(), position
    comma = next((n for n in range(position, len(sentence)) if sentence.word(n) == ","), None)
    if comma is None:
        return
    for at in _FOR_EACH.at(sentence, position):
        for group, end in group_target(sentence, at):
            if end == comma:
                yield _Rest(groups=(group,)), comma + 1
    for found, end in condition(sentence, position, 1):
        if end == comma:
            yield _Rest(conditions=(found,)), comma + 1


def _with(ask: Ask, rest: _Rest) -> Ask:
    noun_with = replace(ask.noun, conditions=(*ask.noun.conditions, *rest.conditions))
    return replace(
        ask, noun=noun_with, groups=(*ask.groups, *rest.groups), order=ask.order or rest.order
    )


@rule
def _rest(sentence: Sentence, position: int) -> Iterator[tuple[_Rest, int]]:
    """Conditions, groups and order in any sequence, up to the very end of the question."""
    if position >= len(sentence):
        yield _Rest(), position
        return
    end = _POLITE.skip(sentence, _TRAILING.skip(sentence, neutral(sentence, position)))
    if end >= len(sentence):
        yield _Rest(), end
        return
    for found, at in condition(sentence, position, 0):
        for rest, done in _rest(sentence, at):
            yield replace(rest, conditions=(found, *rest.conditions)), done
    plain = Phrases("and|,|then").skip(sentence, neutral(sentence, position))
    for groups, at in group_by(sentence, plain):
        for rest, done in _rest(sentence, at):
            yield replace(rest, groups=(*groups, *rest.groups)), done
    for order, at in order_by(sentence, plain):
        for rest, done in _rest(sentence, at):
            if rest.order is None:
                yield replace(rest, order=order), done
            elif rest.order.by is None and order.by is not None:
                yield replace(rest, order=replace(order, descending=rest.order.descending)), done
    for picked, at in top(sentence, plain):
        for rest, done in _rest(sentence, at):
            if rest.top is None:
                yield replace(rest, top=picked), done


def _finish(sentence: Sentence, ask: Ask, position: int) -> Iterator[Ask]:
    for rest, _ in _rest(sentence, position):
        ready: Ask | None = _with(ask, rest)
        if ready is not None and rest.top is not None:
            ready = _by_measure(ready, rest.top)
        if ready is not None:
            yield ready


def _by_measure(ask: Ask, measure: Pick) -> Ask | None:
    """Give a `top 5 …` its measure: `by number of crimes`."""
    conditions = list(ask.noun.conditions)
    for index, found in enumerate(conditions):
        if isinstance(found, Pick) and found.by == CountOf(None):
            conditions[index] = replace(found, by=measure.by)
            return replace(ask, noun=replace(ask.noun, conditions=tuple(conditions)))
    return None


def _counts(sentence: Sentence, position: int) -> Iterator[Ask]:
    for start in {position, *_WHAT_IS.at(sentence, position)}:
        start = _THE.skip(sentence, start) if sentence.word(start) != "all" else start
        for at in _COUNT.at(sentence, start):
            for thing, end in bare_noun(sentence, at):
                if _is_one_thing(sentence, at, thing):
                    continue
                yield from _finish(sentence, Ask("count", thing), end)
    yield from _grouped_nouns(sentence, position)


def _is_one_thing(sentence: Sentence, position: int, thing: Noun) -> bool:
    """`the number of the area Hyde Park` asks for its number, not how many there are."""
    if sentence.word(position) != "the" or thing.head is None:
        return False
    last = sentence.token(thing.head.end - 1)
    return last is not None and last.word == last.stem


def _grouped_nouns(sentence: Sentence, position: int) -> Iterator[Ask]:
    """`crimes per district`, `show thefts by month`: counts, though the word is not there."""
    for start in {position, *Phrases("show|show me|give me|display").at(sentence, position)}:
        for thing, end in bare_noun(sentence, start):
            if thing.head is None or thing.head.kind == "table":
                for ask in _finish(sentence, Ask("count", thing), end):
                    if ask.groups and not any(isinstance(c, Pick) for c in ask.noun.conditions):
                        yield ask


def _averages(sentence: Sentence, position: int) -> Iterator[Ask]:
    """`average number of crimes per day`, `how many crimes are there per day on average`."""
    for start in {position, *_WHAT_IS.at(sentence, position)}:
        start = _THE.skip(sentence, start)
        for at in _AVERAGE_NUMBER.at(sentence, start):
            opening = {sentence.word(n) for n in range(start, at)}
            said = bool(opening & {"average", "mean"})
            unit = next((_DAILY[word] for word in opening if word in _DAILY), None)
            for thing, end in noun(sentence, at):
                for group, done, later in _average_groups(sentence, end, unit):
                    if said or later:
                        ask = Ask(
                            "mean count", Noun(None, generic=True), (AverageOf(thing, group),)
                        )
                        yield from _finish(sentence, ask, done)


def _average_groups(
    sentence: Sentence, position: int, unit: TimeUnit | None
) -> Iterator[tuple[GroupBy, int, bool]]:
    """(group, end, whether `on average` is said there)."""
    if unit is not None:
        yield GroupBy(None, unit), position, False
        return
    start = neutral(sentence, position)
    before = _ON_AVERAGE.end(sentence, start)
    for at, later in ((position, False), (start, False), (before, before > start)):
        for groups, after in _per(sentence, at):
            done = _ON_AVERAGE.end(sentence, after)
            if len(groups) == 1:
                yield groups[0], done, later or done > after


def _per(sentence: Sentence, position: int) -> Iterator[tuple[tuple[GroupBy, ...], int]]:
    yield from group_by(sentence, position)
    if sentence.word(position) in {"a", "an"}:
        for target, end in group_target(sentence, position + 1):
            if target.unit is not None:
                yield (target,), end


def _shares(sentence: Sentence, position: int) -> Iterator[Ask]:
    for start in {position, *_WHAT_IS.at(sentence, position)}:
        start = _THE.skip(sentence, start)
        for at in _SHARE.at(sentence, start):
            scale = 1 if sentence.word(start) in _UNIT_SHARE else 100
            for thing, end in bare_noun(sentence, at):
                for before, middle in _before_predicate(sentence, end):
                    for ask in _finish(sentence, Ask("share", thing, scale=scale), middle):
                        yield from _split(ask, thing, before, marked=middle < len(sentence))


def _before_predicate(
    sentence: Sentence, position: int
) -> Iterator[tuple[tuple[Condition, ...], int]]:
    """Conditions of the whole, up to the verb that begins the predicate."""
    if sentence.word(position) in _MARKERS or position >= len(sentence):
        yield (), position
        return
    for first, end in condition(sentence, position, 1):
        for more, after in _before_predicate(sentence, end):
            yield (first, *more), after


def _split(ask: Ask, thing: Noun, before: tuple[Condition, ...], *, marked: bool) -> Iterator[Ask]:
    """Which conditions are the whole and which are the part."""
    after = ask.noun.conditions[len(thing.conditions) :]
    base = (*thing.conditions, *before)
    if marked and after:
        part, rest = after[0], after[1:]
        clear = isinstance(part, Flagged) or all(isinstance(c, During) for c in rest)
        if isinstance(part, During):
            clear = not rest
        if clear:
            yield replace(ask, noun=replace(thing, conditions=(*base, *rest)), predicate=(part,))
    elif not marked:
        times = tuple(c for c in base if isinstance(c, During))
        others = tuple(c for c in base if not isinstance(c, During))
        if len(others) == 1:
            whole = replace(thing, conditions=times)
            yield replace(ask, noun=whole, predicate=others)
        elif not others and len(times) == 1:
            yield replace(ask, noun=replace(thing, conditions=()), predicate=times)


def _rates(sentence: Sentence, position: int) -> Iterator[Ask]:
    """`arrest rate for thefts`."""
    for start in {position, *_WHAT_IS.at(sentence, position)}:
        start = Phrases("the|overall|average|general|total").skip(sentence, start)
        for flag in sentence.found(start, "flag"):
            if sentence.word(flag.end) not in {"rate", "rates"}:
                continue
            part = (Flagged(flag),)
            whole = Noun(None, generic=True)
            yield from _finish(sentence, Ask("rate", whole, predicate=part), flag.end + 1)
            for at in _OF.at(sentence, flag.end + 1):
                for thing, end in bare_noun(sentence, at):
                    yield from _finish(sentence, Ask("rate", thing, predicate=part), end)


def _exists(sentence: Sentence, position: int) -> Iterator[Ask]:
    for at in _EXISTS.at(sentence, position):
        start = _ANY.skip(sentence, at)
        for thing, end in bare_noun(sentence, start):
            for ask in _finish(sentence, Ask("exists", thing), end):
                if not ask.groups and not ask.order:
                    yield ask


def _whens(sentence: Sentence, position: int) -> Iterator[Ask]:
    for start in {position, _LIST.end(sentence, position)}:
        start = _THE.skip(sentence, start)
        for at in _WHEN.at(sentence, start):
            for thing, end in bare_noun(sentence, at):
                yield from _finish(sentence, Ask("when", thing), end)


def _lists(sentence: Sentence, position: int) -> Iterator[Ask]:
    for start in {position, *_LIST.at(sentence, position)}:
        for unit, end in _unit_noun(sentence, start):
            yield from _finish(sentence, Ask("list", unit), end)
        for thing, end in bare_noun(sentence, Phrases("of the|of").end(sentence, start)):
            for ask in _finish(sentence, Ask("list", thing), end):
                if start > position or any(isinstance(c, Pick) for c in ask.noun.conditions):
                    yield ask
        for outputs, end in _outputs(sentence, start):
            if len(outputs) > 1 or not isinstance(outputs[0], ColumnOf):
                generic = Noun(None, generic=True)
                yield from _finish(sentence, Ask("list", generic, outputs), end)
            for at in _OF.at(sentence, end):
                for thing, after in bare_noun(sentence, at):
                    yield from _finish(sentence, Ask("list", thing, outputs), after)


def _unit_noun(sentence: Sentence, position: int) -> Iterator[tuple[Noun, int]]:
    start = _THE.skip(sentence, position)
    for unit, phrases in UNITS.items():
        for end in phrases.at(sentence, start):
            yield Noun(None, unit=unit), end


@rule
def _outputs(sentence: Sentence, position: int) -> Iterator[tuple[tuple[Output, ...], int]]:
    """`name, country and average age`."""
    for first, end in _output(sentence, position):
        yield first, end
        joint = _AND.end(sentence, end)
        if joint > end:
            for more, after in _outputs(sentence, joint):
                yield (*first, *more), after


@rule
def _output(sentence: Sentence, position: int) -> Iterator[tuple[tuple[Output, ...], int]]:
    start = vocabulary("before an output").skip(sentence, position)
    distinct = any(
        sentence.word(n) in {"different", "distinct", "unique"} for n in range(position, start)
    )
    for column in sentence.columns(start):
        yield (ColumnOf(column, distinct=distinct),), column.end
        for at in _OWNED.at(sentence, column.end):
            for table in sentence.found(at, "table"):
                yield (ColumnOf(column, distinct=distinct, owner=table),), table.end
    for at in _NUMBER_OF.at(sentence, start):
        for thing, end in bare_noun(sentence, at):
            yield (CountOf(thing),), end
    for functions, at in _functions(sentence, start):
        begin = _BEFORE_ARGUMENT.skip(sentence, at)
        for column in sentence.columns(begin):
            yield tuple(AggregateOf(function, column) for function in functions), column.end


@rule
def _functions(sentence: Sentence, position: int) -> Iterator[tuple[tuple[Function, ...], int]]:
    for function, phrases in AGGREGATES.items():
        for end in phrases.at(sentence, position):
            yield (function,), end
            joint = Phrases(",|and|, and|and the").end(sentence, end)
            if joint > end:
                for more, after in _functions(sentence, joint):
                    yield (function, *more), after

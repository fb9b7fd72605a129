"""The conditions that may follow a noun: places, times, comparisons, relations, negations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from groundwire.draft.offline.comparisons import comparative, comparison
from groundwire.draft.offline.mentions import Mention
from groundwire.draft.offline.noun import DETERMINERS, noun, value_list
from groundwire.draft.offline.picks import leading_pick, superlative
from groundwire.draft.offline.sentence import Sentence, rule
from groundwire.draft.offline.syntax import (
    Compared,
    Comparison,
    Condition,
    Counted,
    CountOf,
    During,
    Either,
    Flagged,
    Is,
    Missing,
    Noun,
    Pick,
    Related,
    TextMatch,
    VersusAverage,
)
from groundwire.draft.offline.time_ranges import time_phrases
from groundwire.draft.offline.vocabulary import Phrases, vocabulary

__all__ = ["column_is", "condition", "conditions", "neutral"]

MAX_DEPTH = 2
"""How deep relations nest: `documents with a template that has …`."""

_LINK = vocabulary("link")
_BE = vocabulary("be")
_EVENT = vocabulary("event")
_NEUTRAL = vocabulary("neutral clause")
_NOT = vocabulary("not")
_PLACE = vocabulary("place")
_OUTSIDE = vocabulary("outside")
_EQUALS = vocabulary("equals")
_IS = vocabulary("compared is")
_MISSING_AFTER = vocabulary("missing after")
_KNOWN_AFTER = vocabulary("known after")
_WITHOUT = vocabulary("column missing with")
_LED_TO = vocabulary("led to")
_RELATION = vocabulary("relation")
_NO_RELATION = vocabulary("no relation")
_BEFORE_PLACE = vocabulary("before a place")
_THE_CITY = vocabulary("place of the data")
_MOST_OFTEN = vocabulary("most often")
_LEAST_OFTEN = vocabulary("least often")
_UNIVERSAL = {"all", "each", "every", "both", "no", "not", "most"}
_TEXT = {
    "contains": vocabulary("text contains"),
    "starts": vocabulary("text starts"),
    "ends": vocabulary("text ends"),
}


def neutral(sentence: Sentence, position: int) -> int:
    """Past words that say nothing: `were there`, `in total`, `did we have`, `in Chicago`."""
    end = position
    for _ in range(4):
        start = end
        end = _whole_place(sentence, end)
        for phrases in (_NEUTRAL, _BE, _EVENT):
            end = phrases.skip(sentence, end)
        if end == start:
            break
    return end


def _whole_place(sentence: Sentence, position: int) -> int:
    """Past the place that all rows are of anyway."""
    if not sentence.place:
        return position
    for at in _BEFORE_PLACE.at(sentence, position):
        start = _THE_CITY.end(sentence, at)
        start = start + 1 if start > at and sentence.word(start) == "of" else start
        if sentence.word(start) == sentence.place:
            return start + 1
        if start > at:
            return start
    return position


@rule
def conditions(
    sentence: Sentence, position: int, depth: int = 0
) -> Iterator[tuple[tuple[Condition, ...], int]]:
    """Any number of conditions, the fewest first."""
    yield (), position
    for first, end in condition(sentence, position, depth):
        for more, after in conditions(sentence, end, depth):
            yield (first, *more), after


@rule
def condition(sentence: Sentence, position: int, depth: int) -> Iterator[tuple[Condition, int]]:
    """One condition with the words that link it to what stands before."""
    at = _LINK.skip(sentence, position)
    for start in sorted({at, neutral(sentence, at)}):
        negated_at = _NOT.end(sentence, start)
        for begin, negated in {start: False, negated_at: negated_at > start}.items():
            begin = _EVENT.skip(sentence, begin) if negated else begin
            for found, end in _core(sentence, begin, depth, negated):
                yield found, end
                yield from _alternatives(sentence, found, end, depth)


def _alternatives(
    sentence: Sentence, first: Condition, end: int, depth: int
) -> Iterator[tuple[Condition, int]]:
    """`opened after 2013 or before 2008`."""
    if sentence.word(end) != "or":
        return
    for second, after in _core(sentence, neutral(sentence, end + 1), depth, False):
        if isinstance(first, During) and isinstance(second, During) and second.column is None:
            second = replace(second, column=first.column)
        if type(first) is type(second):
            yield Either((first, second)), after


@rule
def _core(
    sentence: Sentence, position: int, depth: int, negated: bool
) -> Iterator[tuple[Condition, int]]:
    if not negated:
        yield from _times(sentence, position)
        yield from _average(sentence, position)
        yield from _having(sentence, position, depth)
    yield from _flag(sentence, position, negated)
    yield from _place(sentence, position, negated)
    yield from _whose(sentence, position, negated)
    yield from _missing(sentence, position)
    if depth <= MAX_DEPTH:
        yield from _related(sentence, position, depth, negated)


def _times(sentence: Sentence, position: int) -> Iterator[tuple[Condition, int]]:
    for times, end in time_phrases(sentence.tokens, position, sentence.today):
        if not _is_convention(sentence, position, end):
            yield During(times), end
    for column in sentence.found(position, "column"):
        at = _IS.end(sentence, column.end)
        for times, end in time_phrases(sentence.tokens, at, sentence.today):
            if _is_convention(sentence, at, end):
                continue
            yield During(times, column), end


def _is_convention(sentence: Sentence, start: int, end: int) -> bool:
    """Whether the pack says what these words mean (`at night`)."""
    return any(
        mention.end == end and mention.convention is not None and mention.convention.sql
        for position in range(start, end)
        for mention in sentence.found(position, "convention")
    )


def _flag(sentence: Sentence, position: int, negated: bool) -> Iterator[tuple[Condition, int]]:
    no_at = Phrases("without|no|with no|not|without any|non").end(sentence, position)
    starts = {position: negated}
    for at in _LED_TO.at(sentence, position):
        starts[at] = negated
        for no in Phrases("no|not|non").at(sentence, at):
            starts[no] = True
    if no_at > position:
        starts[no_at] = True
    for start, negative in starts.items():
        for begin in {start, DETERMINERS.skip(sentence, start)}:
            conventions = sentence.found(begin, "convention")
            longest = max((m.end for m in conventions), default=0)
            flags = [m for m in sentence.found(begin, "flag") if m.end > longest]
            for mention in (*conventions, *flags):
                yield Flagged(mention, negative), mention.end


def _place(sentence: Sentence, position: int, negated: bool) -> Iterator[tuple[Condition, int]]:
    starts = {position: negated}
    for at in _PLACE.at(sentence, position):
        starts[at] = negated
        starts[_NOT.end(sentence, at)] = negated != (_NOT.end(sentence, at) > at)
    for at in _OUTSIDE.at(sentence, position):
        starts[at] = True
    for start, negative in starts.items():
        yield from _values(sentence, start, negative)


def _values(sentence: Sentence, position: int, negated: bool) -> Iterator[tuple[Condition, int]]:
    """`Englewood`, `the region of Central Africa`, `the English language`, `Asia or Europe`."""
    either = Phrases("either|both|the|a|an|the word").skip(sentence, position)
    every = "both" in {sentence.word(n) for n in range(position, either)}
    for values, joined, end in value_list(sentence, either):
        found = Is(values, None, negated, every or joined == "and")
        yield found, end
        for owner in (*sentence.found(end, "column"), *sentence.found(end, "table")):
            yield replace(found, column=owner), owner.end
    for owner in (*sentence.found(either, "column"), *sentence.found(either, "table")):
        at = vocabulary("of name").skip(sentence, owner.end)
        for values, joined, end in value_list(sentence, at):
            yield Is(values, owner, negated, every or joined == "and"), end


def _whose(sentence: Sentence, position: int, negated: bool) -> Iterator[tuple[Condition, int]]:
    start = vocabulary("whose").skip(sentence, position)
    for begin in sorted({position, start}):
        yield from column_is(sentence, begin, negated)
        yield from _compared(sentence, begin, negated)
        yield from _text(sentence, begin, negated)


@rule
def column_is(
    sentence: Sentence, position: int, negated: bool = False
) -> Iterator[tuple[Condition, int]]:
    """A column with what it is equal to: `district 3`, `case number is JK342273`."""
    for column in sentence.found(position, "column"):
        for at in {column.end, *_EQUALS.at(sentence, column.end)}:
            negated_at = _NOT.end(sentence, at)
            negative = negated != (negated_at > at)
            begin = Phrases("either|the|a|an|equal to|in").skip(sentence, negated_at)
            for values, joined, end in value_list(sentence, begin):
                yield Is(values, column, negative, joined == "and"), end
            for raws, end in _raw_list(sentence, begin):
                yield Compared(column, Comparison("=", raws), negative), end


def _raw_list(
    sentence: Sentence, position: int
) -> Iterator[tuple[tuple[int | float | str, ...], int]]:
    token = sentence.token(position)
    if token is None:
        return
    if token.quoted:
        first: int | float | str = token.text
    elif token.number is not None and token.text.isdigit() and token.text.startswith("0"):
        first = token.text
    elif token.number is not None:
        first = token.number
    elif any(c.isdigit() for c in token.text) and any(c.isalpha() for c in token.text):
        first = token.text
    else:
        return
    yield (first,), position + 1
    joint = Phrases("or|,|, or|and|, and").end(sentence, position + 1)
    if joint > position + 1:
        for rest, end in _raw_list(sentence, joint):
            yield (first, *rest), end


def _compared(sentence: Sentence, position: int, negated: bool) -> Iterator[tuple[Condition, int]]:
    for column in sentence.found(position, "column"):
        for at in {column.end, *_IS.at(sentence, column.end)}:
            for compared, end in comparison(sentence, at):
                yield Compared(column, compared, negated), end
    for words, at in comparative(sentence, position):
        start = Phrases("the|an|a").skip(sentence, at)
        for column in sentence.found(start, "column"):
            number_at = Phrases("of").end(sentence, column.end)
            number = sentence.number(number_at)
            if number is not None:
                yield (
                    Compared(column, Comparison(words.operator, (number,)), negated),
                    number_at + 1,
                )
    for compared, end in comparison(sentence, position):
        if compared.about:
            yield Compared(None, compared, negated), end
        for column in sentence.found(Phrases("of|in").end(sentence, end), "column"):
            yield Compared(column, compared, negated), column.end


def _text(sentence: Sentence, position: int, negated: bool) -> Iterator[tuple[Condition, int]]:
    for column in sentence.found(position, "column"):
        for how, phrases in _TEXT.items():
            if how == "contains" and sentence.word(column.end) in {"has", "have", "with", "having"}:
                continue
            for at in phrases.at(sentence, column.end):
                start = vocabulary("text words").skip(sentence, at)
                token = sentence.token(start)
                if token is not None and token.quoted:
                    yield TextMatch(column, how, token.text, negated), start + 1  # type: ignore[arg-type]
    start = vocabulary("with text").skip(sentence, position)
    token = sentence.token(start)
    if token is not None and token.quoted and start > position:
        at = Phrases("in|in its|in the|in their|within the|in it s").end(sentence, start + 1)
        for column in sentence.found(at, "column"):
            if at > start + 1:
                yield TextMatch(column, "contains", token.text, negated), column.end


def _missing(sentence: Sentence, position: int) -> Iterator[tuple[Condition, int]]:
    for at in _WITHOUT.at(sentence, position):
        start = Phrases("recorded|known|a|an|any").skip(sentence, at)
        for column in sentence.found(start, "column"):
            yield Missing(column), column.end
    start = Phrases("whose|where|where the|the|with").skip(sentence, position)
    for column in sentence.found(start, "column"):
        for end in _MISSING_AFTER.at(sentence, column.end):
            yield Missing(column), end
        for end in _KNOWN_AFTER.at(sentence, column.end):
            yield Missing(column, True), end


def _average(sentence: Sentence, position: int) -> Iterator[tuple[Condition, int]]:
    start = vocabulary("compared with average").skip(sentence, position)
    options: list[tuple[Mention | None, int]] = [(None, start)]
    options += [(c, _IS.end(sentence, c.end)) for c in sentence.found(start, "column")]
    for column, at in options:
        for words, after in comparative(sentence, at):
            mean = vocabulary("the average").end(sentence, after)
            if mean == after:
                continue
            if column is not None or words.about:
                yield VersusAverage(column, words.operator, words.about), mean
            for owner in sentence.found(mean, "column"):
                yield VersusAverage(owner, words.operator), owner.end


def _having(sentence: Sentence, position: int, depth: int) -> Iterator[tuple[Condition, int]]:
    """`with the most crimes`, `with more than three concerts`."""
    starts = {position, *_RELATION.at(sentence, position)}
    if sentence.is_relation_verb(position):
        starts.add(position + 1)
    for start in starts:
        yield from superlative(sentence, start)
        yield from _most_common(sentence, start)
        if depth <= MAX_DEPTH:
            for compared, at in _quantity(sentence, start):
                if sentence.word(at) in {"time", "times"}:
                    yield Counted(Noun(None, generic=True), compared), at + 1
                for thing, end in noun(sentence, at, depth + 1):
                    yield Counted(thing, compared), end


def _most_common(sentence: Sentence, position: int) -> Iterator[tuple[Condition, int]]:
    """`(is) the most common`, `(occurs) most often`."""
    start = Phrases("the|a").skip(sentence, position)
    for picked, end in leading_pick(sentence, start):
        if isinstance(picked.by, CountOf) and sentence.word(start) != "top":
            yield picked, end
    for descending, phrases in ((True, _MOST_OFTEN), (False, _LEAST_OFTEN)):
        for end in phrases.at(sentence, start):
            yield Pick(CountOf(None), descending), end


def _quantity(sentence: Sentence, position: int) -> Iterator[tuple[Comparison, int]]:
    for compared, end in comparison(sentence, position):
        if not compared.about:
            yield compared, end
    for end in vocabulary("only one").at(sentence, position):
        yield Comparison("=", (1,)), end


def _related(
    sentence: Sentence, position: int, depth: int, negated: bool
) -> Iterator[tuple[Condition, int]]:
    for at in _NO_RELATION.at(sentence, position):
        for thing, end in noun(sentence, at, depth + 1):
            yield Related(thing, True), end
    verbs = [position + 1] if sentence.is_relation_verb(position) else []
    for at in (*verbs, *_RELATION.at(sentence, position)):
        if sentence.word(at) in _UNIVERSAL:
            continue
        for thing, end in noun(sentence, at, depth + 1):
            yield Related(thing, negated), end

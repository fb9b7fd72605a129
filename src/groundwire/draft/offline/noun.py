"""Noun phrases: what a question speaks of, without the conditions that follow it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from groundwire.draft.offline.mentions import Mention
from groundwire.draft.offline.picks import KINDS_OF, leading_pick
from groundwire.draft.offline.sentence import Sentence, rule
from groundwire.draft.offline.syntax import Condition, Flagged, Is, Noun
from groundwire.draft.offline.vocabulary import vocabulary

__all__ = ["DETERMINERS", "bare_noun", "noun", "value_list"]

DETERMINERS = vocabulary("determiners")
_DISTINCT = vocabulary("distinct")
_NEUTRAL = vocabulary("neutral adjective")
_KIND_WORDS = {"type", "kind", "category", "sort", "class"}
_RECORDS = vocabulary("records")
_NON = vocabulary("non")


@rule
def noun(sentence: Sentence, position: int, depth: int = 0) -> Iterator[tuple[Noun, int]]:
    """A noun with any of the conditions that follow it, the fewest first."""
    from groundwire.draft.offline.conditions import conditions

    for core, end in bare_noun(sentence, position):
        for following, after in conditions(sentence, end, depth + 1):
            yield replace(core, conditions=(*core.conditions, *following)), after


@rule
def bare_noun(sentence: Sentence, position: int) -> Iterator[tuple[Noun, int]]:
    """Determiners, adjectives and a head: `all different domestic crimes`."""
    start = DETERMINERS.skip(sentence, position)
    distinct = _DISTINCT.end(sentence, start)
    is_distinct = distinct > start
    start = DETERMINERS.skip(sentence, distinct)
    for picked, after in [((), start), *leading_pick(sentence, start)]:
        for adjectives, at in _adjectives(sentence, after, 0):
            for head, end in _head(sentence, at):
                conditions = (*head.conditions, *adjectives, *((picked,) if picked else ()))
                whole = replace(head, conditions=conditions, distinct=is_distinct or head.distinct)
                yield whole, end
    number = sentence.number(start)
    if isinstance(number, int) and 1 < number <= 1_000 and not is_distinct:
        for head, end in _head(sentence, start + 1):
            yield replace(head, limit=number), end


@rule
def _adjectives(
    sentence: Sentence, position: int, count: int
) -> Iterator[tuple[tuple[Condition, ...], int]]:
    """Values and flags before a head: `non-domestic`, `French`, `district 3`."""
    yield (), position
    if count == 3:
        return
    neutral = _NEUTRAL.end(sentence, position)
    if neutral > position:
        yield from _adjectives(sentence, neutral, count + 1)
    for condition, end in _adjective(sentence, position):
        joint = end + 1 if sentence.word(end) in {",", "and"} else end
        for more, after in _adjectives(sentence, end, count + 1):
            yield (condition, *more), after
        if joint > end:
            for more, after in _adjectives(sentence, joint, count + 1):
                if more:
                    yield (condition, *more), after


def _adjective(sentence: Sentence, position: int) -> Iterator[tuple[Condition, int]]:
    from groundwire.draft.offline.conditions import column_is

    negated_at = _NON.end(sentence, position)
    for at in {position, negated_at}:
        negated = at > position
        for mention in sentence.found(at, "value"):
            yield Is((mention,), None, negated), mention.end
        for mention in _flags(sentence, at):
            yield Flagged(mention, negated), mention.end
    yield from column_is(sentence, position)


def _flags(sentence: Sentence, position: int) -> list[Mention]:
    conventions = sentence.found(position, "convention")
    longest = max((mention.end for mention in conventions), default=0)
    flags = [m for m in sentence.found(position, "flag") if m.end > longest]
    return [*conventions, *flags]


@rule
def _head(sentence: Sentence, position: int) -> Iterator[tuple[Noun, int]]:
    for at in KINDS_OF.at(sentence, position):
        start = DETERMINERS.skip(sentence, at)
        for table in sentence.found(start, "table"):
            yield Noun(table, kinds=True), table.end
    for table in sentence.found(position, "table"):
        yield Noun(table), _RECORDS.end(sentence, table.end)
        token = sentence.token(table.end)
        if token is not None and token.stem in _KIND_WORDS and not token.quoted:
            yield Noun(table, kinds=True), table.end + 1
    for column in sentence.columns(position):
        yield Noun(column), column.end
    for values, joined, end in value_list(sentence, position):
        yield Noun(None, (Is(values, None, False, joined == "and"),)), _RECORDS.end(sentence, end)
    for flag in _flags(sentence, position):
        yield Noun(None, (Flagged(flag),)), _RECORDS.end(sentence, flag.end)
    for end in _RECORDS.at(sentence, position):
        yield Noun(None, generic=True), end


def value_list(sentence: Sentence, position: int) -> Iterator[tuple[tuple[Mention, ...], str, int]]:
    """(values, the word that joins them, end): `thefts and burglaries`, `Asia or Europe`."""
    for first in sentence.found(position, "value"):
        yield (first,), "", first.end
        joint = vocabulary("value joint").end(sentence, first.end)
        if joint > first.end:
            words = {sentence.word(n) for n in range(first.end, joint)}
            for rest, joined, end in value_list(sentence, joint):
                word = "or" if "or" in words else "and" if "and" in words else ""
                if not (word and joined and word != joined):
                    yield (first, *rest), word or joined or ",", end

"""Superlatives: `acted in the most movies`, `the oldest person`, `top 3 towns by inhabitants`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from groundwire.database.graph_catalog import Property
from groundwire.draft.offline.names import identifier_words
from groundwire.draft.offline.vocabulary import Phrases
from groundwire.draft.offline_graph.filters import NUMBERS, is_time
from groundwire.draft.offline_graph.hops import joined, settled, verb_hop, voiced
from groundwire.draft.offline_graph.nouns import entities
from groundwire.draft.offline_graph.plan import Entity, Hop, Plan, Rank
from groundwire.draft.offline_graph.vocabulary import phrases, words_of
from groundwire.draft.offline_graph.words import DETERMINERS, Words

__all__ = ["ranked"]

_OPENING = phrases("opens a ranking")
_MOST = phrases("most")
_FEWEST = phrases("fewest")
_WITH = phrases("with")
_HIGH = phrases("high")
_LOW = phrases("low")
_BY = phrases("by")
_NUMBER_OF = phrases("number of")

_BIRTH = words_of("birth")
_START = words_of("start")
_SIZE = words_of("size")
_ADJECTIVES: dict[str, tuple[tuple[frozenset[str], bool], ...]] = {
    "oldest": ((frozenset(("age",)), True), (_START, False)),
    "youngest": ((frozenset(("age",)), False), (_BIRTH, True)),
    "newest": ((_START - _BIRTH, True),),
    "latest": ((_START - _BIRTH, True),),
    "most recent": ((_START - _BIRTH, True),),
    "earliest": ((_START - _BIRTH, False),),
    "tallest": ((frozenset(("height",)), True),),
    "shortest": ((frozenset(("height", "length", "duration", "runtime")), False),),
    "longest": ((frozenset(("length", "duration", "runtime")), True),),
    "largest": ((_SIZE, True),),
    "biggest": ((_SIZE, True),),
    "smallest": ((_SIZE, False),),
    "cheapest": ((frozenset(("price", "cost")), False),),
    "heaviest": ((frozenset(("weight",)), True),),
    "lightest": ((frozenset(("weight",)), False),),
}
_PHRASES = Phrases(*_ADJECTIVES)


def ranked(words: Words, position: int) -> Iterator[tuple[Plan, int]]:
    """Every reading of a question for the first places of a ranking."""
    for start in dict.fromkeys((*_OPENING.at(words, position), position)):
        who = words.word(start - 1) == "who"
        yield from _top(words, start)
        yield from _adjective(words, start)
        yield from _adjective_behind(words, start)
        if who:
            for label in words.lexicon.persons():
                yield from _predicate(words, start, Entity(label))
        for entity, end in entities(words, start):
            yield from _predicate(words, end, entity)


def _predicate(words: Words, position: int, entity: Entity) -> Iterator[tuple[Plan, int]]:
    """`acted in the most movies`, `has the most actors`, `with the highest inhabitants`."""
    for subject, behind in voiced(words, position):
        for descending, start in _superlative(words, behind):
            for other, end in entities(words, start):
                hops = verb_hop(words, entity.label, subject[0], subject[1], (other,), False)
                if hops and isinstance(hops[0], Hop):
                    yield _by_count(entity, hops[0], 1, descending), end
    for behind in _WITH.at(words, position):
        for descending, start in _superlative(words, behind):
            for other, end in entities(words, start):
                hop = joined(words, entity, other)
                if hop is not None:
                    yield _by_count(entity, hop, 1, descending), end
        for descending, wordings in ((True, _HIGH), (False, _LOW)):
            for start in wordings.at(words, behind):
                for known, end in _measures(words, start, entity.label):
                    yield _by_property(entity, known.name, 1, descending), end


def _superlative(words: Words, position: int) -> Iterator[tuple[bool, int]]:
    for descending, wordings in ((True, _MOST), (False, _FEWEST)):
        yield from ((descending, end) for end in wordings.at(words, position))


def _by_count(entity: Entity, hop: Hop, count: int, descending: bool) -> Plan:
    used = entity.role is not None and entity.role.type == hop.type
    kept = replace(entity, role=None) if used and descending else settled(entity)
    return Plan(kept, rank=Rank(count, descending, hop, shown=True))


def _by_property(
    entity: Entity, name: str, count: int, descending: bool, shown: bool = False
) -> Plan:
    return Plan(settled(entity), rank=Rank(count, descending, name, shown))


def _measures(words: Words, position: int, label: str) -> Iterator[tuple[Property, int]]:
    for known, end in words.properties(position, label):
        if known.type in NUMBERS or is_time(known):
            yield known, end


def _top(words: Words, position: int) -> Iterator[tuple[Plan, int]]:
    """`top 3 directors by number of movies`."""
    start = DETERMINERS.skip(words, position)
    count = words.number(start + 1)
    if words.word(start) not in ("top", "bottom") or not isinstance(count, int) or count < 1:
        return
    descending = words.word(start) == "top"
    for entity, end in entities(words, start + 2):
        for behind in _BY.at(words, end):
            for known, after in _measures(words, behind, entity.label):
                yield _by_property(entity, known.name, count, descending, True), after
            for counted in _NUMBER_OF.at(words, behind):
                for other, after in entities(words, counted):
                    hop = joined(words, entity, other)
                    if hop is not None:
                        yield _by_count(entity, hop, count, descending), after


def _adjective(words: Words, position: int) -> Iterator[tuple[Plan, int]]:
    """`the oldest person who acted in The Lake`, `the 3 newest movies`."""
    start = DETERMINERS.skip(words, position)
    count = words.number(start)
    given = isinstance(count, int) and count > 0
    for end in _PHRASES.at(words, start + given):
        number = count if given else words.number(end)
        behind = end if given or number is None else end + 1
        for entity, after in entities(words, behind):
            measure = _measure_of(words, start + given, end, entity.label)
            if measure is not None and (number is None or (isinstance(number, int) and number > 0)):
                yield _by_property(entity, measure[0], int(number or 1), measure[1]), after


def _adjective_behind(words: Words, position: int) -> Iterator[tuple[Plan, int]]:
    """`which movie is the newest`, `who is the oldest`."""
    found = list(entities(words, position))
    for entity, end in found:
        start = end
        if words.word(end) not in ("is", "was", "are"):
            continue
        start = DETERMINERS.skip(words, end + 1)
        for after in _PHRASES.at(words, start):
            measure = _measure_of(words, start, after, entity.label)
            if measure is not None:
                yield _by_property(entity, measure[0], 1, measure[1]), after


def _measure_of(words: Words, start: int, end: int, label: str) -> tuple[str, bool] | None:
    """(property, descending) that an adjective speaks of; None unless exactly one fits."""
    adjective = " ".join(words.word(n) for n in range(start, end))
    owner = words.catalog.label(label)
    for meant, descending in _ADJECTIVES[adjective]:
        found = [
            known.name
            for known in (owner.properties if owner else ())
            if meant & set(identifier_words(known.name))
            and (known.type in NUMBERS or is_time(known))
        ]
        if len(found) == 1:
            return found[0], descending
        if found:
            return None
    return None

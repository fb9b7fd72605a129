"""Things and their relations: `movies directed by Dee Orr`, `people without a spouse`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from groundwire.draft.offline_graph.filters import comparisons, filters, value_filter
from groundwire.draft.offline_graph.hops import (
    Conditions,
    helpers,
    is_tail,
    joined,
    role_hop,
    verb_hop,
    verbs_at,
    voiced,
    voices,
)
from groundwire.draft.offline_graph.lexicon import Verb
from groundwire.draft.offline_graph.plan import Entity, Filter, Hop
from groundwire.draft.offline_graph.verbs import PREPOSITIONS
from groundwire.draft.offline_graph.vocabulary import phrases, words_of
from groundwire.draft.offline_graph.words import DETERMINERS, Words, remembered

__all__ = ["conditions", "each", "entities", "objects"]


_RELATIVE = phrases("relative")
_ANYBODY = phrases("anybody")
_JOINING = phrases("joining")
_LACKING = phrases("relation lacking")
_AFTER_BARE_VERB = frozenset(("", "per", "are", "is", "exist"))
_EACH = words_of("each one")


@remembered
def entities(words: Words, position: int) -> Iterator[tuple[Entity, int]]:
    """A noun with all that is said of it: `the drama movies released after 2000`."""
    start = DETERMINERS.skip(words, position)
    yield from _owned(words, start)
    for stored in words.stored(start):
        if not stored.naming:
            yield from _headed(words, stored.end, stored.label, (value_filter(stored),))
    yield from _headed(words, start, "", ())


def _headed(
    words: Words, position: int, label: str, before: Conditions
) -> Iterator[tuple[Entity, int]]:
    for named, role, end in words.nouns(position):
        if label not in ("", named):
            continue
        if role is not None:
            yield from _with_role(words, end, Entity(named, before, role))
        for found, after in conditions(words, end, named):
            yield Entity(named, before + found, role), after


def _with_role(words: Words, position: int, entity: Entity) -> Iterator[tuple[Entity, int]]:
    """`director of The Lake`, `actors in movies from 2005`: the noun's own relationship."""
    role = entity.role
    if role is None or words.word(position) not in {"of", "in", "for", "on", "at", "to"}:
        return
    for others, end in objects(words, position + 1):
        hops = [role_hop(words, entity.label, role, other) for other in others]
        if all(hops):
            first = tuple(hop for hop in hops if hop)
            for found, after in conditions(words, end, entity.label):
                yield Entity(entity.label, entity.conditions + first + found), after


def _owned(words: Words, position: int) -> Iterator[tuple[Entity, int]]:
    """`Ann Lee's movies`, `Ann Lee's spouse`."""
    for stored in words.stored(position):
        if not stored.naming or words.word(stored.end) != "'s":
            continue
        owner = Entity(stored.label, (value_filter(stored),))
        for label, role, end in words.nouns(stored.end + 1):
            hop = joined(words, Entity(label, role=role), owner)
            if hop is not None:
                for found, after in conditions(words, end, label):
                    yield Entity(label, (hop, *found)), after


@remembered
def objects(words: Words, position: int) -> Iterator[tuple[tuple[Entity, ...], int]]:
    """What a relation leads to: a noun phrase, a stored name, several names, or anybody."""
    for entity, end in entities(words, position):
        yield (entity,), end
    for end in _ANYBODY.at(words, position):
        yield from _anybody(words, end)
    start = position + (words.word(position) in ("both", "either"))
    for first, end in _names(words, start):
        if start == position:
            yield (first,), end
        if words.word(end) == "and" and words.word(position) == "both":
            for second, after in _names(words, end + 1):
                yield (first, second), after
        if words.word(end) == "or" and words.word(position) != "both":
            for second, after in _names(words, end + 1):
                either = _either(first, second)
                if either is not None:
                    yield (either,), after


def _anybody(words: Words, position: int) -> Iterator[tuple[tuple[Entity, ...], int]]:
    """`someone`, `someone living in Ostra`: what follows is said of whoever it is."""
    said = [
        (Entity(label.name, found), end)
        for label in words.catalog.labels
        for found, end in conditions(words, position, label.name)
        if found
    ]
    for entity, end in said or [(Entity(""), position)]:
        yield (entity,), end


def _names(words: Words, position: int) -> Iterator[tuple[Entity, int]]:
    """`The Lake`, `the movie The Lake`, `the company "Acme"`."""
    for stored in words.stored(position):
        yield from _known(words, stored.label, position)
    start = DETERMINERS.skip(words, position)
    if start > position and not words.values.get(position):
        for stored in words.stored(start):
            yield from _known(words, stored.label, start)
    for label, role, end in words.nouns(start):
        if role is None:
            yield from _known(words, label, end)


def _known(words: Words, label: str, position: int) -> Iterator[tuple[Entity, int]]:
    """The node that a value names; a value of another property only where none is a name."""
    known = list(words.stored(position, label))
    for stored in known:
        if stored.naming:
            said = ""
        elif any(other.naming for other in known):
            continue
        else:
            said = f"“{stored.values[0]}” is taken as the {stored.property} of {label}."
        first = value_filter(stored, said)
        yield Entity(label, (first,)), stored.end
        for further, end in conditions(words, stored.end, label):
            if further:
                yield Entity(label, (first, *further)), end


def _either(first: Entity, second: Entity) -> Entity | None:
    one, two = first.conditions[0], second.conditions[0]
    if not isinstance(one, Filter) or not isinstance(two, Filter):
        return None
    if (first.label, one.property) != (second.label, two.property):
        return None
    return Entity(first.label, (replace(one, operator="in", values=one.values + two.values),))


@remembered
def conditions(words: Words, position: int, label: str) -> Iterator[tuple[Conditions, int]]:
    """All that is said of a label from a position on; what can be read there is read."""
    found = list(_condition(words, position, label))
    if not found:
        yield (), position
    for first, end in found:
        for rest, after in _further(words, end, label):
            yield first + rest, after


@remembered
def _further(words: Words, position: int, label: str) -> Iterator[tuple[Conditions, int]]:
    start = position
    while words.word(start) in {"and", ","}:
        start += 1
    if start == position:
        yield from conditions(words, position, label)
        return
    yield (), position
    for first, end in _condition(words, start, label):
        for rest, after in _further(words, end, label):
            yield first + rest, after


@remembered
def _condition(words: Words, position: int, label: str) -> Iterator[tuple[Conditions, int]]:
    for start in (position, *_RELATIVE.at(words, position)):
        yield from _simple(words, start, label)


def _simple(words: Words, position: int, label: str) -> Iterator[tuple[Conditions, int]]:
    yield from tails(words, position, label)
    yield from _inverted(words, position, label)
    behind, negated, _ = helpers(words, position)
    for start in (position,) if negated or behind == position else (position, behind):
        yield from filters(words, start, label)
        yield from _joins(words, start, label)


def tails(words: Words, position: int, label: str) -> Iterator[tuple[Conditions, int]]:
    """`acted in The Lake`, `were directed by Dee Orr`, `have not acted`."""
    start, negated, be = helpers(words, position)
    for verb in verbs_at(words, start):
        for is_subject, end in voices(words, start + 1, verb, be):
            yield from _to_objects(words, end, label, verb, is_subject, negated)
            if end == start + 1 and words.word(end) in _AFTER_BARE_VERB:
                hops = verb_hop(words, label, verb, is_subject, (Entity(""),), negated)
                if hops:
                    yield hops, end


def each(words: Words, position: int, label: str) -> Iterator[tuple[Hop, int]]:
    """`live in each town`, `has each person directed`: the hop to what a group stands for."""
    for (verb, is_subject), behind in voiced(words, position):
        if words.word(behind) in _EACH:
            for other, end in entities(words, behind + 1):
                yield from _as_hop(verb_hop(words, label, verb, is_subject, (other,), False), end)
    start, negated, be = helpers(words, position)
    if negated or be or words.word(start) not in _EACH:
        return
    for named, role, end in words.nouns(start + 1):
        other = Entity(named, role=role)
        at, late, _ = helpers(words, end)
        if late:
            continue
        for verb in verbs_at(words, at):
            if not verb.own or is_tail(words, at + 1, verb.own):
                hops = verb_hop(words, label, verb, False, (other,), False)
                yield from _as_hop(hops, at + 1 + len(verb.own))
        if words.word(end) in ("have", "has", "had"):
            hop = joined(words, Entity(label), other)
            if hop is not None:
                yield hop, end + 1


def _as_hop(found: Conditions, end: int) -> Iterator[tuple[Hop, int]]:
    yield from ((hop, end) for hop in found if isinstance(hop, Hop))


def _to_objects(
    words: Words, position: int, label: str, verb: Verb, is_subject: bool, negated: bool
) -> Iterator[tuple[Conditions, int]]:
    if verb.own and words.word(position - 1) not in PREPOSITIONS:
        return
    for others, end in objects(words, position):
        hops = verb_hop(words, label, verb, is_subject, others, negated)
        if hops:
            yield hops, end
    for operator, value, after in comparisons(words, position):
        if negated or not isinstance(value, int):
            continue
        for entity, end in entities(words, after):
            hops = verb_hop(words, label, verb, is_subject, (entity,), False)
            if hops and isinstance(hops[0], Hop):
                yield (replace(hops[0], times=(operator, value)),), end


def _inverted(words: Words, position: int, label: str) -> Iterator[tuple[Conditions, int]]:
    """`(that) Ann Lee acted in`, `did Ann Lee act in`, `is The Lake directed by`."""
    relative = words.word(position - 1) in ("which", "whom")
    fronted = words.word(0) in {"where", *PREPOSITIONS} or (
        relative and words.word(position - 2) in PREPOSITIONS
    )
    first, early, be = helpers(words, position)
    for others, end in objects(words, first):
        at, late, again = helpers(words, end)
        if early and late:
            continue
        for verb in verbs_at(words, at):
            own = verb.own
            after = at + 1
            is_be = be or again
            if words.word(after) == "by" and is_be:
                hops = verb_hop(words, label, verb, True, others, early or late)
                after += 1
            elif is_be and not own and not words.word(at).endswith("ing"):
                continue
            elif own and is_tail(words, after, own):
                hops = verb_hop(words, label, verb, False, others, early or late)
                after += len(own)
            elif not own or fronted:
                hops = verb_hop(words, label, verb, False, others, early or late)
            else:
                continue
            if hops:
                yield hops, after


def _joins(words: Words, position: int, label: str) -> Iterator[tuple[Conditions, int]]:
    """`with more than two actors`, `without a spouse`, `in Ostra`: no verb names the type."""
    for start in _LACKING.at(words, position):
        for entity, end in entities(words, start):
            hop = joined(words, Entity(label), entity)
            if hop is not None:
                yield (replace(hop, negated=True),), end
    for start in _JOINING.at(words, position):
        for others, end in objects(words, start):
            hops = [joined(words, Entity(label), other) for other in others]
            if all(hops):
                yield tuple(hop for hop in hops if hop), end
        for operator, value, after in comparisons(words, start):
            for entity, end in entities(words, after):
                hop = joined(words, Entity(label), entity)
                if hop is not None and isinstance(value, int):
                    yield (replace(hop, times=(operator, value)),), end

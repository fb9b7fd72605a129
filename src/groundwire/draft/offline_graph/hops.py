"""Relationships that words name: a verb in its voices, an agent noun, the only type there is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from groundwire.draft.offline_graph.lexicon import Verb
from groundwire.draft.offline_graph.plan import Condition, Direction, Entity, Filter, Hop, Role
from groundwire.draft.offline_graph.verbs import PREPOSITIONS
from groundwire.draft.offline_graph.vocabulary import words_of
from groundwire.draft.offline_graph.words import Words

__all__ = [
    "Conditions",
    "declared",
    "helpers",
    "is_tail",
    "joined",
    "role_hop",
    "settled",
    "verb_hop",
    "verbs_at",
    "voiced",
    "voices",
]

Conditions = tuple[Condition, ...]

_BE = words_of("be")
_AUXILIARY = _BE | words_of("helping")
_NOT = words_of("not")
_PLACES = words_of("places")
_TURNED: dict[Direction, Direction] = {"out": "in", "in": "out", "both": "both"}


def verb_hop(
    words: Words,
    label: str,
    verb: Verb,
    is_subject: bool,
    others: tuple[Entity, ...],
    negated: bool,
) -> Conditions:
    """The hops of a verb from a label to others; () where the graph stores no such thing."""
    if negated and len(others) > 1:
        return ()
    wanted: Direction = "out" if is_subject != verb.passive else "in"
    hops: list[Condition] = []
    for other in others:
        if not declared(words, label, verb.type, wanted, other.label):
            return ()
        direction = words.lexicon.direction(verb.type, wanted)
        hops.append(Hop(verb.type, direction, settled(other), negated))
    return tuple(hops)


def joined(words: Words, entity: Entity, other: Entity) -> Hop | None:
    """The hop between two things that no verb joins.

    An agent noun on either side says the type; else it is the only type between two labels,
    which is guess enough: the other thing must not be guessed too.
    """
    if other.role is not None:
        turned = _TURNED[other.role.direction]
        if declared(words, entity.label, other.role.type, turned, other.label):
            return Hop(other.role.type, turned, replace(other, role=None))
    if entity.role is not None:
        return role_hop(words, entity.label, entity.role, other)
    if entity.label == other.label or "" in (entity.label, other.label) or other.role:
        return None
    types = words.lexicon.joins(entity.label, other.label)
    if len(types) != 1:
        return None
    if any(isinstance(c, Filter) and c.assumed for c in other.conditions):
        return None
    kind, direction = types[0]
    said = f"{entity.label} and {other.label} are taken to be joined by {kind}, the only type."
    return Hop(kind, direction, settled(other), assumed=said)


def settled(entity: Entity) -> Entity:
    """What an agent noun says as a condition: a director directed something."""
    if entity.role is None:
        return entity
    hop = Hop(entity.role.type, entity.role.direction, Entity(""))
    return Entity(entity.label, (*entity.conditions, hop))


def role_hop(words: Words, label: str, role: Role, other: Entity) -> Hop | None:
    """The hop between a label and the thing behind an agent noun (`director of …`)."""
    if not declared(words, label, role.type, role.direction, other.label):
        return None
    return Hop(role.type, role.direction, settled(other))


def declared(words: Words, label: str, kind: str, direction: Direction, other: str) -> bool:
    """The graph holds such a hop between the labels."""
    near, far = ((name,) if name else () for name in (label, other))
    stored = words.catalog.declared
    out = direction in ("out", "both") and stored(near, kind, far)
    return out or (direction in ("in", "both") and stored(far, kind, near))


def voiced(words: Words, position: int) -> Iterator[tuple[tuple[Verb, bool], int]]:
    """A verb without its object: ((verb, whether the label is its subject), end)."""
    start, negated, be = helpers(words, position)
    for verb in () if negated else verbs_at(words, start):
        for is_subject, end in voices(words, start + 1, verb, be):
            if not (verb.own and end == start + 1):
                yield (verb, is_subject), end


def helpers(words: Words, position: int) -> tuple[int, bool, bool]:
    """(end, negated, a form of be) of the helping verbs at a position."""
    negated = be = False
    while words.word(position) in _AUXILIARY | _NOT:
        negated |= words.word(position) in _NOT
        be |= words.word(position) in _BE
        position += 1
    return position, negated, be


def verbs_at(words: Words, position: int) -> Iterator[Verb]:
    """The verbs that the word at a position may be."""
    said = words.root(position)
    yield from (verb for verb in words.lexicon.verbs if said and verb.root == said)


def voices(words: Words, position: int, verb: Verb, be: bool) -> Iterator[tuple[bool, int]]:
    """(the label is the subject, end) for what follows a verb: its own preposition, `by`."""
    following = words.word(position)
    progressive = words.word(position - 1).endswith("ing")
    if following == "by":
        yield False, position + 1
        return
    own = verb.own
    if not own:
        if not be or progressive:
            yield True, position
        else:
            yield False, position
    elif is_tail(words, position, own):
        yield True, position + len(own)
        if words.word(position + len(own)) == "by":
            yield False, position + len(own) + 1
    elif following not in PREPOSITIONS:
        yield True, position


def is_tail(words: Words, position: int, own: tuple[str, ...]) -> bool:
    """The words at a position are the rest of a verb."""
    said = tuple(words.word(position + n) for n in range(len(own)))
    places = len(own) == 1 and own[0] in _PLACES and said[0] in _PLACES
    return said == own or places or (own == ("to",) and said == ("with",))

"""Whole questions: what is asked of the things that `nouns` reads. Each reading uses every word."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from groundwire.database.graph_catalog import Property
from groundwire.draft.offline.names import identifier_words
from groundwire.draft.offline.vocabulary import Phrases, vocabulary
from groundwire.draft.offline_graph.filters import NUMBERS, is_year
from groundwire.draft.offline_graph.hops import joined, settled
from groundwire.draft.offline_graph.lexicon import naming_properties
from groundwire.draft.offline_graph.nouns import conditions, each, entities, objects
from groundwire.draft.offline_graph.plan import Entity, Function, Group, Hop, Plan
from groundwire.draft.offline_graph.ranking import ranked
from groundwire.draft.offline_graph.vocabulary import phrases, words_of
from groundwire.draft.offline_graph.words import DETERMINERS, Words

__all__ = ["plans"]

_POLITE = phrases("polite")
_COUNT = phrases("count")
_LIST = phrases("list")
_WHO = phrases("who")
_EACH = phrases("group")
_TEXTS = ("STRING",)
_ALL_LISTED = "All groups are listed, also empty ones."
_ALL_GROUPS = words_of("all groups")
_TRAILING = phrases("trailing")
_PROPERTY_OF = phrases("property of")
_BEHIND = words_of("behind")
_ASKS_WHAT = phrases("asks what")
_HOW = phrases("how")
_FUNCTIONS: tuple[Function, ...] = ("avg", "max", "min", "sum")
_OF = phrases("of a measure")


def plans(words: Words) -> Iterator[Plan]:
    """Every reading of the whole question."""
    start = _POLITE.skip(words, 0)
    for reading in (_counted, _persons, _places, _listed, _asked, _grouped, _aggregated):
        yield from _whole(words, reading(words, start))
    yield from _whole(words, ranked(words, start))


def _whole(words: Words, found: Iterator[tuple[Plan, int]]) -> Iterator[Plan]:
    for plan, end in found:
        if _TRAILING.skip(words, end) == len(words):
            yield plan


def _starts(opening: Phrases, words: Words, position: int) -> Iterator[int]:
    """Behind the phrase, or where no phrase is needed."""
    yield from dict.fromkeys((*opening.at(words, position), position))


def _counted(words: Words, position: int) -> Iterator[tuple[Plan, int]]:
    """`how many movies did Ann Lee act in`, `number of movies per genre`."""
    for start in _COUNT.at(words, position):
        for entity, end in entities(words, start):
            yield Plan(settled(entity), "count"), end
            for group, after in _groups(words, _TRAILING.skip(words, end), entity):
                yield Plan(_counted_in(group, entity), "count", group=group), after
            for hop, after in each(words, end, entity.label):
                group = Group(hop, zeros=hop.other.role is None, assumed=_ALL_LISTED)
                yield Plan(_counted_in(group, entity), "count", group=group), after
        yield from _counted_property(words, start)


def _counted_property(words: Words, position: int) -> Iterator[tuple[Plan, int]]:
    """`how many genres are there`, `how many hobbies does Ann have`, and a stored number."""
    start = _HOW.skip(words, position)
    for known, entity, end in _of_property(words, position):
        if known.is_list or known.type in _TEXTS:
            yield Plan(entity, "count", (known.name,), spread=known.is_list), end
        elif known.type in NUMBERS and words.word(end - 1) in ("have", "has", "had"):
            yield Plan(entity, outputs=(known.name,)), end
    for label in words.catalog.labels:
        for known, end in words.properties(start, label.name):
            if known.is_list or (
                known.type in _TEXTS and known.name not in naming_properties(label)
            ):
                there = _TRAILING.end(words, end)
                if there > end or end == len(words):
                    plan = Plan(Entity(label.name), "count", (known.name,), spread=known.is_list)
                    yield plan, there


def _counted_in(group: Group, entity: Entity) -> Entity:
    """The agent noun's own relation is the one that groups."""
    used = isinstance(group.by, Hop) and entity.role and group.by.type == entity.role.type
    return replace(entity, role=None) if used else settled(entity)


def _by_year(words: Words, position: int, entity: Entity) -> Iterator[tuple[Group, int]]:
    """`per year`, `were released each year`: the only property that is such a year."""
    owner = words.catalog.label(entity.label)
    years = [p for p in owner.properties if is_year(p)] if owner else []
    said = vocabulary("be").end(words, position)
    named = [(p, end) for p, end in words.properties(said, entity.label) if is_year(p)]
    events = [(p, position) for p in years if set(identifier_words(p.name)) & words_of("events")]
    for known, behind in named or (events if len(events) == 1 else []):
        for start in _EACH.at(words, behind):
            if words.word(start) == "year":
                note = f"The year is the {known.name}; {entity.label} without it is in no group."
                yield Group(known.name, assumed=note), start + 1


def _groups(words: Words, position: int, entity: Entity) -> Iterator[tuple[Group, int]]:
    yield from _by_year(words, position, entity)
    for start in _EACH.at(words, position):
        start = DETERMINERS.skip(words, start)
        zeros = bool(_ALL_GROUPS & {words.word(n) for n in range(position, start)})
        found = list(_each_entity(words, start, entity, zeros))
        yield from found
        for known, end in words.properties(start, entity.label):
            if known.type != "FLOAT" and not found:
                said = f"{entity.label} without {known.name} is in no group."
                yield Group(known.name, known.is_list, assumed=said), end


def _each_entity(
    words: Words, position: int, entity: Entity, zeros: bool
) -> Iterator[tuple[Group, int]]:
    """`per town`, `for each director`."""
    said = _ALL_LISTED if zeros else "Groups without any are not listed."
    for other, end in entities(words, position):
        hop = joined(words, entity, other)
        if hop is not None:
            yield Group(hop, zeros=zeros and other.role is None, assumed=said), end


def _persons(words: Words, position: int) -> Iterator[tuple[Plan, int]]:
    """`who directed The Lake`, `who is Ann Lee married to`."""
    for start in _WHO.at(words, position):
        for label in words.lexicon.persons():
            for found, end in conditions(words, start, label):
                if found:
                    yield Plan(Entity(label, found)), end
        if words.word(start) in ("is", "are", "was", "were"):
            for entity, end in entities(words, start + 1):
                if entity.conditions:
                    yield Plan(settled(entity)), end


def _places(words: Words, position: int) -> Iterator[tuple[Plan, int]]:
    """`where does Ann Lee work`: the label at the other end of the only fitting type."""
    if words.word(position) != "where":
        return
    for label in words.catalog.labels:
        if label.name in words.lexicon.persons():
            continue
        for found, end in conditions(words, position, label.name):
            if found and isinstance(found[0], Hop) and found[0].direction == "in":
                yield Plan(Entity(label.name, found)), end


def _listed(words: Words, position: int) -> Iterator[tuple[Plan, int]]:
    """`list all people`, `which movies did Ann Lee act in`, `movies released in 2005`."""
    for start in _starts(_LIST, words, position):
        for entity, end in entities(words, start):
            asked = start > position or words.word(position) in ("all", "the")
            if asked or entity.conditions or entity.role:
                yield Plan(settled(entity)), end


def _asked(words: Words, position: int) -> Iterator[tuple[Plan, int]]:
    """`titles of movies`, `what genres does The Lake have`, `when was The Lake released`."""
    for start in _starts(_ASKS_WHAT, words, position):
        for known, entity, end in _of_property(words, start):
            yield Plan(entity, outputs=(known.name,), spread=known.is_list), end
        for others, end in objects(words, start):
            if words.word(end) == "'s" and len(others) == 1:
                for known, after in words.properties(end + 1, others[0].label):
                    yield Plan(others[0], outputs=(known.name,), spread=known.is_list), after
        yield from _pairs(words, start)
    for behind in phrases("asks for a year").at(words, position):
        for others, end in objects(words, behind):
            for known, after in words.properties(end, others[0].label):
                if len(others) == 1 and is_year(known):
                    yield Plan(others[0], outputs=(known.name,)), after
    if words.word(position) == "when" and words.word(position + 1) in ("was", "were", "is", "did"):
        for others, end in objects(words, position + 2):
            for known, after in words.properties(end, others[0].label):
                if len(others) == 1 and known.type not in ("STRING", "BOOLEAN"):
                    yield Plan(others[0], outputs=(known.name,)), after


def _of_property(words: Words, position: int) -> Iterator[tuple[Property, Entity, int]]:
    """`genres of The Lake`, `genres does The Lake have`, `hobbies of people in Ostra`."""
    start = _HOW.skip(words, position)
    for label in words.catalog.labels:
        for known, end in words.properties(start, label.name):
            for behind in _PROPERTY_OF.at(words, end):
                for others, after in objects(words, behind):
                    if len(others) == 1 and others[0].label == label.name:
                        yield known, settled(others[0]), after + (words.word(after) in _BEHIND)


def _pairs(words: Words, position: int) -> Iterator[tuple[Plan, int]]:
    """`names and heights of people`."""
    start = DETERMINERS.skip(words, position)
    for label in words.catalog.labels:
        for first, end in words.properties(start, label.name):
            if words.word(end) != "and":
                continue
            for second, after in words.properties(DETERMINERS.skip(words, end + 1), label.name):
                for behind in _PROPERTY_OF.at(words, after):
                    for others, stop in objects(words, behind):
                        if len(others) == 1 and others[0].label == label.name:
                            shown = (first.name, second.name)
                            yield Plan(settled(others[0]), outputs=shown), stop


def _grouped(words: Words, position: int) -> Iterator[tuple[Plan, int]]:
    """`for each town, how many people …` is left to a model; `people per town` counts."""
    for start in _starts(_LIST, words, position):
        for entity, end in entities(words, start):
            for group, after in _groups(words, end, entity):
                if words.word(end) == "per":
                    yield Plan(_counted_in(group, entity), "count", group=group), after


def _aggregated(words: Words, position: int) -> Iterator[tuple[Plan, int]]:
    """`average height of people in Ostra`, `earliest birth date`."""
    for asked in _starts(_ASKS_WHAT, words, position):
        start = DETERMINERS.skip(words, asked)
        for function in _FUNCTIONS:
            for behind in phrases(function).at(words, start):
                yield from _aggregate(words, DETERMINERS.skip(words, behind), function)


def _aggregate(words: Words, position: int, function: Function) -> Iterator[tuple[Plan, int]]:
    for label in words.catalog.labels:
        for known, end in words.properties(position, label.name):
            if known.is_list or not (known.type in NUMBERS or function in ("min", "max")):
                continue
            if known.type in ("STRING", "BOOLEAN") or known.name in naming_properties(label):
                continue
            for behind in _OF.at(words, end):
                for entity, after in entities(words, behind):
                    if entity.label != label.name:
                        continue
                    plan = Plan(settled(entity), "aggregate", (known.name,), function)
                    yield plan, after
                    for group, stop in _groups(words, after, entity):
                        inside = _counted_in(group, entity)
                        yield replace(plan, entity=inside, group=group), stop
            for group, stop in _groups(words, end, Entity(label.name)):
                if isinstance(group.by, str):
                    yield (
                        Plan(Entity(label.name), "aggregate", (known.name,), function, group),
                        stop,
                    )

"""Which words name which labels, properties and relationship types of a graph."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from groundwire.database.graph_catalog import GraphCatalog, Label, Property
from groundwire.draft.inflect import singular
from groundwire.draft.offline.names import column_phrases, identifier_words
from groundwire.draft.offline_graph.plan import Direction, Role
from groundwire.draft.offline_graph.verbs import PREPOSITIONS, agents, root
from groundwire.draft.offline_graph.vocabulary import words_of

__all__ = ["GraphLexicon", "Verb", "naming_properties"]

_SYNONYMS = {"film": "movie", "firm": "company", "human": "person", "city": "town"}
_NAMES = ("full name", "fullname", "name", "title", "company name")
_CODES = ("label", "code", "id")
_PAIRS = (
    ("first name", "last name"),
    ("firstname", "lastname"),
    ("given name", "family name"),
    ("name", "surname"),
)
_PERSONS = words_of("persons")
_SYMMETRIC = words_of("symmetric")
_PARTNERS = {"marry": ("spouse",)}
_LEAST = 0.7
"""How well a phrase must name a property; less is one word out of several."""
_WHOLE = 1.0
"""The share of edges stored both ways at which either direction gives the same answer."""


@dataclass(frozen=True, slots=True)
class Verb:
    """A type read as a verb: `WORKS_AT` is `work` with `at`; `passive` is one like `LED_BY`."""

    type: str
    root: str
    tail: tuple[str, ...]
    passive: bool
    symmetric: bool

    @property
    def own(self) -> tuple[str, ...]:
        """The prepositions that the verb keeps in the active voice."""
        return tuple(word for word in self.tail if word != "by")


class GraphLexicon:
    """Phrases (in stems) → labels and properties; verbs and the nouns made of them."""

    def __init__(self, catalog: GraphCatalog) -> None:
        self.catalog = catalog
        self.labels: dict[str, list[str]] = {}
        self.roles: dict[str, list[tuple[str, Role]]] = {}
        self.verbs: list[Verb] = []
        self._properties: dict[str, dict[str, list[Property]]] = {}
        for label in catalog.labels:
            self._read_label(label)
        for kind in catalog.types:
            self._read_type(kind.name)

    def _read_label(self, label: Label) -> None:
        words = identifier_words(label.name)
        stems = [singular(word) for word in words]
        self.labels.setdefault(" ".join(stems), []).append(label.name)
        for everyday, word in _SYNONYMS.items():
            if stems == [word]:
                self.labels.setdefault(everyday, []).append(label.name)
        named: dict[str, list[tuple[float, Property]]] = {}
        for found in label.properties:
            if found.vector is None:
                for phrase, quality in _phrases(found.name, words):
                    if quality < _LEAST:
                        continue
                    named.setdefault(phrase, []).append((quality, found))
        self._properties[label.name] = {
            phrase: list(
                {p.name: p for q, p in options if q == max(options, key=_first)[0]}.values()
            )
            for phrase, options in named.items()
        }

    def _read_type(self, name: str) -> None:
        words = identifier_words(name)
        if not words or words[0] in PREPOSITIONS or not set(words[1:]) <= PREPOSITIONS:
            return
        verb_root = root(words[0])
        passive = words[-1] == "by"
        verb = Verb(name, verb_root, words[1:], passive, verb_root in _SYMMETRIC)
        self.verbs.append(verb)
        for noun in agents(verb_root):
            self._add_role(noun, verb, "in" if passive else "out")
        for noun in _PARTNERS.get(verb_root, ()):
            self._add_role(noun, verb, self.direction(name, "out"))

    def _add_role(self, noun: str, verb: Verb, direction: Direction) -> None:
        pairs = self.catalog.covering(verb.type) or self.catalog.endpoints(verb.type)
        ends = (pair.target if direction == "in" else pair.source for pair in pairs)
        for label in dict.fromkeys(ends):
            if label:
                self.roles.setdefault(noun, []).append((label, Role(verb.type, direction)))

    def direction(self, type_name: str, wanted: Direction) -> Direction:
        """The direction to write: both for a relation between equals that is stored only once."""
        verb = next((v for v in self.verbs if v.type == type_name), None)
        if (verb is None or verb.symmetric) and wanted != "both":
            words = identifier_words(type_name)
            symmetric = verb is not None or any(root(word) in _SYMMETRIC for word in words)
            if symmetric and not self.stored_both_ways(type_name):
                return "both"
        return wanted

    def stored_both_ways(self, type_name: str) -> bool:
        """Every relationship of the type has its reverse."""
        known = self.catalog.reciprocity_of(type_name)
        return known is not None and known.exact and known.measured > 0 and known.fraction >= _WHOLE

    def properties(self, label: str, phrase: str) -> list[Property]:
        """The properties of a label that a phrase names best."""
        return self._properties.get(label, {}).get(phrase, [])

    def persons(self) -> list[str]:
        """The labels that "who" may ask for; all of them where none is named like a person."""
        found = [
            label.name
            for label in self.catalog.labels
            if {singular(w) for w in identifier_words(label.name)} & _PERSONS
        ]
        return found or [label.name for label in self.catalog.labels]

    def joins(self, label: str, other: str) -> list[tuple[str, Direction]]:
        """Every (type, direction seen from `label`) between two different labels."""
        found: list[tuple[str, Direction]] = []
        found.extend((t, "out") for t in self.catalog.types_between(label, other))
        found.extend((t, "in") for t in self.catalog.types_between(other, label))
        return found

    def words(self) -> Iterator[str]:
        """All single words that name something."""
        for phrase in (*self.labels, *self.roles):
            yield from phrase.split()
        for known in self._properties.values():
            for phrase in known:
                yield from phrase.split()


def _phrases(name: str, owner: tuple[str, ...]) -> Iterator[tuple[str, float]]:
    """A property's phrases; `released` is also the release year, `born` the date of birth."""
    said = identifier_words(name)
    if not said:
        return
    yield from column_phrases(said, owner)
    if len(said) == 1 and (said[0].endswith("ed") or said[0] == "born"):
        bare = root(said[0])
        nouns = {"birth"} if bare == "bear" else {bare, said[0].removesuffix("d"), bare + "ing"}
        for noun in nouns:
            for unit in ("year", "date"):
                yield f"{noun} {unit}", 0.9
                yield f"{unit} of {noun}", 0.9


def _first(option: tuple[float, Property]) -> float:
    return option[0]


def naming_properties(label: Label | None) -> tuple[str, ...]:
    """The properties that name a node for a person: its names, its title, else a code; () if none.

    A given name and a family name belong together.
    """
    if label is None:
        return ()
    spoken = {" ".join(identifier_words(p.name)): p.name for p in label.properties}
    for pair in _PAIRS:
        if set(pair) <= set(spoken):
            return tuple(spoken[word] for word in pair)
    own = " ".join(identifier_words(label.name))
    for wanted in (*_NAMES, f"{own} name", f"{own} title", *_CODES, f"{own} id", f"{own} code"):
        if wanted in spoken:
            return (spoken[wanted],)
    return ()

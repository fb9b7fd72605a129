"""What a graph declares and what was measured in it: labels, types, end points, reciprocity.

A graph has no schema to read, so everything here was counted or sampled, and each part says
which: `complete` and `exact` are true where every node or relationship was looked at. Names are
kept exactly as they are stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from groundwire.database.graph_excluded import Excluded

__all__ = [
    "Constraint",
    "Endpoint",
    "Entity",
    "GraphCatalog",
    "Index",
    "Label",
    "Property",
    "Reciprocity",
    "RelationshipType",
    "quote_name",
]

Entity = Literal["node", "relationship"]


def quote_name(name: str) -> str:
    """A label, type or property name as Cypher has to write it when it is no plain word."""
    return "`" + name.replace("`", "``") + "`"


@dataclass(frozen=True, slots=True)
class Property:
    """A property as the sampled nodes or relationships have it.

    `types` are Cypher's own type names, most frequent first (`STRING`, `LIST<FLOAT>`).
    `present` is the share of the sample that has it. `values` are the most frequent ones with
    how often each was met; long texts and lists are not among them. `vector` is the number of
    elements of a long list of numbers (an embedding), else None: such a value is never shown.
    """

    name: str
    types: tuple[str, ...]
    present: float = 1.0
    values: tuple[tuple[Any, int], ...] = ()
    vector: int | None = None

    @property
    def type(self) -> str:
        """One word for a prompt: the most frequent type, or `vector[1536]`."""
        return f"vector[{self.vector}]" if self.vector else self.types[0] if self.types else "ANY"

    @property
    def is_list(self) -> bool:
        """Most values are lists: `=` against one element never holds, `IN` may."""
        return bool(self.types) and self.types[0].startswith("LIST")


@dataclass(frozen=True, slots=True)
class Label:
    """A node label. `sampled` nodes were looked at for its properties, or the engine lists them.

    A property of an incomplete label may be missing here: only the database can say that it is
    on no node.
    """

    name: str
    count: int
    properties: tuple[Property, ...] = ()
    sampled: int = 0

    @property
    def complete(self) -> bool:
        """A property that is not listed is on no node of this label."""
        return self.sampled >= self.count


@dataclass(frozen=True, slots=True)
class Endpoint:
    """`count` relationships of `type` run from a node with label `source` to one with `target`.

    "" stands for a node without any label. A node with two labels makes two pairs, so the
    counts of a type can add up to more than its relationships. `exact` is false where the
    count was estimated from a sample.
    """

    source: str
    type: str
    target: str
    count: int
    exact: bool = True


@dataclass(frozen=True, slots=True)
class RelationshipType:
    """A relationship type. `endpoints` lists every pair of labels when they are `exact`."""

    name: str
    count: int
    properties: tuple[Property, ...] = ()
    endpoints: tuple[Endpoint, ...] = ()
    sampled: int = 0

    @property
    def complete(self) -> bool:
        """A property that is not listed is on no relationship of this type."""
        return self.sampled >= self.count

    @property
    def exact(self) -> bool:
        """A pair of labels that is not listed does not occur."""
        return all(endpoint.exact for endpoint in self.endpoints)


@dataclass(frozen=True, slots=True)
class Constraint:
    """A declared rule: `kind` is `unique`, `key` (unique and present), `exists` or `type`."""

    kind: str
    entity: Entity
    name: str
    properties: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Index:
    """A declared index of a `kind` such as `range`, `text`, `fulltext`, `vector`, `point`."""

    index_name: str
    kind: str
    entity: Entity
    names: tuple[str, ...]
    properties: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reciprocity:
    """How many relationships of a type between nodes of one label have their reverse stored too.

    Relationships from a node to itself are left out. `measured` of the `total` relationships
    between different nodes were looked at, `reversed` of those had a reverse; `total` counts
    the self-loops too where only a sample was taken. `low` and `high` bound the fraction with
    95 % confidence (Wilson's interval); both are the fraction itself when `exact`.
    """

    label: str
    type: str
    total: int
    measured: int
    reversed: int
    low: float
    high: float
    exact: bool
    statement: str
    seconds: float

    @property
    def fraction(self) -> float:
        """0 where there is no relationship between different nodes."""
        return self.reversed / self.measured if self.measured else 0.0

    def straddles(self, threshold: float) -> bool:
        """The sample cannot tell on which side of the threshold the fraction is."""
        return not self.exact and self.low < threshold <= self.high

    @property
    def sentence(self) -> str:
        """The fact in words."""
        what = f"(:{self.label})-[:{self.type}]->(:{self.label})"
        share = f"{self.reversed:,} of {self.measured:,} ({self.fraction:.1%})"
        if self.exact:
            return f"{share} relationships {what} are stored in the reverse direction too."
        return (
            f"{share} relationships {what}, a sample of {self.total:,}, are stored in the "
            f"reverse direction too (95 % interval {self.low:.1%} to {self.high:.1%})."
        )


@dataclass(frozen=True)
class GraphCatalog:
    """Everything that may be read in a graph.

    `property_keys` are all keys that the store knows, also those that no sampled node had.
    `version` is the text under which the catalog is cached; `seconds` is what reading it took.
    `excluded` is for the guard alone, None where nothing is excluded.
    """

    dialect: str
    labels: tuple[Label, ...]
    types: tuple[RelationshipType, ...]
    constraints: tuple[Constraint, ...] = ()
    indexes: tuple[Index, ...] = ()
    reciprocity: tuple[Reciprocity, ...] = ()
    property_keys: frozenset[str] = frozenset()
    version: str = ""
    seconds: float = 0.0
    excluded: Excluded | None = field(default=None, repr=False)

    @cached_property
    def _labels(self) -> dict[str, Label]:
        return {label.name: label for label in self.labels}

    @cached_property
    def _types(self) -> dict[str, RelationshipType]:
        return {kind.name: kind for kind in self.types}

    @cached_property
    def _pairs(self) -> dict[tuple[str, str], tuple[Endpoint, ...]]:
        pairs: dict[tuple[str, str], tuple[Endpoint, ...]] = {}
        for endpoint in self.endpoints():
            key = (endpoint.source, endpoint.target)
            pairs[key] = (*pairs.get(key, ()), endpoint)
        return pairs

    def label(self, name: str) -> Label | None:
        """The label of exactly this name."""
        return self._labels.get(name)

    def type(self, name: str) -> RelationshipType | None:
        """The relationship type of exactly this name."""
        return self._types.get(name)

    def endpoints(self, type_name: str | None = None) -> tuple[Endpoint, ...]:
        """The pairs of labels that a type joins, most frequent first; None = those of all types."""
        if type_name is None:
            return tuple(endpoint for kind in self.types for endpoint in kind.endpoints)
        kind = self.type(type_name)
        return kind.endpoints if kind else ()

    def covering(self, type_name: str) -> tuple[Endpoint, ...]:
        """The pairs that hold every relationship of a type each; () where none does.

        Where one does, the other pairs are labels that some of the same nodes have besides.
        """
        kind, pairs = self.type(type_name), self.endpoints(type_name)
        return tuple(e for e in pairs if kind is not None and e.exact and e.count == kind.count)

    def types_between(self, source: str, target: str) -> tuple[str, ...]:
        """The types stored from a label to another one, most frequent first."""
        found = sorted(self._pairs.get((source, target), ()), key=lambda e: -e.count)
        return tuple(endpoint.type for endpoint in found)

    def declared(
        self, source: str | Iterable[str], type_name: str, target: str | Iterable[str]
    ) -> bool:
        """Some relationship of the type runs from one of the sources to one of the targets.

        Each side is one label, or all that a node may have; no label at all = any node.
        """
        sources, targets = _names(source), _names(target)
        return any(
            (not sources or endpoint.source in sources)
            and (not targets or endpoint.target in targets)
            for endpoint in self.endpoints(type_name)
        )

    def sources(self, type_name: str) -> tuple[str, ...]:
        """The labels that a node has from which a relationship of the type starts."""
        return tuple(dict.fromkeys(endpoint.source for endpoint in self.endpoints(type_name)))

    def targets(self, type_name: str) -> tuple[str, ...]:
        """The labels that a node has at which a relationship of the type ends."""
        return tuple(dict.fromkeys(endpoint.target for endpoint in self.endpoints(type_name)))

    def node_property(self, label: str, name: str) -> Property | None:
        """A property on nodes of a label."""
        found = self.label(label)
        return _find(found.properties, name) if found else None

    def relationship_property(self, type_name: str, name: str) -> Property | None:
        """A property on relationships of a type."""
        found = self.type(type_name)
        return _find(found.properties, name) if found else None

    def labels_with(self, property_name: str) -> tuple[str, ...]:
        """The labels that have a property of this name."""
        return tuple(x.name for x in self.labels if _find(x.properties, property_name))

    def types_with(self, property_name: str) -> tuple[str, ...]:
        """The relationship types that have a property of this name."""
        return tuple(x.name for x in self.types if _find(x.properties, property_name))

    def is_unique(self, label: str, properties: Iterable[str]) -> bool:
        """A constraint declares that no two nodes of the label agree in these properties."""
        wanted = set(properties)
        return any(
            constraint.kind in ("unique", "key")
            and constraint.entity == "node"
            and constraint.name == label
            and wanted.issuperset(constraint.properties)
            for constraint in self.constraints
        )

    def reciprocity_of(self, type_name: str, label: str | None = None) -> Reciprocity | None:
        """What was measured of a type between nodes of one label; None = the label most met."""
        found = [x for x in self.reciprocity if x.type == type_name and label in (None, x.label)]
        return max(found, key=lambda x: x.total, default=None)

    def names(self) -> Iterator[str]:
        """Every label and relationship type."""
        yield from self._labels
        yield from self._types


def _find(properties: tuple[Property, ...], name: str) -> Property | None:
    return next((item for item in properties if item.name == name), None)


def _names(given: str | Iterable[str]) -> frozenset[str]:
    return frozenset((given,)) if isinstance(given, str) else frozenset(given)

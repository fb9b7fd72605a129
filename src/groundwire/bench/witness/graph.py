"""A small graph that is being made."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from groundwire.bench.witness.schema import Relation

__all__ = ["Edge", "Graph", "Node", "Rows"]


@dataclass(eq=False, slots=True)
class Node:
    """A node; its name is one of its properties."""

    id: str
    label: str
    properties: dict[str, Any]

    @property
    def name(self) -> str:
        """What it is called."""
        return str(self.properties.get("name", ""))


@dataclass(eq=False, slots=True)
class Edge:
    """A relationship."""

    relation: Relation
    start: Node
    end: Node
    properties: dict[str, Any]


@dataclass(frozen=True)
class Rows:
    """A finished graph in the form that the loader takes (`graph_files`)."""

    nodes: tuple[dict[str, Any], ...]
    relationships: tuple[dict[str, Any], ...]


@dataclass
class Graph:
    """Nodes by label and name, edges by type and end."""

    nodes: dict[str, list[Node]] = field(default_factory=lambda: defaultdict(list))
    edges: list[Edge] = field(default_factory=list)
    named: dict[tuple[str, str], Node] = field(default_factory=dict)
    outgoing: dict[tuple[Node, Relation], list[Edge]] = field(
        default_factory=lambda: defaultdict(list)
    )
    incoming: dict[tuple[Node, Relation], list[Edge]] = field(
        default_factory=lambda: defaultdict(list)
    )

    closed: set[tuple[Node, Relation, bool]] = field(default_factory=set)
    """Nodes that get no (further) relationship of a kind, going out (True) or coming in."""

    def add(self, label: str, properties: dict[str, Any]) -> Node:
        """A new node; the first of a name is the one that is found by it."""
        node = Node(f"{label} {len(self.nodes[label])}", label, properties)
        self.nodes[label].append(node)
        self.named.setdefault((label, node.name), node)
        return node

    def join(
        self, relation: Relation, start: Node, end: Node, properties: Mapping[str, Any]
    ) -> Edge:
        """A new relationship."""
        edge = Edge(relation, start, end, dict(properties))
        self.edges.append(edge)
        self.outgoing[start, relation].append(edge)
        self.incoming[end, relation].append(edge)
        return edge

    def open(self, relation: Relation, start: Node, end: Node) -> bool:
        """Whether both ends may get a relationship."""
        return not {(start, relation, True), (end, relation, False)} & self.closed

    def between(self, relation: Relation, start: Node, end: Node) -> list[Edge]:
        """The relationships of a kind from one node to another."""
        return [edge for edge in self.outgoing.get((start, relation), ()) if edge.end is end]

    def rows(self) -> Rows:
        """Everything, for the loader."""
        nodes = tuple(
            {"id": node.id, "labels": [node.label], "properties": _stored(node.properties)}
            for nodes in self.nodes.values()
            for node in nodes
        )
        return Rows(nodes, tuple(self._relationships()))

    def _relationships(self) -> Iterator[dict[str, Any]]:
        for edge in self.edges:
            yield {
                "type": edge.relation.type,
                "start": edge.start.id,
                "end": edge.end.id,
                "properties": _stored(edge.properties),
            }


def _stored(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Without what is missing; dates in the loader's form."""
    return {
        key: {"$date": value.isoformat()} if isinstance(value, date) else value
        for key, value in properties.items()
        if value is not None
    }

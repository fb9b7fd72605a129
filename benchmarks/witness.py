"""Small graphs on which gold Cypher finds rows, made from a schema and the queries themselves.

The graphs of CypherBench are too large to keep here. A witness holds, for every gold query, three
answers to it, each reached in two ways where the schema's cardinalities allow it, so that a lost
DISTINCT shows; with the literals of the queries, all declared properties, and symmetric types
stored both ways. The same seed makes the same graph.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import Any

from groundwire.query import cypher
from groundwire.query.cypher import ast

ANSWERS, WAYS = 3, 2
Node = tuple[str, str]
"""(label, name)"""
Hop = tuple[ast.NodePattern, ast.RelationshipPattern, ast.NodePattern]


def hops(query: cypher.Query) -> Iterator[Hop]:
    """Every relationship pattern with the nodes at its ends, left and right as written."""
    for path in query.find(ast.PathPattern):
        elements = path.elements
        for left, element, right in zip(elements, elements[1:], elements[2:], strict=False):
            if isinstance(element, ast.RelationshipPattern):
                assert isinstance(left, ast.NodePattern)
                assert isinstance(right, ast.NodePattern)
                yield left, element, right


def named(labels: ast.LabelExpression | None) -> str:
    """The one label or type of a plain pattern, else ""."""
    return labels.name if isinstance(labels, ast.LabelName) else ""


class Witness:
    """A graph that grows with each gold query.

    Args:
        schema: entities and relations with their properties, as CypherBench writes them.
        relations: cardinalities and symmetry, of its `graph_info.json`.
        missing: the share of properties that are left out.
    """

    def __init__(
        self, schema: dict[str, Any], relations: list[dict[str, Any]], missing: float = 0.0
    ) -> None:
        self.keys = {e["label"]: {"name": "str", **e["properties"]} for e in schema["entities"]}
        self.type_keys = {r["label"]: r["properties"] for r in schema["relations"]}
        self.relations = {r["label"]: r for r in relations}
        self.missing = missing
        self.chance = random.Random(schema["name"])
        self.nodes: dict[Node, dict[str, Any]] = {}
        self.edges: dict[tuple[str, Node, Node], dict[str, Any]] = {}
        self.met: dict[tuple[str, str, Node], Node] = {}
        for relation in schema["relations"]:
            ends = (self.fresh(relation[end]) for end in ("subj_label", "obj_label"))
            self.join(relation["label"], *ends)

    def add(self, query: cypher.Query) -> None:
        """Put answers to a query into the graph."""
        wanted = self.conditions(query)
        for _ in range(ANSWERS):
            answer: dict[str, Node] = {}
            for _ in range(WAYS):
                bound = dict(answer)
                for left, relationship, right in hops(query):
                    self.bind(left, bound, wanted)
                    backwards = relationship.direction == "left"
                    ends = (right, left) if backwards else (left, right)
                    self.follow(ends, named(relationship.types), bound, wanted)
                answer = dict(list(bound.items())[:1])
            if not any(True for _ in hops(query)):
                for pattern in query.find(ast.NodePattern):
                    self.bind(pattern, {}, wanted)

    def follow(
        self,
        ends: tuple[ast.NodePattern, ast.NodePattern],
        kind: str,
        bound: dict[str, Node],
        wanted: dict[str, dict[str, Any]],
    ) -> None:
        """One relationship; a node that may have one only is followed along the one it has."""
        start, end = ends
        relation = self.relations[kind]
        for near, far, side, rule in (
            (start, end, "out", "obj_cardinality"),
            (end, start, "in", "subj_cardinality"),
        ):
            known = self.met.get((side, kind, self.bound(near, bound)))
            free = far.variable is not None and far.variable.name not in bound
            if known and relation[rule] == "one" and free and fixed_name(far) is None:
                assert far.variable is not None
                bound[far.variable.name] = known
        self.join(kind, self.bind(start, bound, wanted), self.bind(end, bound, wanted))

    def bound(self, pattern: ast.NodePattern, bound: dict[str, Node]) -> Node:
        """The node that a pattern has already, by its variable or by its name."""
        variable = pattern.variable.name if pattern.variable else ""
        return bound.get(variable, (named(pattern.labels), fixed_name(pattern) or ""))

    def join(self, kind: str, start: Node, end: Node) -> None:
        """Store a relationship, a symmetric one both ways."""
        self.met.setdefault(("out", kind, start), end)
        self.met.setdefault(("in", kind, end), start)
        for a, b in ((start, end), (end, start)):
            if (kind, a, b) not in self.edges and a != b:
                self.edges[kind, a, b] = self.some(self.type_keys[kind], 0.3)
            if not self.relations[kind]["is_symmetric"]:
                break

    def bind(
        self, pattern: ast.NodePattern, bound: dict[str, Node], wanted: dict[str, dict[str, Any]]
    ) -> Node:
        """The node of a pattern: the one that its variable has, the one it names, or a new one."""
        variable = pattern.variable.name if pattern.variable else ""
        if variable in bound:
            return bound[variable]
        name = fixed_name(pattern)
        label = named(pattern.labels)
        node = self.fresh(label) if name is None else (label, name)
        if node not in self.nodes:
            self.nodes[node] = self.some(self.keys[label], self.missing)
        for key, value in wanted.get(variable, {}).items():
            self.nodes[node][key] = self.near(value, self.keys[label].get(key, ""))
        self.nodes[node]["name"] = node[1]
        if variable:
            bound[variable] = node
        return node

    def fresh(self, label: str) -> Node:
        """A new node."""
        node = (label, f"{label} {len(self.nodes)}")
        self.nodes[node] = {**self.some(self.keys[label], self.missing), "name": node[1]}
        return node

    def some(self, keys: dict[str, str], missing: float) -> dict[str, Any]:
        """Values for declared properties."""
        return {
            key: self.value(key, kind)
            for key, kind in keys.items()
            if self.chance.random() >= missing
        }

    def value(self, key: str, kind: str) -> Any:
        """A value of one of the schema's types; dates in the loader's form."""
        number = self.chance.randrange(200)
        if kind == "int":
            return 1850 + number
        if kind == "float":
            return number + 0.5
        if kind == "date":
            return {"$date": (date(1900, 1, 1) + timedelta(days=211 * number)).isoformat()}
        text = f"{key} number {number % 7}"
        return [text] if kind.startswith("list") else text

    def near(self, value: Any, kind: str) -> Any:
        """A literal of a condition; a number sometimes a little less or more."""
        if kind.startswith("list"):
            return [value]
        if isinstance(value, int | float) and not isinstance(value, bool):
            return value + self.chance.choice((-1, 0, 1))
        return value

    def conditions(self, query: cypher.Query) -> dict[str, dict[str, Any]]:
        """By variable: the literals that its properties are compared with."""
        wanted: dict[str, dict[str, Any]] = {}
        for found in query.property_literals:
            if found.owner is not None and found.owner.name and found.element is None:
                wanted.setdefault(found.owner.name, {})[found.key.value] = found.literal.value
        return wanted

    def load_form(self) -> tuple[Iterable[dict[str, Any]], Iterable[dict[str, Any]]]:
        """Nodes and relationships as the loader takes them."""
        nodes = (
            {"id": "/".join(node), "labels": [node[0]], "properties": properties}
            for node, properties in self.nodes.items()
        )
        relationships = (
            {"type": kind, "start": "/".join(a), "end": "/".join(b), "properties": properties}
            for (kind, a, b), properties in self.edges.items()
        )
        return nodes, relationships


def fixed_name(pattern: ast.NodePattern) -> str | None:
    """The text of `{name: '…'}`."""
    if isinstance(pattern.properties, ast.MapLiteral):
        for entry in pattern.properties.entries:
            if entry.key.value == "name" and isinstance(entry.value, ast.Literal):
                return str(entry.value.value)
    return None

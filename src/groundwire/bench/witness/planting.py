"""Puts answers to a query into a graph, and near misses beside them."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from groundwire.bench.witness.conditions import Alternative, Condition, holds
from groundwire.bench.witness.graph import Graph, Node
from groundwire.bench.witness.schema import Relation, Schema
from groundwire.bench.witness.template import Hop, Key, Template
from groundwire.bench.witness.values import Values

__all__ = ["MISSING", "Planter"]

REUSED = 0.35
"""How often a node that fits is taken instead of a new one."""

MISSING = 0.12
"""How often a property has no value."""

PARALLEL = 0.06
"""How often a relationship with properties is stored twice, with other values."""

LEFT_OUT = 0.3
"""How often a relationship of an OPTIONAL MATCH is not there."""

TRIES = 30
"""Pairs of values that are drawn until two compare as they should."""

SAME_NAME = 0.03
"""How often a new node is called as another one."""

MOST_COUNTED = 12
"""Matches that are made for a condition on a count, at most."""


@dataclass
class Planter:
    """Fills a graph of a schema.

    `number` counts the graphs: what a query compares is so in one and not so in the next.
    `missing` is the share of properties without a value; `without` are the nodes that must lack
    some relationship.
    """

    graph: Graph
    schema: Schema
    values: Values
    chance: random.Random
    number: int = 0
    missing: float = MISSING
    without: set[Node] = field(default_factory=set)

    def plant(self, template: Template) -> None:
        """Two answers for each way to one, the first of them reached twice; and near misses."""
        for way in template.ways:
            for bound in (self.instance(template, way), self.instance(template, way)):
                self._decide(template, bound)
                self._close(template, bound)
                answer = dict(list(bound.items())[:1])
                for _ in range(self._counted(way)):
                    self.instance(template, way, answer)
            for condition in way:
                self._near_miss(template, way, condition, condition.negated)
                if condition.key not in ("", "name"):
                    self._near_miss(template, way, condition, condition.missing)

    def _decide(self, template: Template, bound: Mapping[Key, Node]) -> None:
        """Let the comparisons of two properties be true or false, as the graph's number is."""
        wanted = self.number % 2 == 0
        for comparison in template.comparisons:
            (left, key), (right, other) = comparison.left, comparison.right
            for _ in range(TRIES):
                a, b = bound[left].properties, bound[right].properties
                condition = Condition("", None, "", "", comparison.operator, b.get(other))
                if None not in (a.get(key), b.get(other)) and (holds(a[key], condition) == wanted):
                    break
                for node, name in ((bound[left], key), (bound[right], other)):
                    kind = self.schema.labels[node.label].get(name)
                    if kind and name != "name":
                        node.properties[name] = self.values.draw(node.label, name, kind)

    def _close(self, template: Template, bound: Mapping[Key, Node]) -> None:
        """Let nodes be without the relationships that they must not have."""
        for hop in template.absent:
            for key, outwards in ((hop.start, True), (hop.end, False)):
                if key in bound:
                    node = bound[key]
                    label, other = (node.label, "") if outwards else ("", node.label)
                    relations = self.schema.find(hop.types, label, other)
                    self.graph.closed.update((node, each, outwards) for each in relations)
                    self.without.add(node)

    def _near_miss(
        self, template: Template, way: Alternative, old: Condition, new: Condition
    ) -> None:
        replaced = tuple(new if condition is old else condition for condition in way)
        self.instance(template, replaced, near_miss=True)

    def _counted(self, way: Alternative) -> int:
        wanted = [c.value for c in way if c.key == "" and isinstance(c.value, int)]
        return min(max(wanted, default=1), MOST_COUNTED)

    def instance(
        self,
        template: Template,
        way: Alternative,
        bound: Mapping[Key, Node] | None = None,
        near_miss: bool = False,
    ) -> dict[Key, Node]:
        """One match of a template, as far as the schema allows it; a near miss changes nothing
        that is there."""
        wanted: dict[Key, list[Condition]] = defaultdict(list)
        for condition in way:
            key = template.key_of(condition)
            if key is not None:
                wanted[key].append(condition)
        for key, name in template.reads:  # a node that is named is known, and what is asked of it
            if _fixed(wanted[key]) is not None:
                wanted[key].append(Condition("", key, name, "", "IS NOT NULL", None))
        hops = self._relations(template)
        labels = self._labels(template, hops)
        found = dict(bound or {})
        for key in _order(template, hops, wanted, found):
            if key not in found and key in labels:
                found[key] = self._bind(key, labels[key], wanted[key], hops, found, near_miss)
        for hop, relation in hops:
            if not (hop.optional and self.chance.random() < LEFT_OUT):
                self._hop(hop, relation, found, wanted[hop.key])
        return found

    def _relations(self, template: Template) -> list[tuple[Hop, Relation]]:
        """Each hop with a type that the schema has; an undirected one may be turned."""
        found: list[tuple[Hop, Relation]] = []
        for hop in template.hops:
            fitting = [(hop, relation) for relation in self._fitting(template, hop)]
            if not hop.directed:
                turned = Hop(hop.key, hop.types, hop.end, hop.start, True, hop.length, hop.optional)
                fitting += [(turned, relation) for relation in self._fitting(template, turned)]
            if fitting:
                found.append(self.chance.choice(fitting))
        return found

    def _fitting(self, template: Template, hop: Hop) -> Iterator[Relation]:
        for start in template.nodes.get(hop.start) or ("",):
            for end in template.nodes.get(hop.end) or ("",):
                yield from self.schema.find(hop.types, start, end)

    def _labels(self, template: Template, hops: Iterable[tuple[Hop, Relation]]) -> dict[Key, str]:
        """One label for each node: as the query says, or as its relationships have it."""
        found: dict[Key, str] = {}
        for hop, relation in hops:
            found.setdefault(hop.start, relation.start)
            found.setdefault(hop.end, relation.end)
        for key, names in template.nodes.items():
            known = [name for name in names or self.schema.labels if name in self.schema.labels]
            if key not in found and known:
                found[key] = self.chance.choice(known)
        return found

    def _bind(
        self,
        key: Key,
        label: str,
        wanted: list[Condition],
        hops: list[tuple[Hop, Relation]],
        bound: Mapping[Key, Node],
        near_miss: bool,
    ) -> Node:
        name = _fixed(wanted)
        if name is None:
            node = self._followed(key, hops, bound) or self._reused(label, wanted, bound)
        else:
            node = self.graph.named.get((label, name))
        if node is not None and near_miss:
            return node
        if node is None:
            node = self.fresh(label, name or self._name(label, wanted))
        self._fit(node.properties, label, self.schema.labels[label], wanted)
        return node

    def _name(self, label: str, wanted: list[Condition]) -> str:
        """A name that meets the conditions on it; "" = any new one does."""
        conditions = [condition for condition in wanted if condition.key == "name"]
        if all(holds(f"{label} 0", condition) for condition in conditions):
            return ""
        return str(self.values.meeting(label, "name", "str", conditions) or "")

    def _followed(
        self, key: Key, hops: list[tuple[Hop, Relation]], bound: Mapping[Key, Node]
    ) -> Node | None:
        """The node at the other end of a relationship of which there may be one only."""
        for hop, relation in hops:
            if hop.end == key and hop.start in bound and relation.one_end:
                edges = self.graph.outgoing.get((bound[hop.start], relation), [])
                nodes = [edge.end for edge in edges]
            elif hop.start == key and hop.end in bound and relation.one_start:
                edges = self.graph.incoming.get((bound[hop.end], relation), [])
                nodes = [edge.start for edge in edges]
            else:
                continue
            if nodes and hop.length == 1:
                return nodes[0]
        return None

    def _reused(
        self, label: str, wanted: list[Condition], bound: Mapping[Key, Node]
    ) -> Node | None:
        nodes = self.graph.nodes[label]
        if not nodes or self.chance.random() >= REUSED:
            return None
        node = self.chance.choice(nodes)
        if node in self.without:
            return None
        fits = all(holds(node.properties.get(c.key), c) for c in wanted)
        return node if fits and node not in bound.values() else None

    def fresh(self, label: str, name: str = "") -> Node:
        """A new node."""
        nodes = self.graph.nodes[label]
        if not name:
            name = f"{label} {len(nodes)}"
            if nodes and self.chance.random() < SAME_NAME:
                name = self._taken(self.chance.choice(nodes)) or name
        drawn = self.drawn(label, self.schema.labels[label])
        return self.graph.add(label, {**drawn, "name": name})

    def _taken(self, node: Node) -> str:
        """The name of a node, if no query knows it: what a query names is one thing."""
        return "" if self.values.is_constant(node.label, "name", node.name) else node.name

    def drawn(self, owner: str, keys: Mapping[str, str]) -> dict[str, Any]:
        """Values for the properties of a label or type, some of them missing."""
        return {
            key: self.values.draw(owner, key, kind)
            for key, kind in keys.items()
            if key != "name" and self.chance.random() >= self.missing
        }

    def _fit(
        self,
        properties: dict[str, Any],
        owner: str,
        keys: Mapping[str, str],
        wanted: list[Condition],
    ) -> None:
        """Change what does not meet the conditions; a key that the schema lacks stays missing."""
        asked = dict.fromkeys(condition.key for condition in wanted)
        for key in (key for key in asked if key in keys and key != "name"):
            conditions = [condition for condition in wanted if condition.key == key]
            if not all(holds(properties.get(key), condition) for condition in conditions):
                properties[key] = self.values.meeting(owner, key, keys[key], conditions)

    def _hop(
        self,
        hop: Hop,
        relation: Relation,
        bound: Mapping[Key, Node],
        wanted: list[Condition],
    ) -> None:
        node, end = bound[hop.start], bound[hop.end]
        for _ in range(hop.length - 1):
            if relation.start != relation.end:
                break
            step = self.fresh(relation.end)
            self.edge(relation, node, step, wanted)
            node = step
        self.edge(relation, node, end, wanted)

    def edge(self, relation: Relation, start: Node, end: Node, wanted: list[Condition]) -> None:
        """A relationship that meets conditions, if there is none yet."""
        if not self.graph.open(relation, start, end):
            return
        for edge in self.graph.between(relation, start, end):
            if all(holds(edge.properties.get(c.key), c) for c in wanted):
                return
        times = 1 + (bool(relation.properties) and self.chance.random() < PARALLEL)
        for _ in range(times):
            properties = self.drawn(relation.type, relation.properties)
            _in_order(properties)
            self._fit(properties, relation.type, relation.properties, wanted)
            self.graph.join(relation, start, end, properties)


def _fixed(wanted: list[Condition]) -> str | None:
    for condition in wanted:
        if condition.key == "name" and condition.operator == "=" and not condition.part:
            return str(condition.value)
    return None


def _order(
    template: Template,
    hops: list[tuple[Hop, Relation]],
    wanted: Mapping[Key, list[Condition]],
    bound: Mapping[Key, Node],
) -> Iterator[Key]:
    """Nodes whose name is given first, then along the relationships, then the rest."""
    ready = [
        key for key in template.nodes if key in bound or _fixed(wanted.get(key, [])) is not None
    ]
    ready = ready or list(template.nodes)[:1]
    seen = set(ready)
    while ready:
        key = ready.pop(0)
        yield key
        for hop, _ in hops:
            for near, far in ((hop.start, hop.end), (hop.end, hop.start)):
                if near == key and far not in seen:
                    seen.add(far)
                    ready.append(far)
    yield from (key for key in template.nodes if key not in seen)


def _in_order(properties: dict[str, Any]) -> None:
    """A time ends after it begins."""
    start, end = properties.get("start_year"), properties.get("end_year")
    if isinstance(start, int) and isinstance(end, int) and end < start:
        properties["start_year"], properties["end_year"] = end, start

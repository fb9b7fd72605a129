"""The rest of a graph: nodes and relationships that nobody asked for, as the schema counts them."""

from __future__ import annotations

from collections.abc import Mapping

from groundwire.bench.witness.graph import Edge, Node
from groundwire.bench.witness.planting import Planter
from groundwire.bench.witness.schema import Relation

__all__ = ["populate"]

MOST_EDGES = 45_000
"""Relationships of a graph at most, but for those of the answers themselves."""

THINGS, KINDS = 40, 14
"""Nodes of a label with properties, and of one that has a name only, at least."""

DEGREES = (0, 1, 1, 2, 2, 3)
"""Relationships of a type that a node has, where it may have several."""

SOME = 0.6
"""How often a node has the one relationship of a type that it may have."""

ALONE = 0.1
"""Share of the nodes without a relationship of a type, where not every one has one."""


def populate(planter: Planter, most: int = MOST_EDGES) -> None:
    """Fill up to a smallest size, then give the nodes their relationships.

    Where so many answers were planted that there would be more than `most` relationships, only a
    share of the nodes gets any beside those of the answers.
    """
    for label, keys in planter.schema.labels.items():
        least = THINGS if len(keys) > 1 else KINDS
        while len(planter.graph.nodes[label]) < least:
            planter.fresh(label)
    room = most - len(planter.graph.edges)
    share = max(0.0, min(1.0, room / max(1.0, _expected(planter))))
    for relation in planter.schema.relations:
        _connect(planter, relation, share)
        _reach(planter, relation, share)
    for relation in planter.schema.relations:
        _reciprocate(planter, relation)


def _expected(planter: Planter) -> float:
    """About how many relationships all nodes would get."""
    total = 0.0
    for relation in planter.schema.relations:
        mean = 1.0 if relation.one_end else sum(DEGREES) / len(DEGREES)
        count = len(planter.graph.nodes[relation.start]) * mean
        count += len(planter.graph.nodes[relation.end]) if relation.every_end else 0
        total += count * (1 + relation.reciprocal)
    return total


def _connect(planter: Planter, relation: Relation, share: float) -> None:
    """Relationships going out."""
    chance, graph = planter.chance, planter.graph
    ends = list(graph.nodes[relation.end])
    if not relation.every_end:
        ends = _without_some(ends, graph.incoming, relation)
    if relation.one_start:
        ends = [end for end in ends if not graph.incoming.get((end, relation))]
        chance.shuffle(ends)
    starts = list(graph.nodes[relation.start])
    if not relation.every_start:
        starts = _without_some(starts, graph.outgoing, relation)
    for start in starts:
        if chance.random() >= share:
            continue
        missing = _degree(planter, relation) - len(graph.outgoing.get((start, relation), ()))
        for _ in range(missing):
            if not ends:
                return
            end = ends.pop() if relation.one_start else chance.choice(ends)
            _add(planter, relation, start, end)


def _without_some(
    nodes: list[Node], known: Mapping[tuple[Node, Relation], list[Edge]], relation: Relation
) -> list[Node]:
    """The nodes, a share of those without such a relationship left out."""
    free = [node for node in nodes if not known.get((node, relation))]
    left_out = set(free[: max(1, round(len(nodes) * ALONE))])
    return [node for node in nodes if node not in left_out]


def _degree(planter: Planter, relation: Relation) -> int:
    least = int(relation.every_start)
    if relation.one_end:
        return max(least, int(planter.chance.random() < SOME))
    return max(least, planter.chance.choice(DEGREES))


def _add(planter: Planter, relation: Relation, start: Node, end: Node) -> None:
    if start is not end and not planter.graph.between(relation, start, end):
        planter.edge(relation, start, end, [])


def _reach(planter: Planter, relation: Relation, share: float) -> None:
    """Relationships coming in, where every end has one."""
    if not relation.every_end:
        return
    graph = planter.graph
    free = [
        start
        for start in graph.nodes[relation.start]
        if not relation.one_end or not graph.outgoing.get((start, relation))
    ]
    for end in graph.nodes[relation.end]:
        alone = not graph.incoming.get((end, relation))
        if free and alone and planter.chance.random() < share:
            start = planter.chance.choice(free)
            _add(planter, relation, start, end)
            if relation.one_end:
                free.remove(start)


def _reciprocate(planter: Planter, relation: Relation) -> None:
    """The same relationship back, for the share that is stored both ways."""
    if not relation.reciprocal:
        return
    graph = planter.graph
    for edge in [edge for edge in graph.edges if edge.relation is relation]:
        back = graph.between(relation, edge.end, edge.start)
        if not back and planter.chance.random() < relation.reciprocal:
            graph.join(relation, edge.end, edge.start, edge.properties)

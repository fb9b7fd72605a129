"""What Neo4j counts and declares, from its count store, without looking at nodes one by one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from groundwire.database.graph_catalog import Endpoint, quote_name
from groundwire.database.graph_facts import (
    Ask,
    Facts,
    count_pairs,
    declared_constraint,
    declared_index,
)

__all__ = ["NAMES", "read_facts"]

NAMES = """CALL { CALL db.labels() YIELD label RETURN collect(label) AS labels }
CALL { CALL db.relationshipTypes() YIELD relationshipType AS t RETURN collect(t) AS types }
CALL { CALL db.propertyKeys() YIELD propertyKey RETURN collect(propertyKey) AS keys }"""

CONSTRAINTS = "SHOW CONSTRAINTS YIELD type, entityType, labelsOrTypes, properties"
INDEXES = "SHOW INDEXES YIELD name, type, entityType, labelsOrTypes, properties"

BATCH = 50
"""Counts in one statement."""


def read_facts(ask: Ask) -> Facts:
    """Labels, types and pairs with their counts, constraints and indexes."""
    names, types, keys = ask(f"{NAMES} RETURN labels, types, keys")[0]
    constraints = tuple(declared_constraint(*row) for row in ask(CONSTRAINTS))
    indexes = tuple(declared_index(*row) for row in ask(INDEXES) if row[1] != "LOOKUP")
    declared = [c.name for c in constraints if c.entity == "node"]
    labels = dict.fromkeys([*names, *declared])
    counts = _count(
        ask,
        {("label", name): f"(n:{quote_name(name)}) RETURN count(n)" for name in labels}
        | {("type", name): f"()-[n:{quote_name(name)}]->() RETURN count(n)" for name in types},
    )
    labels_count = {name: counts["label", name] for name in labels}
    types_count = {name: counts["type", name] for name in types}
    return Facts(
        labels_count,
        types_count,
        tuple(_endpoints(ask, types_count)),
        constraints,
        indexes,
        frozenset(keys),
    )


def _count(ask: Ask, patterns: dict[Any, str]) -> dict[Any, int]:
    """Counts by key; each pattern is one that the count store answers.

    It does so only where the count stands alone in its RETURN, hence the subqueries.
    """
    keys = list(patterns)
    counts: dict[Any, int] = {}
    for start in range(0, len(keys), BATCH):
        batch = keys[start : start + BATCH]
        statement = " UNION ALL ".join(
            f"CALL {{ MATCH {patterns[key]} AS n }} RETURN n, {number} AS number"
            for number, key in enumerate(batch)
        )
        for n, number in ask(statement):
            counts[batch[number]] = n
    return counts


def _endpoints(ask: Ask, totals: dict[str, int]) -> Iterable[Endpoint]:
    """The pairs of labels that each type joins.

    The server lists every label at one end with every label at the other, true pairs or not.
    Where one end of a type always has a certain label, the count store tells the other end's
    pairs; only the remaining types have to be looked at.
    """
    sources: dict[str, set[str]] = defaultdict(set)
    targets: dict[str, set[str]] = defaultdict(set)
    nodes, relationships = ask("CALL db.schema.visualization()")[0]
    label_of = {node.id: node.labels[0] for node in nodes}
    for relationship in relationships:
        sources[relationship.type].add(label_of[relationship.start])
        targets[relationship.type].add(label_of[relationship.end])
    sides = _count(
        ask,
        {
            (name, "out", label): f"(:{quote_name(label)})-[n:{quote_name(name)}]->() "
            "RETURN count(n)"
            for name in totals
            for label in sorted(sources[name])
        }
        | {
            (name, "in", label): f"()-[n:{quote_name(name)}]->(:{quote_name(label)}) "
            "RETURN count(n)"
            for name in totals
            for label in sorted(targets[name])
        },
    )
    for name, total in totals.items():
        starts, ends = (
            {label: n for (kind, at, label), n in sides.items() if (kind, at) == (name, side) and n}
            for side in ("out", "in")
        )
        if set(starts.values()) == {total} and sum(ends.values()) >= total:
            yield from (Endpoint(a, name, b, n) for a in starts for b, n in ends.items())
        elif set(ends.values()) == {total} and sum(starts.values()) >= total:
            yield from (Endpoint(a, name, b, n) for a, n in starts.items() for b in ends)
        elif total:
            yield from count_pairs(ask, quote_name(name), name, total)

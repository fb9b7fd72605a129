"""What kglite counts and declares of a graph."""

from __future__ import annotations

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
from groundwire.database.graph_kglite_names import STRUCTURAL, unmangle

__all__ = ["read_facts"]

TYPES = {
    "Int64": "INTEGER",
    "Float64": "FLOAT",
    "DateTime": "DATE",
    "Timestamp": "LOCAL DATETIME",
    "ZonedDateTime": "ZONED DATETIME",
    "LocalTime": "LOCAL TIME",
    "Time": "ZONED TIME",
    "List": "LIST",
}
"""kglite's words for types, where they are not Cypher's in small letters."""


def read_facts(raw: dict[str, Any], ask: Ask, marked: bool) -> Facts:
    """Facts of a graph.

    kglite files a node under one label and lists no others; those are counted here.

    Args:
        raw: the worker's facts.
        marked: as in `graph_kglite_names`.
    """
    schema = raw["schema"]
    labels, shared = _labels(schema["node_types"], ask)
    types = {name: kind["count"] for name, kind in schema["connection_types"].items()}
    keys = {
        key
        for kind in (*schema["node_types"].values(), *schema["connection_types"].values())
        for key in kind["properties"]
    }
    return Facts(
        labels,
        types,
        tuple(_endpoints(raw["pairs"], types, shared, ask)),
        tuple(declared_constraint(*_declared(row)) for row in raw["constraints"]),
        tuple(declared_index(row["name"], *_declared(row)) for row in raw["indexes"]),
        frozenset(
            unmangle(key) if marked else key for key in keys if not (marked and key in STRUCTURAL)
        ),
        frozenset() if marked else STRUCTURAL - keys,
        {
            name: _known(kind["properties"], marked)
            for kinds in (schema["node_types"], schema["connection_types"])
            for name, kind in kinds.items()
            if name not in shared
        },
        lazy_limit=False,
    )


def _known(properties: dict[str, str], marked: bool) -> dict[str, str]:
    return {
        unmangle(key) if marked else key: TYPES.get(kind, kind.upper())
        for key, kind in properties.items()
        if not (marked and key in STRUCTURAL)
    }


def _labels(node_types: dict[str, Any], ask: Ask) -> tuple[dict[str, int], set[str]]:
    """Nodes by label, and the primary labels some of whose nodes have others too."""
    counts = {name: kind["count"] for name, kind in node_types.items()}
    shared: set[str] = set()
    for primary in node_types:
        rows = ask(
            f"MATCH (n:{quote_name(primary)}) WHERE size(labels(n)) > 1 "
            "RETURN labels(n) AS labels, count(*) AS n"
        )
        for labels, n in rows:
            if labels[0] != primary:  # counted under its own primary label
                continue
            shared.update((primary, *labels))
            for label in labels:
                if label != labels[0]:
                    counts[label] = counts.get(label, 0) + n
    return counts, shared


def _endpoints(
    pairs: list[Any], types: dict[str, int], shared: set[str], ask: Ask
) -> Iterable[Endpoint]:
    for name, total in types.items():
        found = [pair for pair in pairs if pair[1] == name]
        if any(source in shared or target in shared for source, _, target, _ in found):
            yield from count_pairs(ask, quote_name(name), name, total, lazy_limit=False)
        else:
            yield from (Endpoint(source, name, target, n) for source, _, target, n in found if n)


def _declared(row: dict[str, Any]) -> tuple[str, str, list[str], list[str]]:
    keys = [unmangle(key) for key in row["properties"]]
    return row["type"], row["entityType"], row["labelsOrTypes"], keys

"""From an engine's facts to a catalog: properties are sampled, reciprocity is measured.

No APOC and no `db.schema.nodeTypeProperties`, which reads every node: statements of plain Cypher,
several labels in each, over at most `SAMPLE` nodes or relationships of a kind.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from groundwire.database.graph_catalog import (
    Endpoint,
    GraphCatalog,
    Label,
    Property,
    RelationshipType,
    quote_name,
)
from groundwire.database.graph_facts import Ask, Facts, narrow
from groundwire.database.graph_reciprocity import measure
from groundwire.database.scope import Scope

__all__ = ["SAMPLE", "VECTOR_FROM", "read_catalog"]

SAMPLE = 5_000
"""Nodes of a label, and relationships of a type, that are looked at for their properties."""

SCAN = 50_000
"""Above `SAMPLE`, they are drawn at random from so many that the engine gives first."""

EAGER_SCAN = 20_000
"""The same where the engine collects them all before it draws."""

VALUES = 10
"""Frequent values that are kept of a property."""

LONGEST_VALUE = 80
"""Characters of a text that may be among them."""

VECTOR_FROM = 64
"""A list of so many numbers is an embedding, which no prompt and no person wants to see."""

BATCH = 10
"""Labels or types in one statement."""


def read_catalog(ask: Ask, facts: Facts, scope: Scope, dialect: str, version: str) -> GraphCatalog:
    """Read the catalog of a graph.

    Args:
        ask: runs a statement of our own.
        facts: what the engine counts and declares.
        scope: what may be seen.
    """
    facts = narrow(facts, scope)
    of_labels = _properties(ask, "({name})", facts.labels, facts, scope)
    of_types = _properties(ask, "()-[{name}]->()", facts.types, facts, scope)
    endpoints: dict[str, list[Endpoint]] = defaultdict(list)
    for endpoint in sorted(facts.endpoints, key=lambda e: (-e.count, e.source, e.target)):
        endpoints[endpoint.type].append(endpoint)
    return GraphCatalog(
        dialect,
        tuple(
            Label(name, count, of_labels[name], _looked_at(name, count, facts))
            for name, count in _by_count(facts.labels)
        ),
        tuple(
            RelationshipType(
                name, count, of_types[name], tuple(endpoints[name]), min(count, SAMPLE)
            )
            for name, count in _by_count(facts.types)
        ),
        facts.constraints,
        facts.indexes,
        tuple(
            measure(
                ask,
                endpoint.source,
                endpoint.type,
                endpoint.count,
                lazy_limit=facts.lazy_limit,
            )
            for endpoint in facts.endpoints
            if endpoint.source == endpoint.target != ""
        ),
        facts.keys.union(p.name for of in (*of_labels.values(), *of_types.values()) for p in of),
        version,
    )


def _looked_at(name: str, count: int, facts: Facts) -> int:
    return count if name in facts.known else min(count, SAMPLE)


def _by_count(counts: Any) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _properties(
    ask: Ask, pattern: str, counts: Any, facts: Facts, scope: Scope
) -> dict[str, tuple[Property, ...]]:
    """The properties of every label (or type) by its name."""
    rows: dict[str, list[Any]] = defaultdict(list)
    wanted = (name for name, count in counts.items() if count and facts.known.get(name) != {})
    for batch in _batches(wanted):
        statement = "\nUNION ALL\n".join(
            _sampling(_match(pattern, name, counts[name], facts.lazy_limit), number)
            for number, name in enumerate(batch)
        )
        for number, *row in ask(statement):
            rows[batch[number]].append(row)
    return {name: tuple(_read(name, rows[name], facts, scope)) for name in counts}


def _batches(names: Iterable[str]) -> Iterator[list[str]]:
    names = list(names)
    for start in range(0, len(names), BATCH):
        yield names[start : start + BATCH]


def _match(pattern: str, name: str, count: int, lazy_limit: bool) -> str:
    """Binds `x` to all nodes of a label (relationships of a type), or to a random sample."""
    match = f"MATCH {pattern.format(name=f'x:{quote_name(name)}')}"
    if count <= SAMPLE:
        return match
    scan = min(count, SCAN if lazy_limit else EAGER_SCAN)
    return f"{match} WITH x LIMIT {scan} WHERE rand() < {SAMPLE / scan}"


def _sampling(match: str, number: int) -> str:
    """Rows of (number, key, type, how often, longest list, [[value, how often]]).

    The key "" stands once for every node that was looked at.
    """
    return f"""{match} UNWIND [''] + keys(x) AS key
WITH key, valueType(x[key]) AS type, x[key] AS value
WITH key, type, CASE WHEN type STARTS WITH 'LIST' THEN size(value) END AS length,
  CASE WHEN type STARTS WITH 'LIST' THEN null
    WHEN type STARTS WITH 'STRING' AND size(value) > {LONGEST_VALUE} THEN null
    ELSE value END AS value
WITH key, type, value, count(*) AS n, max(length) AS length ORDER BY n DESC
RETURN {number} AS number, key, type, sum(n) AS n, max(length) AS length,
  collect(CASE WHEN value IS NULL THEN null ELSE [value, n] END)[..{VALUES}] AS top"""


def _read(owner: str, rows: list[Any], facts: Facts, scope: Scope) -> Iterator[Property]:
    by_key: dict[str, list[Any]] = defaultdict(list)
    for key, type_name, n, length, top in rows:
        if key not in facts.structural and not scope.hides_column("", owner, key):
            by_key[key].append((n, type_name.replace(" NOT NULL", ""), length, top))
    seen = sum(row[0] for row in by_key.pop("", ()))
    for key in sorted(by_key):
        found = sorted(by_key[key], key=lambda row: -row[0])
        values = sorted((pair for row in found for pair in row[3]), key=lambda pair: -pair[1])
        longest = max((row[2] or 0 for row in found if _is_numbers(row[1])), default=0)
        yield Property(
            key,
            tuple(dict.fromkeys(row[1] for row in found)),
            sum(row[0] for row in found) / seen,
            tuple((value, n) for value, n in values[:VALUES]),
            longest if longest >= VECTOR_FROM else None,
        )
    for key, type_name in facts.known.get(owner, {}).items():
        if key not in by_key and not scope.hides_column("", owner, key):
            yield Property(key, (type_name,), 0.0)


def _is_numbers(type_name: str) -> bool:
    """`LIST<FLOAT>`, `LIST<INTEGER | FLOAT>` and the like."""
    if not type_name.startswith("LIST<"):
        return False
    return all(part.strip() in ("INTEGER", "FLOAT") for part in type_name[5:-1].split("|"))

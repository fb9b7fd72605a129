"""What an engine itself counts and declares of a graph, before anything is sampled."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from groundwire.database.graph_catalog import Constraint, Endpoint, Entity, Index
from groundwire.database.scope import Scope

__all__ = [
    "EXACT_PAIRS",
    "Ask",
    "Facts",
    "count_pairs",
    "declared_constraint",
    "declared_index",
    "narrow",
]

Ask = Callable[..., list[tuple[Any, ...]]]
"""Runs a statement of our own: (text, parameters=None) → all rows."""

EXACT_PAIRS = 1_000_000
"""Up to so many relationships of a type, all are looked at for the labels of their ends."""

KINDS = (("UNIQUENESS", "unique"), ("KEY", "key"), ("EXISTENCE", "exists"), ("TYPE", "type"))

SAMPLED_PAIRS = 100_000
"""Above that, so many, drawn at random from the first `EXACT_PAIRS` stored."""


@dataclass(frozen=True)
class Facts:
    """`labels` and `types` say how many nodes and relationships there are of each.

    `structural` are keys that the engine itself adds to every node; they are not in `keys`.
    `known` has, by label or type, every property with its type, where the engine lists them.
    `lazy_limit` says that a LIMIT behind a MATCH ends its scan, which bounds a sample on a large
    graph; an engine without it collects all rows first, and is faster without the LIMIT.
    """

    labels: Mapping[str, int]
    types: Mapping[str, int]
    endpoints: tuple[Endpoint, ...]
    constraints: tuple[Constraint, ...] = ()
    indexes: tuple[Index, ...] = ()
    keys: frozenset[str] = frozenset()
    structural: frozenset[str] = frozenset()
    known: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    lazy_limit: bool = True


def narrow(facts: Facts, scope: Scope) -> Facts:
    """The facts without the labels, types and properties that are excluded."""

    def visible(name: str, *keys: str) -> bool:
        return not scope.hides_table("", name) and not any(
            scope.hides_column("", name, key) for key in keys
        )

    return replace(
        facts,
        labels={name: count for name, count in facts.labels.items() if visible(name)},
        types={name: count for name, count in facts.types.items() if visible(name)},
        endpoints=tuple(
            e
            for e in facts.endpoints
            if visible(e.source) and visible(e.type) and visible(e.target)
        ),
        # One of the loader's own key comes without a property: nobody sees that.
        constraints=tuple(
            c for c in facts.constraints if c.properties and visible(c.name, *c.properties)
        ),
        indexes=tuple(
            i for i in facts.indexes if all(visible(name, *i.properties) for name in i.names)
        ),
    )


def count_pairs(
    ask: Ask, quoted_type: str, type_name: str, total: int, *, lazy_limit: bool = True
) -> list[Endpoint]:
    """The pairs of labels that a type joins, from its relationships themselves.

    Exact up to `EXACT_PAIRS` relationships, else scaled up from a random sample: then a pair
    that is rare may be missing.
    """
    exact = total <= EXACT_PAIRS
    if exact:
        draw = ""
    elif lazy_limit:
        draw = f"WITH a, b LIMIT {EXACT_PAIRS} WHERE rand() < {SAMPLED_PAIRS / EXACT_PAIRS} "
    else:
        draw = f"WHERE rand() < {SAMPLED_PAIRS / total} "
    rows = ask(
        f"MATCH (a)-[r:{quoted_type}]->(b) {draw}"
        "RETURN labels(a) AS sources, labels(b) AS targets, count(*) AS n"
    )
    seen = sum(n for _, _, n in rows) or 1
    pairs: dict[tuple[str, str], float] = {}
    for sources, targets, n in rows:
        for source in sources or [""]:
            for target in targets or [""]:
                pairs[source, target] = pairs.get((source, target), 0) + n
    scale = 1 if exact else total / seen
    return [
        Endpoint(source, type_name, target, round(n * scale), exact)
        for (source, target), n in pairs.items()
    ]


def declared_constraint(
    kind: str, entity: str, names: Sequence[str], keys: Sequence[str]
) -> Constraint:
    """A row of SHOW CONSTRAINTS."""
    word = next((word for part, word in KINDS if part in kind), kind.lower())
    return Constraint(word, _entity(entity), names[0], tuple(keys))


def declared_index(
    name: str, kind: str, entity: str, names: Sequence[str] | None, keys: Sequence[str] | None
) -> Index:
    """A row of SHOW INDEXES."""
    return Index(name, kind.lower(), _entity(entity), tuple(names or ()), tuple(keys or ()))


def _entity(word: str) -> Entity:
    return "node" if word.upper() == "NODE" else "relationship"

"""Which passes of kglite's optimizer a query must do without, because they change its answer.

Found by running some 3,000 queries that models wrote, on four graphs, with and without each pass
(kglite 0.21.2). All passes off would be right too, and far too slow. `DISABLED` and the functions
below name what each one does wrong; `tests/database/graph/test_kglite_traps.py` shows it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from groundwire.query.cypher import Query

__all__ = ["DISABLED", "disabled_passes"]

DISABLED = ("fuse_match_return_aggregate",)
"""Counts over two hops, one of them undirected, become 0."""

DISTINCT = ("fuse_match_with_aggregate", "fuse_match_with_aggregate_top_k")
"""Beside `count(DISTINCT b)`, a `count(r)` in the same WITH counts parallel relationships once."""

OPTIONAL = ("fuse_optional_match_aggregate",)
"""Grouping by a node of the OPTIONAL MATCH itself makes one group of all, with null for it."""

REBOUND = ("optimize_pattern_start_node",)
"""A relationship that an earlier MATCH has bound is not found again."""


def disabled_passes(query: Query) -> list[str]:
    """The passes that must not run on a statement."""
    from groundwire.query.cypher import ast

    passes = dict.fromkeys(DISABLED)
    relationships: set[str] = set()
    for statement in query.statements:
        for node in ast.walk(statement):
            if isinstance(node, ast.FunctionCall) and node.distinct:
                passes.update(dict.fromkeys(DISTINCT))
            elif isinstance(node, ast.Match) and node.optional:
                passes.update(dict.fromkeys(OPTIONAL))
            elif isinstance(node, ast.RelationshipPattern) and node.variable is not None:
                if node.variable.name in relationships:
                    passes.update(dict.fromkeys(REBOUND))
                relationships.add(node.variable.name)
    return list(passes)

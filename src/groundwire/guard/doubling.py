"""Whether a pattern that matches each pair twice can change the answer of a query."""

from __future__ import annotations

from groundwire.query import cypher
from groundwire.query.cypher import ast

__all__ = ["doubling_shows"]

_BLIND = frozenset({"min", "max"})
"""Aggregates that do not mind a value that comes twice."""


def doubling_shows(query: cypher.Query, pattern: ast.Node) -> bool:
    """False where a doubled row cannot be told from a single one.

    That is so inside EXISTS, in a pattern that is only a test, and of the one path that
    shortestPath gives; and where the first WITH or RETURN behind it that is DISTINCT or aggregates
    does so with DISTINCT, min or max alone.
    """
    branch: ast.SingleQuery | None = None
    for node in reversed(_around(query, pattern)):
        if isinstance(node, ast.PatternExpression) or _is_one_path(node):
            return False
        if isinstance(node, ast.PatternComprehension):
            return True
        if isinstance(node, ast.SubqueryExpression) and node.kind.upper() == "EXISTS":
            return False
        if isinstance(node, ast.SubqueryExpression | ast.CallSubquery | ast.Statement):
            return branch is None or _shows_in(branch, pattern)
        if isinstance(node, ast.SingleQuery):
            branch = node
    return True


def _is_one_path(node: ast.Node) -> bool:
    return isinstance(node, ast.PathPattern) and (node.function or "").lower() == "shortestpath"


def _around(query: cypher.Query, inside: ast.Node) -> list[ast.Node]:
    """The nodes whose text holds that of a node, outermost first."""
    start, end = inside.span
    return [
        node
        for node in query.nodes
        if node is not inside and node.span[0] <= start and end <= node.span[1]
    ]


def _shows_in(branch: ast.SingleQuery, pattern: ast.Node) -> bool:
    for clause in branch.clauses:
        if clause.span[0] < pattern.span[0] or not isinstance(clause, ast.Projection):
            continue
        aggregates = cypher.grouping(clause).aggregates
        if aggregates:
            return not all(call.distinct or call.name.lower() in _BLIND for call in aggregates)
        if clause.distinct:
            return False
        if clause.limit is not None or clause.skip is not None:
            return True
    return True

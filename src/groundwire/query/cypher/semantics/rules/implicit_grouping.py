"""The rule `implicit_grouping`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.query.cypher import ast
from groundwire.query.cypher.semantics.functions import is_aggregate
from groundwire.query.cypher.semantics.phases import GROUPING

if TYPE_CHECKING:
    from groundwire.query.cypher.semantics.checker import Checker

__all__ = ["implicit_grouping"]


def implicit_grouping(clause: ast.Projection, aggregated: set[int], checker: Checker) -> None:
    """What stands beside an aggregate within one column must be a column (or constant) itself.

    `aggregated` has the indexes of the items with an aggregate. Cypher manual, "Grouping keys".
    """
    if clause.star:
        return
    keys: set[tuple[object, ...]] | None = None
    for index in sorted(aggregated):
        expression = clause.items[index].expression
        if isinstance(expression, ast.FunctionCall) and is_aggregate(expression.name):
            continue
        if keys is None:
            keys = {
                ast.shape(item.expression)
                for i, item in enumerate(clause.items)
                if i not in aggregated
            }
        _check(expression, keys, frozenset(), checker)


def _check(
    node: ast.Node,
    keys: set[tuple[object, ...]],
    local: frozenset[str],
    checker: Checker,
) -> bool:
    """Look for the first variable or property that is no grouping key; whether one was found."""
    if isinstance(node, ast.FunctionCall) and is_aggregate(node.name):
        return False
    if isinstance(node, ast.Variable | ast.Property) and ast.shape(node) in keys:
        return False
    if isinstance(node, ast.Variable):
        if node.name in local or node.name not in checker.names:
            return False
        checker.report(
            node.span[0],
            f"`{node.name}` is neither aggregated nor a column of its own: add it as a column "
            "or aggregate it in a WITH first.",
            GROUPING,
        )
        return True
    local |= _bound(node)
    return any(_check(child, keys, local, checker) for child in ast.children(node))


def _bound(node: ast.Node) -> frozenset[str]:
    """The variables that an expression binds for its own parts."""
    if isinstance(node, ast.ListComprehension | ast.ListPredicate):
        return frozenset({node.variable.name})
    if isinstance(node, ast.Reduce):
        return frozenset({node.variable.name, node.accumulator.name})
    return frozenset()

"""The rule `importing_with`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.query.cypher import ast

if TYPE_CHECKING:
    from groundwire.query.cypher.semantics.checker import Checker

__all__ = ["importing_with"]


def importing_with(clause: ast.With, checker: Checker) -> None:
    """The WITH that starts `CALL { ... }` only names variables from outside.

    Cypher manual, "CALL subqueries", importing WITH.
    """
    extras = {
        "DISTINCT": clause.distinct,
        "ORDER BY": bool(clause.order_by),
        "SKIP": clause.skip is not None,
        "LIMIT": clause.limit is not None,
        "WHERE": clause.where is not None,
    }
    for word, present in extras.items():
        if present:
            checker.report(
                clause.span[0], f"The WITH that brings variables into a CALL takes no {word}."
            )
            return
    for item in clause.items:
        expression = item.expression
        if not isinstance(expression, ast.Variable) or (
            item.alias is not None and item.alias.name != expression.name
        ):
            checker.report(
                clause.span[0],
                "The WITH that brings variables into a CALL only names them, without AS.",
            )
            return

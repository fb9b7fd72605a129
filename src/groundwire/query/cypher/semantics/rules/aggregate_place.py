"""The rule `aggregate_place`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.query.cypher import ast

if TYPE_CHECKING:
    from groundwire.query.cypher.semantics.checker import Checker

__all__ = ["aggregate_place"]


def aggregate_place(call: ast.FunctionCall, checker: Checker) -> None:
    """No aggregate inside an aggregate, in the WHERE of a WITH, or inside a list expression.

    Cypher manual, "Aggregating functions".
    """
    if checker.in_aggregate:
        checker.report(call.span[0], f"`{call.name}` cannot stand inside another aggregate.")
    elif checker.in_list or (not checker.aggregates_allowed and not call.star):
        checker.report(
            call.span[0],
            f"The aggregate `{call.name}` cannot stand here: compute it in a WITH first.",
        )

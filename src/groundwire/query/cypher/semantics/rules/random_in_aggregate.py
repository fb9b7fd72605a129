"""The rule `random_in_aggregate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.query.cypher import ast
from groundwire.query.cypher.semantics.phases import FUNCTION

if TYPE_CHECKING:
    from groundwire.query.cypher.semantics.checker import Checker

__all__ = ["random_in_aggregate"]


def random_in_aggregate(call: ast.FunctionCall, checker: Checker) -> None:
    """No random function inside an aggregate.

    Cypher manual, "Aggregating functions".
    """
    if checker.in_aggregate:
        checker.report(
            call.span[0], f"`{call.name}` is random and cannot stand inside an aggregate.", FUNCTION
        )

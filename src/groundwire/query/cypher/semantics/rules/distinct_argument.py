"""The rule `distinct_argument`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.query.cypher import ast

if TYPE_CHECKING:
    from groundwire.query.cypher.semantics.checker import Checker

__all__ = ["distinct_argument"]


def distinct_argument(call: ast.FunctionCall, checker: Checker) -> None:
    """Only an aggregate takes DISTINCT.

    Cypher manual, "Aggregating functions".
    """
    if call.distinct:
        checker.report(call.span[0], f"`{call.name}` is no aggregate: take DISTINCT away.")

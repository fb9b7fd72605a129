"""The rule `removed_function`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.query.cypher import ast

if TYPE_CHECKING:
    from groundwire.query.cypher.semantics.checker import Checker

__all__ = ["removed_function"]


def removed_function(call: ast.FunctionCall, checker: Checker) -> None:
    """`exists(n.key)` went with Neo4j 5; `exists(...)` takes a pattern only.

    Cypher manual, "Removals in Neo4j 5.0".
    """
    argument = call.arguments[0]
    if isinstance(argument, ast.Property | ast.Index):
        checker.report(call.span[0], "`exists(n.key)` is no longer Cypher: write `IS NOT NULL`.")
    else:
        checker.report(argument.span[0], "`exists` takes a pattern.")

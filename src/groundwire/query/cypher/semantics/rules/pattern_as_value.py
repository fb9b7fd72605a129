"""The rule `pattern_as_value`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.query.cypher import ast
from groundwire.query.cypher.semantics.phases import PATTERN

if TYPE_CHECKING:
    from groundwire.query.cypher.semantics.checker import Checker

__all__ = ["pattern_as_value"]


def pattern_as_value(node: ast.PatternExpression, checker: Checker) -> None:
    """A pattern stands only where something is tested: WHERE, AND, OR, NOT, WHEN, exists().

    Cypher manual, "Path pattern expressions", and "Removals in Neo4j 5.0" for `size((n)-->())`.
    """
    if node.pattern.function is None:
        checker.report(
            node.span[0],
            "A pattern can only be tested here, not used as a value: "
            "use COUNT { ... } or a pattern comprehension.",
            PATTERN,
        )

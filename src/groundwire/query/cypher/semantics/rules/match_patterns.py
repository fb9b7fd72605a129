"""The rule `match_patterns`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.query.cypher import ast

if TYPE_CHECKING:
    from groundwire.query.cypher.semantics.checker import Checker

__all__ = ["match_patterns"]


def match_patterns(clause: ast.Match, checker: Checker) -> None:
    """No parameter for a whole property map, no `*` beside quantified paths, one selector alone.

    Cypher manual, "MATCH", "Variable-length patterns" and "Shortest paths".
    """
    old: ast.RelationshipPattern | None = None
    quantified = False
    for pattern in clause.patterns:
        if pattern.selector is not None and len(clause.patterns) > 1 and pattern.selector != "ALL":
            checker.report(
                pattern.elements[0].span[0],
                f"A pattern with {pattern.selector} must be the only one of its MATCH.",
            )
        for element in pattern.elements:
            if isinstance(element, ast.ParenthesizedPath):
                quantified = quantified or element.quantifier is not None
                continue
            if isinstance(element.properties, ast.Parameter):
                checker.report(
                    element.properties.span[0],
                    "MATCH takes no parameter for all properties: name them, `{id: $p.id}`.",
                )
            if isinstance(element, ast.RelationshipPattern):
                quantified = quantified or element.quantifier is not None
                if element.length is not None and old is None:
                    old = element
    if quantified and old is not None:
        checker.report(old.span[0], "`[*]` cannot stand in one MATCH with a quantified path.")

"""The rule `path_shape`."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from groundwire.query.cypher import ast

if TYPE_CHECKING:
    from groundwire.query.cypher.semantics.checker import Checker

__all__ = ["path_shape"]


_RELATIONSHIP = ast.RelationshipPattern


def path_shape(path: ast.PathPattern, checker: Checker) -> None:
    """Nodes and relationships alternate; shortestPath has one relationship; bounds make sense.

    Cypher manual, "Fixed-length patterns", "Quantified path patterns", "Shortest paths".
    """
    elements = path.elements
    if path.function is not None:
        _shortest(path, checker)
    for i, (before, after) in enumerate(pairwise(elements)):
        if _is_node(before) and _is_node(after):
            first = i
            while first > 0 and isinstance(elements[first - 1], _RELATIONSHIP):
                first -= 2
            chain_follows = isinstance(elements[min(i + 2, len(elements) - 1)], _RELATIONSHIP)
            checker.report(
                elements[first].span[0] if chain_follows else after.span[0],
                "Two nodes stand side by side: put a relationship or a comma between them.",
            )
            return
    for element in elements:
        if isinstance(element, ast.ParenthesizedPath) and element.path.variable is not None:
            checker.report(
                element.path.variable.span[0], "A path within a path cannot have a variable."
            )
        if not isinstance(element, ast.NodePattern) and element.quantifier is not None:
            _bounds(element.quantifier, checker)


def _is_node(element: ast.Node) -> bool:
    """A node, or a path in brackets that is not repeated and so counts as one."""
    return isinstance(element, ast.NodePattern) or (
        isinstance(element, ast.ParenthesizedPath) and element.quantifier is None
    )


def _shortest(path: ast.PathPattern, checker: Checker) -> None:
    if len(path.elements) != 3:
        function = path.function or ""
        place = checker.text.lower().rfind(function.lower(), 0, path.elements[0].span[0])
        checker.report(place, f"{path.function} needs a pattern of one relationship.")
        return
    relationship = path.elements[1]
    if isinstance(relationship, ast.RelationshipPattern) and relationship.length is not None:
        minimum = relationship.length.minimum
        if minimum is not None and minimum > 1:
            checker.report(
                relationship.length.span[0] + 1,
                f"{path.function} takes no minimal length but 0 or 1.",
            )


def _bounds(quantifier: ast.Quantifier, checker: Checker) -> None:
    if quantifier.maximum == 0:
        checker.report(quantifier.span[0], "A path cannot be repeated at most 0 times.")
    elif quantifier.maximum is not None and quantifier.maximum < quantifier.minimum:
        checker.report(quantifier.span[0], "The lower bound is above the upper bound.")

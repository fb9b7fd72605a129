"""The rule `page_size`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.query.cypher import ast

if TYPE_CHECKING:
    from groundwire.query.cypher.semantics.checker import Checker

__all__ = ["page_size"]


def page_size(clause: ast.Projection | ast.OrderBy, checker: Checker) -> None:
    """SKIP and LIMIT take a non-negative integer that needs no variable.

    Cypher manual, "SKIP" and "LIMIT".
    """
    for word, value in (("LIMIT", clause.limit), ("SKIP", clause.skip)):
        if value is None:
            continue
        if isinstance(value, ast.Literal):
            if type(value.value) is not int or value.value < 0:
                checker.report(value.span[0], f"{word} takes a non-negative integer.")
            continue
        used = [
            node
            for node in ast.walk(value)
            if isinstance(node, ast.NodePattern)
            or (isinstance(node, ast.Variable) and node.name in checker.names)
        ]
        if used:
            place = value.span[0] if isinstance(used[0], ast.NodePattern) else used[0].span[0]
            checker.report(place, f"{word} cannot depend on a variable.")
        elif not isinstance(value, ast.Parameter):
            checker.expect_integer(value)

"""The rule `label_symbols`."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from groundwire.query.cypher import ast

if TYPE_CHECKING:
    from groundwire.query.cypher.semantics.checker import Checker

__all__ = ["label_symbols"]


def label_symbols(
    labels: ast.LabelExpression,
    element: ast.NodePattern | ast.RelationshipPattern | None,
    checker: Checker,
) -> None:
    """The colon of `A:B` does not mix with `|`, `&`, `!` and `%`; types are joined by `|`.

    `element` is the pattern with these labels, None in an expression. The old `|:` is left for
    plain relationships only: no variable, no properties, no length. Cypher manual, "Label
    expressions".
    """
    relationship = isinstance(element, ast.RelationshipPattern)
    if type(labels) is ast.LabelName or (
        isinstance(labels, ast.LabelAnd)
        and labels.colon
        and not relationship
        and all(isinstance(operand, ast.LabelName) for operand in labels.operands)
        and "&" not in checker.text[labels.span[0] : labels.span[1]]
    ):
        return
    for node in ast.walk(labels):
        if isinstance(node, ast.LabelAnd) and node.colon:
            _report_colon(node, relationship, checker)
            return
        if isinstance(node, ast.LabelOr):
            old = [bar for bar in node.bars if bar[1] - bar[0] > 1]
            if old and not _bare(element):
                checker.report(old[0][0], "Labels are joined by `|`, not by `|:`.")
                return


def _report_colon(node: ast.LabelAnd, relationship: bool, checker: Checker) -> None:
    place = node.span[0]
    for before, after in pairwise(node.operands):
        place = checker.text.find(":", before.span[1], after.span[0])
        if place >= 0:
            break
    if relationship:
        checker.report(place, "Relationship types are joined by `|`, not by `:`.")
    else:
        checker.report(place, "The `:` between labels does not mix with `|`, `&`, `!` and `%`.")


def _bare(element: ast.NodePattern | ast.RelationshipPattern | None) -> bool:
    return (
        isinstance(element, ast.RelationshipPattern)
        and element.variable is None
        and element.properties is None
        and element.length is None
    )

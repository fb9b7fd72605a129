"""The rule `created_pattern`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.query.cypher import ast

if TYPE_CHECKING:
    from groundwire.query.cypher.semantics.checker import Checker

__all__ = ["created_pattern"]


def created_pattern(patterns: tuple[ast.PathPattern, ...], clause: str, checker: Checker) -> None:
    """CREATE and MERGE make new things of one type each; what is bound only connects them.

    Cypher manual, "CREATE" and "MERGE".
    """
    for pattern in patterns:
        lonely = len(pattern.elements) == 1
        for element in pattern.elements:
            if isinstance(element, ast.NodePattern):
                _node(element, lonely, checker)
            elif isinstance(element, ast.RelationshipPattern):
                _relationship(element, clause, checker)


def _node(node: ast.NodePattern, lonely: bool, checker: Checker) -> None:
    if node.labels is not None and not _single(node.labels):
        checker.report(node.labels.span[0], "A node is created with plain labels, `:A:B`.")
    variable = node.variable
    if variable is None or variable.name not in checker.names:
        return
    if lonely or node.labels is not None or node.properties is not None:
        checker.report(variable.span[0], f"Variable `{variable.name}` is already declared.")


def _single(labels: ast.LabelExpression) -> bool:
    if isinstance(labels, ast.LabelAnd):
        return all(_single(operand) for operand in labels.operands)
    return isinstance(labels, ast.LabelName | ast.DynamicLabel)


def _relationship(element: ast.RelationshipPattern, clause: str, checker: Checker) -> None:
    start = element.span[0]
    if not isinstance(element.types, ast.LabelName | ast.DynamicLabel):
        checker.report(start, f"{clause} needs exactly one relationship type.")
    elif element.length is not None:
        checker.report(start, f"{clause} takes no variable-length relationship.")
    elif clause == "CREATE" and element.direction == "both":
        checker.report(start, "CREATE needs a direction.")
    variable = element.variable
    if variable is not None and variable.name in checker.names:
        checker.report(variable.span[0], f"Variable `{variable.name}` is already declared.")

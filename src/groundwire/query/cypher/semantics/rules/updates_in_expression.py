"""The rule `updates_in_expression`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.query.cypher import ast

if TYPE_CHECKING:
    from groundwire.query.cypher.semantics.checker import Checker

__all__ = ["updates_in_expression"]

_UPDATES = (ast.Create, ast.Merge, ast.Set, ast.Remove, ast.Delete, ast.Foreach)


def updates_in_expression(node: ast.SubqueryExpression, checker: Checker) -> None:
    """EXISTS, COUNT and COLLECT subqueries only read.

    Cypher manual, "Subqueries".
    """
    for branch in node.query.branches:
        if any(isinstance(clause, _UPDATES) for clause in branch.clauses):
            checker.report(node.span[0], f"{node.kind} {{ ... }} cannot write.")
            return

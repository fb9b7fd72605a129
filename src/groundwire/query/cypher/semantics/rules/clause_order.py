"""The rule `clause_order`."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from groundwire.query.cypher import ast

if TYPE_CHECKING:
    from groundwire.query.cypher.semantics.checker import Checker

__all__ = ["clause_order"]

_UPDATES = (ast.Create, ast.Merge, ast.Set, ast.Remove, ast.Delete, ast.Foreach)
_READS = (ast.Match, ast.Unwind, ast.LoadCsv, ast.CallProcedure, ast.CallSubquery)


def clause_order(query: ast.SingleQuery, checker: Checker) -> None:
    """RETURN and FINISH come last; a WITH stands between writing and reading again.

    Cypher manual, "Clause composition".
    """
    for before, after in pairwise(query.clauses):
        if isinstance(before, ast.Return | ast.Finish):
            word = "RETURN" if isinstance(before, ast.Return) else "FINISH"
            checker.report(before.span[0], f"{word} can only stand at the end of the query.")
        elif isinstance(before, _UPDATES) and isinstance(after, _READS):
            checker.report(after.span[0], "A WITH is needed between writing and reading.")

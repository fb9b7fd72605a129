"""The rule `procedure_call`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.query.cypher import ast

if TYPE_CHECKING:
    from groundwire.query.cypher.semantics.checker import Checker

__all__ = ["procedure_call"]


def procedure_call(clause: ast.CallProcedure, checker: Checker) -> None:
    """A procedure whose columns are named has its arguments in brackets.

    Cypher manual, "CALL procedure".
    """
    if clause.arguments is None and (clause.yields is not None or clause.yield_star):
        checker.report(clause.span[0], f"The call of `{clause.name}` needs brackets: `()`.")

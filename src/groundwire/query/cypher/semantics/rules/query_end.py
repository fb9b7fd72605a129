"""The rule `query_end`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.query.cypher import ast

if TYPE_CHECKING:
    from groundwire.query.cypher.semantics.checker import Checker

__all__ = ["query_end"]

_ENDS = (
    ast.Return,
    ast.Finish,
    ast.Create,
    ast.Merge,
    ast.Set,
    ast.Remove,
    ast.Delete,
    ast.Foreach,
    ast.Command,
    ast.Broken,
)


def query_end(query: ast.SingleQuery, kind: str, checker: Checker) -> None:
    """A query ends on RETURN, FINISH, a clause that writes, or a call that returns nothing.

    Cypher manual, "RETURN" and "FINISH".
    """
    clauses = query.clauses
    last = clauses[-1]
    if kind == "COLLECT":
        ends = isinstance(last, ast.Return)
    elif isinstance(last, ast.CallProcedure):
        ends = _standalone(query) or (last.yields is None and not last.yield_star)
    elif isinstance(last, ast.CallSubquery):
        ends = not _returns(last.query)
    else:
        ends = isinstance(last, _ENDS)
    if not ends:
        word = checker.text[last.span[0] : last.span[1]].split(None, 1)[0].upper()
        checker.report(last.span[0], f"The query cannot end with {word}: it needs a RETURN.")


def _standalone(query: ast.SingleQuery) -> bool:
    """A procedure call that is the whole query needs no RETURN."""
    return all(isinstance(clause, ast.Use) for clause in query.clauses[:-1])


def _returns(query: ast.RegularQuery) -> bool:
    return any(isinstance(branch.clauses[-1], ast.Return) for branch in query.branches)

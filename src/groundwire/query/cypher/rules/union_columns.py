from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.query.cypher import ast

if TYPE_CHECKING:
    from groundwire.query.cypher.checks import Checker


def union_columns(
    query: ast.RegularQuery, index: int, first: set[str], columns: set[str], checker: Checker
) -> None:
    """Branch `index` of a UNION has the columns of the first, in any order, and one kind of UNION.

    Cypher manual, "UNION".
    """
    if query.union_all[index - 1] != query.union_all[0]:
        checker.report(_place(query, index, checker), "UNION and UNION ALL cannot be mixed.")
    if columns != first:
        checker.report(
            _place(query, index, checker),
            "All branches of a UNION must return columns of the same names.",
        )


def _place(query: ast.RegularQuery, index: int, checker: Checker) -> int:
    """Where the UNION before a branch stands."""
    end = query.branches[index - 1].span[1]
    found = checker.text.upper().find("UNION", end)
    return max(found, end)

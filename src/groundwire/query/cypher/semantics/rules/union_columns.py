"""The rule `union_columns`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.query.cypher import ast

if TYPE_CHECKING:
    from groundwire.query.cypher.semantics.checker import Checker

__all__ = ["union_columns"]


def union_columns(
    query: ast.RegularQuery, index: int, first: set[str], columns: set[str], checker: Checker
) -> None:
    """Branch `index` of a UNION has the columns of the first, in any order, and one kind of UNION.

    Cypher manual, "UNION".
    """
    if query.union_all[index - 1] != query.union_all[0]:
        checker.report(query.union_spans[index - 1][0], "UNION and UNION ALL cannot be mixed.")
    if columns != first:
        checker.report(
            query.union_spans[index - 1][0],
            "All branches of a UNION must return columns of the same names.",
        )

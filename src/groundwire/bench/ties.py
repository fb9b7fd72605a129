"""Whether a query's ORDER BY leaves rows equal, so that a database may give them in any order."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["sort_by_outputs", "tie_breaks"]


@lru_cache(maxsize=2048)
def tie_breaks(query: str, dialect: str) -> tuple[str, ...]:
    """The query twice, with its ties broken by what it returns: upwards and downwards.

    Behind every ORDER BY come the columns of its SELECT. Where one of the two gives the rows in
    another order than the query, or (with a LIMIT) other rows, the query has several right
    answers. Nothing for a query without an ORDER BY, or one that cannot be read.
    """
    from groundwire.query.sql import parse

    parsed = parse(query, dialect)
    if not parsed.ok or len(parsed.statements) != 1:
        return ()
    found = []
    for descending in (False, True):
        statement = parsed.statements[0].copy()
        if not _extend(statement, descending):
            return ()
        found.append(statement.sql(dialect=dialect or None))
    return tuple(found)


def _extend(statement: exp.Expr, descending: bool) -> bool:
    """Add the columns to each ORDER BY of a SELECT; whether there is one."""
    from sqlglot import exp

    ordered = [query for query in statement.find_all(exp.Query) if query.args.get("order")]
    for query in ordered:
        sort_by_outputs(query, descending)
    return bool(ordered)


def sort_by_outputs(query: exp.Query, descending: bool) -> None:
    """Put the columns that a query returns behind its sort keys; the first of a star."""
    from sqlglot import exp

    order = query.args.get("order") or exp.Order(expressions=[])
    for place in range(1, (1 if query.is_star else max(1, len(query.selects))) + 1):
        key = exp.Ordered(this=exp.Literal.number(place), desc=descending, nulls_first=False)
        order.append("expressions", key)
    query.set("order", order)

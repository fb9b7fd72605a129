"""Rows in order: by which columns of the result, and with which ties."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from groundwire.bench.case import Case
from groundwire.bench.comparison.rows import Row, same_bag, same_row
from groundwire.bench.running import Outcome

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["in_order", "order_columns"]


def in_order(
    gold: Sequence[Row], found: Sequence[Row], keys: Sequence[int] | None, tolerance: float
) -> bool:
    """Whether rows come in the gold's order.

    Args:
        keys: places of the columns ordered by; neighbours that are equal in them may change places.
            None = not known, every row in its place.
    """
    if len(gold) != len(found):
        return False
    if keys is None:
        return all(same_row(a, b, tolerance) for a, b in zip(gold, found, strict=True))
    start = 0
    for _, run in groupby(gold, key=lambda row: tuple(row[key] for key in keys)):
        tied = list(run)
        if not same_bag(tied, found[start : start + len(tied)], tolerance):
            return False
        start += len(tied)
    return True


def order_columns(case: Case, gold: Outcome, dialect: str) -> list[int] | None:
    """The places of the gold's columns that its rows are ordered by; None = not known."""
    names = [name.lower() for name in gold.columns]
    if isinstance(case.order_matters, tuple):
        wanted = [name.lower() for name in case.order_matters]
        return [names.index(name) for name in wanted] if set(wanted) <= set(names) else None
    if case.language == "cypher":
        return _of_cypher(gold.query)
    return _of_sql(gold.query, dialect, names)


def _of_cypher(text: str) -> list[int] | None:
    from groundwire.query.cypher import ast, parse
    from groundwire.query.cypher.ast.shape import shape

    query = parse(text)
    if not query.statements or len(query.statements[0].query.branches) != 1:
        return None
    last = query.statements[0].query.branches[0].clauses[-1]
    if not isinstance(last, ast.Return) or not last.order_by or last.star:
        return None
    shapes = [shape(item.expression) for item in last.items]
    aliases = [item.alias.name if item.alias else None for item in last.items]
    places: list[int] = []
    for item in last.order_by:
        key = item.expression
        if isinstance(key, ast.Variable) and key.name in aliases:
            places.append(aliases.index(key.name))
        elif shape(key) in shapes:
            places.append(shapes.index(shape(key)))
        else:
            return None
    return places


def _of_sql(text: str, dialect: str, names: list[str]) -> list[int] | None:
    from sqlglot import exp

    from groundwire.query.sql import parse

    statements = parse(text, dialect).statements
    if len(statements) != 1 or not isinstance(statements[0], exp.Query):
        return None
    order = statements[0].args.get("order")
    if order is None:
        return None
    places: list[int] = []
    for item in order.expressions:
        place = _place(item.this, statements[0].selects, names)
        if place is None:
            return None
        places.append(place)
    return places


def _place(key: exp.Expr, selects: Sequence[exp.Expr], names: list[str]) -> int | None:
    """The output column that a key of an ORDER BY is."""
    from sqlglot import exp

    if isinstance(key, exp.Literal) and key.is_int:
        place = int(key.this) - 1
        return place if 0 <= place < len(names) else None
    if isinstance(key, exp.Column) and not key.table and key.name.lower() in names:
        return names.index(key.name.lower())
    written = [item.unalias().sql().lower() for item in selects]
    if len(written) == len(names) and key.sql().lower() in written:
        return written.index(key.sql().lower())
    return None

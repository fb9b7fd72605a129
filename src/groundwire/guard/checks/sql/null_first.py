"""FIL4: an order with a LIMIT in which rows without a value come first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.guard.context import SqlContext
from groundwire.guard.findings import Evidence, Finding
from groundwire.guard.selects import Select, selects
from groundwire.query.edits import Edit
from groundwire.query.sql import extent, words

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["null_first"]


def null_first(context: SqlContext) -> list[Finding]:
    """`ORDER BY discount DESC LIMIT 1` gets `NULLS LAST` where a NULL would come first.

    PostgreSQL sorts NULL as the largest value (manual, "Sorting Rows"), SQLite as the smallest
    ("NULLs and ORDER BY"), DuckDB last in either direction, where the check is silent. Only where
    the LIMIT cuts rows off and some row has a value. One statement for each such LIMIT.
    """
    if context.database.null_order == "last":
        return []
    found = (_finding(context, select) for select in selects(context))
    return [finding for finding in found if finding is not None]


def _finding(context: SqlContext, select: Select) -> Finding | None:
    if not select.order or select.limit is None or select.offset is None:
        return None
    item, sorted_by = select.order[0]
    descending = bool(item.args.get("desc"))
    place = _end_of_item(context, item, descending)
    nulls_lead = descending == (context.database.null_order == "largest")
    if not nulls_lead or place is None or not _may_be_null(select, sorted_by):
        return None
    statement = select.over_result(
        "count(*) - count(extra_0)", "count(extra_0)", "count(*)", extra=(sorted_by,)
    )
    result = context.probes.ask(statement, context.parameters, rows=1) if statement else None
    if result is None or not result.rows:
        return None
    missing, present, total = result.rows[0]
    if not missing or not present or total <= select.limit + select.offset:
        return None
    text = context.query.written(item.this)
    sentence = f"{text} has no value in {missing:,} of {total:,} rows."
    direction = "a descending" if descending else "an ascending"
    return Finding(
        code="FIL4",
        check="null_first",
        severity="fault",
        span=context.query.span(item.this),
        message=f"Rows without a value come first in {direction} order, and {sentence} "
        "They are put last.",
        evidence=(Evidence(sentence, statement or "", [missing, present], result.elapsed),),
        edits=(Edit(place, place, " NULLS LAST"),),
        action="repaired",
    )


def _may_be_null(select: Select, sorted_by: exp.Expr) -> bool:
    """Not where the catalog or the function says that there always is a value."""
    from sqlglot import exp

    if isinstance(sorted_by, exp.Count | exp.Literal | exp.RowNumber | exp.Coalesce):
        return False
    stored = select.stored(sorted_by)
    outer = any(join.kind in ("left", "right", "full", "other") for join in select.joins)
    return stored is None or outer or (stored.column.nullable and not _is_key(select, sorted_by))


def _is_key(select: Select, sorted_by: exp.Expr) -> bool:
    stored = select.stored(sorted_by)
    return stored is not None and stored.column.name in stored.table.primary_key


def _end_of_item(context: SqlContext, item: exp.Ordered, descending: bool) -> int | None:
    """Where NULLS LAST can be written; None where the draft says itself where NULLs go."""
    place = extent(context.query, item.this)
    if place is None:
        return None
    following = [word for word in words(context.query) if word.start >= place[1]]
    end = place[1]
    if following and following[0].text in ("DESC", "ASC"):
        end = following.pop(0).end
    elif descending:
        return None
    if following and following[0].text in ("NULLS", "COLLATE", "USING", "NULLS FIRST"):
        return None
    return end

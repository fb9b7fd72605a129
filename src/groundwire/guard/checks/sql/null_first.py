"""FIL4: an order with a LIMIT in which rows without a value come first."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from groundwire.counted import counted
from groundwire.guard.context import SqlContext
from groundwire.guard.findings import Finding
from groundwire.guard.selects import Select, selects
from groundwire.query.edits import Edit
from groundwire.query.sql import extent, words

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["null_first"]

_MISSING = re.compile(
    r"\b(missing|unknown|undefined|null|empty|blank|without|never|(?:not|n't) \w+ yet|not yet"
    r"|yet to|unfinished|current(?:ly)?|ongoing|still)\b",
    re.IGNORECASE,
)
"""Words of a question for which the rows without a value may be the ones to show."""


def null_first(context: SqlContext) -> list[Finding]:
    """`ORDER BY discount DESC LIMIT 1` gets `NULLS LAST` where a NULL would come first.

    PostgreSQL sorts NULL as the largest value (manual, "Sorting Rows"), SQLite as the smallest
    ("NULLs and ORDER BY"), DuckDB last in either direction, where the check is silent. Only where
    the LIMIT cuts rows off and some row has a value. The NULL of a ROLLUP's total row is none. A
    doubt where the question may ask for those without (`not shipped yet`, `current`). One statement
    for each such LIMIT.
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
    if _is_rolled_up(select, sorted_by):
        return None
    statement = select.over_result(
        "count(*) - count(extra_0)", "count(extra_0)", "count(*)", extra=(sorted_by,)
    )
    measured = context.measure(statement)
    if measured is None:
        return None
    missing, present, total = measured.row
    if not missing or not present or total <= select.limit + select.offset:
        return None
    text = context.query.written(sorted_by if item.this.is_int else item.this)
    meant = context.question is not None and _MISSING.search(context.question) is not None
    sentence = f"{text} has no value in {missing:,} of {counted(total, 'row')}."
    direction = "a descending" if descending else "an ascending"
    return Finding(
        code="FIL4",
        check="null_first",
        severity="doubt" if meant else "fault",
        span=context.query.span(item.this),
        message=f"Rows without a value come first in {direction} order, and {sentence}"
        + ("" if meant else " They are put last."),
        evidence=(measured.evidence(sentence, [missing, present]),),
        edits=() if meant else (Edit(place, place, " NULLS LAST"),),
        action="reported" if meant else "repaired",
    )


def _is_rolled_up(select: Select, sorted_by: exp.Expr) -> bool:
    """The groups have total rows, in which what is grouped by has no value."""
    from sqlglot import exp

    group = select.node.args.get("group")
    total = exp.Rollup | exp.Cube | exp.GroupingSets
    has_totals = group is not None and any(isinstance(node, total) for node in group.walk())
    return has_totals and sorted_by.find(exp.AggFunc) is None


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

"""AGG4: SUM(DISTINCT x) drops equal values of different rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.counted import counted
from groundwire.guard.context import SqlContext
from groundwire.guard.findings import Finding
from groundwire.guard.joins import key_columns, read_by
from groundwire.guard.repeats import has_plain_groups, met_once
from groundwire.guard.selects import Select, selects
from groundwire.guard.semi_join import as_exists
from groundwire.guard.wording import asks_for_different
from groundwire.query.edits import Edit
from groundwire.query.sql import comments, words

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["sum_distinct"]


def sum_distinct(context: SqlContext) -> list[Finding]:
    """`SUM(DISTINCT o.total)` counts two orders of one total once.

    Written against rows that a join repeats, which is the wrong cure: DISTINCT tells values apart,
    not rows. Decided by the keys in the draft's own rows: some group holds different rows with one
    value. A question that does not ask for different values makes it a fault, repaired where
    nothing is repeated or the joins that repeat only filter. One statement for each.
    """
    if context.question is not None and asks_for_different(context.question):
        return []
    findings = []
    for select in selects(context):
        for call in select.aggregates if has_plain_groups(select) else ():
            finding = _finding(context, select, call) if _is_added_once(call) else None
            findings += [finding] if finding else []
    return findings


def _is_added_once(call: exp.AggFunc) -> bool:
    from sqlglot import exp

    return (
        isinstance(call, exp.Sum | exp.Avg)
        and isinstance(call.this, exp.Distinct)
        and len(call.this.expressions) == 1
        and not isinstance(call.parent, exp.Filter)
    )


def _finding(context: SqlContext, select: Select, call: exp.AggFunc) -> Finding | None:
    value = call.this.expressions[0]
    read = read_by(select, value)
    if read is None or len(read) != 1:
        return None
    (source,) = read
    keys = key_columns(select, source)
    once = met_once(select, keys, value) if keys else None
    if once is None:
        return None
    statement = (
        f"SELECT count(*), count(DISTINCT v), sum(n) FROM ({once.text}) AS e{once.by_group} "
        "HAVING count(*) > count(DISTINCT v) ORDER BY count(*) - count(DISTINCT v) DESC LIMIT 1"
    )
    measured = context.measure(statement)
    if measured is None:
        return None
    rows, values, met = measured.row
    edits: tuple[Edit, ...] = ()
    if context.question is not None:
        exists = as_exists(select, source)
        edits = (*_without_distinct(context, call), *exists) if met == rows or exists else ()
    place = "In one group, " if select.group_keys else ""
    sentence = f"{place}{rows:,} rows of {source.name} have {counted(values, 'different value')}."
    asked = context.question is not None
    return Finding(
        code="AGG4",
        check="sum_distinct",
        severity="fault" if asked else "doubt",
        span=context.query.span(call),
        message=f"DISTINCT drops equal values of different rows. {sentence}",
        evidence=(measured.evidence(sentence, [rows, values]),),
        edits=edits,
        action="repaired" if edits else "refused" if asked else "reported",
    )


def _without_distinct(context: SqlContext, call: exp.AggFunc) -> tuple[Edit, ...]:
    start = context.query.span(call.this.expressions[0])[0]
    before = [word for word in words(context.query) if word.end <= start]
    if not before or before[-1].text != "DISTINCT":
        return ()
    place = before[-1].start, start
    return (Edit(*place, comments(context.query, place).lstrip(" ")),)

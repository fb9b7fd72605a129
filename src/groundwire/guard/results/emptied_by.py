"""Why a query found nothing: the condition that took the last rows away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.counted import counted
from groundwire.database.result import Result
from groundwire.guard.context import SqlContext
from groundwire.guard.findings import Evidence, Finding
from groundwire.guard.selects import Select, conjuncts, outermost
from groundwire.query.sql import extent

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["emptied_by"]

MOST_CONDITIONS = 8


def emptied_by(context: SqlContext, result: Result) -> list[Finding]:
    """Which condition of the WHERE leaves nothing, and where the stored values end.

    For each condition one count of the rows that satisfy all the others, in one statement over the
    FROM clause; where that condition compares a column with a value, the least and the greatest
    stored value too. A note: nothing may well be the true answer.
    """
    select = outermost(context)
    where = select.node.args.get("where") if select is not None else None
    if select is None or where is None or not _found_nothing(select, result):
        return []
    placed = [
        (part, place)
        for part in conjuncts(where.this)
        if (place := extent(context.query, part)) is not None
    ]
    if not 0 < len(placed) <= MOST_CONDITIONS:
        return []
    others = [[other for other, _ in placed if other is not one] for one, _ in placed]
    counts = [_count(parts, context.query.dialect) for parts in others]
    measured = context.measure(select.over_rows(*counts, where=False))
    if measured is None or not any(measured.row):
        return []
    rows = max(measured.row)
    condition, span = placed[measured.row.index(rows)]
    text = context.query.text[span[0] : span[1]]
    sentence = (
        f"No row is left because of `{text}`: without it there would be {counted(rows, 'row')}."
    )
    evidence = [measured.evidence(sentence, rows)]
    evidence += _reach(context, select, condition)
    return [
        Finding(
            code="FIL2",
            check="emptied_by",
            severity="note",
            span=span,
            message=" ".join(item.sentence for item in evidence),
            evidence=tuple(evidence),
        )
    ]


def _found_nothing(select: Select, result: Result) -> bool:
    """No rows, or the one row that aggregates over nothing give."""
    if not result.rows:
        return True
    plain = select.aggregates and not select.group_keys
    return bool(plain) and len(result.rows) == 1 and not any(result.rows[0])


def _count(conditions: list[exp.Expr], dialect: str) -> str:
    if not conditions:
        return "count(*)"
    together = " AND ".join(f"({condition.sql(dialect)})" for condition in conditions)
    return f"count(CASE WHEN {together} THEN 1 END)"


def _reach(context: SqlContext, select: Select, condition: exp.Expr) -> list[Evidence]:
    """From where to where the values of a compared column go."""
    from sqlglot import exp

    if not isinstance(condition, exp.GT | exp.GTE | exp.LT | exp.LTE | exp.Between | exp.EQ):
        return []
    column = next(condition.find_all(exp.Column), None)
    stored = select.stored(column) if column is not None else None
    if stored is None or not _is_ordered(stored.column.type):
        return []
    facts = context.statistics.extremes(stored.table, stored.column.name)
    if facts is None or facts.value[0] is None:
        return []
    least, greatest = facts.value
    sentence = f"The values of {stored.name} go from {least} to {greatest}."
    return [Evidence(sentence, facts.statement, [least, greatest], facts.seconds)]


def _is_ordered(declared: str) -> bool:
    kinds = ("int", "numeric", "decimal", "real", "double", "float", "date", "time")
    return any(kind in declared.lower() for kind in kinds)

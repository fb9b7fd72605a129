"""FIL4: a negated condition that also drops the rows without a value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.counted import counted
from groundwire.guard.context import SqlContext
from groundwire.guard.findings import Evidence, Finding
from groundwire.guard.selects import Select, outermost
from groundwire.guard.wording import asks_for_others

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["negation_drops_null"]


def negation_drops_null(context: SqlContext) -> list[Finding]:
    """`city <> 'Berlin'` for "not from Berlin" leaves out the customers without a city: said.

    A comparison with NULL is unknown, and WHERE keeps what is true (ISO/IEC 9075-2, comparison
    predicate). Whether rows without a value are meant only the asker knows, so it is a doubt. Asked
    only where the question negates; one statement for each such condition of the outermost SELECT.
    """
    select = outermost(context)
    if select is None or context.question is None or not asks_for_others(context.question):
        return []
    conditions = select.conditions
    return [item for condition in conditions for item in _findings(context, select, condition)]


def _findings(context: SqlContext, select: Select, condition: exp.Expr) -> list[Finding]:
    column = _negated(condition)
    stored = select.stored(column) if column is not None else None
    if column is None or stored is None or not stored.column.nullable:
        return []
    if any(_allows_null(other, column) for other in select.conditions):
        return []
    facts = context.statistics.nulls(stored.table, stored.column.name)
    if facts is None or not facts.value[0]:
        return []
    missing, rows = facts.value
    sentence = f"{stored.name} has no value in {missing:,} of {counted(rows, 'row')}."
    finding = Finding(
        code="FIL4",
        check="negation_drops_null",
        severity="doubt",
        span=context.query.span(condition),
        message=f"{sentence} The condition leaves these rows out too.",
        evidence=(Evidence(sentence, facts.statement, [missing, rows], facts.seconds),),
    )
    return [finding]


def _negated(condition: exp.Expr) -> exp.Expr | None:
    """The column of `column <> literal`, `NOT column = …`, `column NOT IN (…)`, `NOT LIKE`."""
    from sqlglot import exp

    if isinstance(condition, exp.NEQ):
        sides = (condition.left, condition.right)
        columns = [side for side in sides if isinstance(side, exp.Column)]
        literal = any(isinstance(side, exp.Literal | exp.Boolean) for side in sides)
        return columns[0] if len(columns) == 1 and literal else None
    negated = condition.args.get("negate")
    inside = condition.this.unnest() if isinstance(condition, exp.Not) else condition
    if not negated and not isinstance(condition, exp.Not):
        return None
    if isinstance(inside, exp.EQ | exp.In | exp.Like | exp.ILike | exp.Between):
        return inside.this if isinstance(inside.this, exp.Column) else None
    return None


def _allows_null(condition: exp.Expr, column: exp.Expr) -> bool:
    """Another condition that speaks of the missing values of the column."""
    from sqlglot import exp

    return any(isinstance(part, exp.Is) and part.this == column for part in condition.walk())

"""SYN4: a division whose divisor is zero in stored rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.guard.context import SqlContext
from groundwire.guard.findings import Finding
from groundwire.guard.selects import Select, selects
from groundwire.query.edits import Edit
from groundwire.query.sql import extent

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["division_by_zero"]


def division_by_zero(context: SqlContext) -> list[Finding]:
    """`total / stock` becomes `total / NULLIF(stock, 0)` where a row that is read has no stock.

    PostgreSQL stops with an error (22012), DuckDB gives infinity; SQLite gives NULL, where the
    check is silent. A NULL divided by 0 is NULL in each. A division within CASE or COALESCE may be
    guarded and is left alone. One statement for each division by something stored, outside WHERE.
    """
    if context.database.zero_divisor == "null":
        return []
    findings = []
    for select in selects(context):
        for division in _divisions(select):
            finding = _finding(context, select, division)
            if finding is not None:
                findings.append(finding)
    return findings


def _divisions(select: Select) -> list[exp.Div | exp.Mod | exp.IntDiv]:
    from sqlglot import exp

    having, order = select.node.args.get("having"), select.node.args.get("order")
    return [
        node
        for root in (*select.node.expressions, having, order)
        if root is not None
        for node in select.walk(root)
        if isinstance(node, exp.Div | exp.Mod | exp.IntDiv)
        and not isinstance(node.right.unnest(), exp.Literal | exp.Nullif)
        and not _is_guarded(node)
    ]


def _is_guarded(node: exp.Expr) -> bool:
    from sqlglot import exp

    guard = node.find_ancestor(exp.Case, exp.If, exp.Coalesce, exp.Filter, exp.Try, exp.Select)
    return not isinstance(guard, exp.Select)


def _finding(
    context: SqlContext, select: Select, division: exp.Div | exp.Mod | exp.IntDiv
) -> Finding | None:
    from sqlglot import exp

    divisor = division.right
    place = extent(context.query, divisor)
    if place is None or divisor.find(exp.Window, exp.Query):
        return None
    probe = _statement(select, division)
    measured = context.measure(probe)
    if measured is None or not measured.row[0]:
        return None
    zeros = measured.row[0]
    written = context.query.text[place[0] : place[1]]
    inner = written[1:-1] if isinstance(divisor, exp.Paren) else written
    sentence = f"{inner} is 0 in {zeros:,} of the rows that are divided."
    return Finding(
        code="SYN4",
        check="division_by_zero",
        severity="fault",
        span=place,
        message=f"{sentence} There the quotient is left without a value.",
        evidence=(measured.evidence(sentence, zeros),),
        edits=(Edit(*place, f"NULLIF({inner}, 0)"),),
        action="repaired",
    )


def _statement(select: Select, division: exp.Div | exp.Mod | exp.IntDiv) -> str | None:
    """How often something is divided by 0; the dividend counts where it can be asked beside it."""
    from sqlglot import exp

    divisor, dividend = division.right, division.left
    aside = dividend.find(exp.Window, exp.Query, exp.Div, exp.Mod, exp.IntDiv)
    if divisor.find(exp.AggFunc):
        extra = (divisor,) if aside else (divisor, dividend)
        present = "" if aside else " AND extra_1 IS NOT NULL"
        return select.over_groups(f"count(CASE WHEN extra_0 = 0{present} THEN 1 END)", extra=extra)
    zero = f"{divisor.sql(select.context.query.dialect)} = 0"
    if not aside and not dividend.find(exp.AggFunc):
        zero += f" AND ({dividend.sql(select.context.query.dialect)}) IS NOT NULL"
    return select.over_rows(f"count(CASE WHEN {zero} THEN 1 END)")

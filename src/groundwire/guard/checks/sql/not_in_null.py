"""FIL4: NOT IN over a list that holds a NULL, which is never true."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.guard.context import SqlContext
from groundwire.guard.findings import Finding
from groundwire.guard.selects import Select, selects
from groundwire.query.edits import Edit
from groundwire.query.sql import extent, words

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["not_in_null"]


def not_in_null(context: SqlContext) -> list[Finding]:
    """`id NOT IN (SELECT boss_id …)` gets `boss_id IS NOT NULL` where some boss_id is missing.

    `x NOT IN (a, NULL)` is `x <> a AND x <> NULL`, which is false or unknown (ISO/IEC 9075-2,
    in predicate). One statement for each NOT IN over a subquery that can be asked alone.
    """
    known = selects(context)
    findings = []
    for outer in known:
        for node in outer.walk():
            inner = _listed_by(node, known)
            if inner is not None:
                findings += _findings(context, inner)
    return findings


def _listed_by(node: exp.Expr, known: tuple[Select, ...]) -> Select | None:
    """The SELECT behind a NOT IN."""
    from sqlglot import exp

    if not isinstance(node, exp.Not):
        return None
    inside = node.this.unnest() if isinstance(node.this, exp.Paren) else node.this
    if not isinstance(inside, exp.In) or inside.args.get("query") is None:
        return None
    query = inside.args["query"].unnest()
    return next((select for select in known if select.node is query), None)


def _findings(context: SqlContext, select: Select) -> list[Finding]:
    if len(select.node.selects) != 1 or select.node.args.get("limit") is not None:
        return []
    value = select.node.selects[0].unalias()
    stored = select.stored(value)
    joined = any(join.kind not in ("inner", "cross") for join in select.joins)
    if stored is not None and not joined and not stored.column.nullable:
        return []
    statement = select.over_result("count(*) - count(extra_0)", extra=(value,))
    if select.node.args.get("distinct"):
        statement = select.over_rows(f"count(*) - count({value.sql(context.query.dialect)})")
    measured = context.measure(statement)
    if measured is None or not measured.row[0]:
        return []
    missing = measured.row[0]
    edits = _edits(context, select, value)
    text = context.query.written(value)
    sentence = f"{text} has no value in {missing:,} of the listed rows."
    finding = Finding(
        code="FIL4",
        check="not_in_null",
        severity="fault",
        span=context.query.span(value),
        message=f"NOT IN is never true of a list that holds a NULL, and {sentence}"
        + (" These are left out of the list." if edits else ""),
        evidence=(measured.evidence(sentence, missing),),
        edits=edits,
        action="repaired" if edits else "refused",
    )
    return [finding]


def _edits(context: SqlContext, select: Select, value: exp.Expr) -> tuple[Edit, ...]:
    """`… IS NOT NULL` in the WHERE of the list; () where it has no place for it."""
    from sqlglot import exp

    query = context.query
    place, whole = extent(query, value), extent(query, select.node)
    if place is None or whole is None or value.find(exp.AggFunc, exp.Window, exp.Query):
        return ()
    text = query.text[place[0] : place[1]]
    if not isinstance(value, exp.Column | exp.Func | exp.Paren):
        text = f"({text})"
    where = select.node.args.get("where")
    if where is not None:
        condition = extent(query, where.this)
        if condition is None:
            return ()
        start, end = condition
        if isinstance(where.this, exp.Or):
            return (Edit(start, start, "("), Edit(end, end, f") AND {text} IS NOT NULL"))
        return (Edit(end, end, f" AND {text} IS NOT NULL"),)
    behind = _end_of_from(context, whole)
    return (Edit(behind, behind, f" WHERE {text} IS NOT NULL"),) if behind is not None else ()


def _end_of_from(context: SqlContext, whole: tuple[int, int]) -> int | None:
    """Behind the last character of a FROM clause that nothing but GROUP BY … may follow."""
    depth, end, reading = 0, None, False
    for word in words(context.query):
        if word.start < whole[0] or word.end > whole[1]:
            continue
        depth += (word.text == "(") - (word.text == ")")
        if depth == 0 and word.text == "FROM":
            reading = True
        elif depth == 0 and word.text in _BEHIND_FROM:
            return end
        if reading:
            end = word.end
    return end


_BEHIND_FROM = {"GROUP BY", "GROUP", "HAVING", "WINDOW", "QUALIFY", "ORDER BY", "ORDER", "FETCH"}

"""FIL4: a comparison with NULL, which is never true."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from groundwire.counted import counted
from groundwire.guard.context import SqlContext
from groundwire.guard.findings import Evidence, Finding
from groundwire.guard.origins import stored_behind
from groundwire.guard.selects import Select, selects
from groundwire.guard.sql_literals import is_negated
from groundwire.query.edits import Edit
from groundwire.query.sql import extent, words

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["null_comparison"]


def null_comparison(context: SqlContext) -> list[Finding]:
    """`shipped = NULL` becomes `shipped IS NULL`, `shipped <> NULL` becomes `shipped IS NOT NULL`.

    A comparison with NULL is neither true nor false (ISO/IEC 9075-2, comparison predicate). A NULL
    in an IN or behind WHEN is a doubt where the column holds NULLs: they are not found. No probe
    for a comparison, one for a column in an IN.
    """
    from sqlglot import exp

    findings = []
    for select in selects(context):
        for node in select.find(exp.EQ, exp.NEQ):
            if (value := _compared(select, node)) is not None:
                findings.append(_rewritten(context, node, value))
        findings += [
            finding
            for node, column in _listed(select)
            if (finding := _missed(context, select, node, column)) is not None
        ]
    return findings


def _compared(select: Select, node: exp.Expr) -> exp.Expr | None:
    """What is compared with NULL; only what has a column of the draft in it."""
    from sqlglot import exp

    sides = [side for side in (node.this, node.expression) if not isinstance(side, exp.Null)]
    if len(sides) != 1 or isinstance(sides[0], exp.Predicate | exp.Connector | exp.Not):
        return None
    columns = sides[0].find_all(exp.Column)
    return sides[0] if any(select.source_of(column) is not None for column in columns) else None


def _rewritten(context: SqlContext, node: exp.Expr, value: exp.Expr) -> Finding:
    from sqlglot import exp

    test = "IS NULL" if isinstance(node, exp.EQ) else "IS NOT NULL"
    edits = _edits(context, node, value, test)
    text = context.query.written(value)
    return Finding(
        code="FIL4",
        check="null_comparison",
        severity="fault",
        span=context.query.span(node),
        message=f"A comparison with NULL is never true; `{text} {test}` is meant.",
        evidence=(_STANDARD,),
        edits=edits,
        action="repaired" if edits else "refused",
    )


_STANDARD = Evidence("A comparison with NULL is neither true nor false (ISO/IEC 9075-2).")


def _edits(context: SqlContext, node: exp.Expr, value: exp.Expr, test: str) -> tuple[Edit, ...]:
    """() where the NULL does not stand beside the value in the text."""
    from sqlglot import exp

    place = extent(context.query, value)
    if place is None:
        return ()
    tokens = words(context.query)
    if isinstance(node.expression, exp.Null):
        after = [word for word in tokens if word.start >= place[1]][:2]
        if len(after) == 2 and after[1].text == "NULL":
            return (Edit(after[0].start, after[1].end, test),)
    before = [word for word in tokens if word.end <= place[0]][-2:]
    if len(before) == 2 and before[0].text == "NULL":
        return (Edit(before[0].start, place[0], ""), Edit(place[1], place[1], f" {test}"))
    return ()


def _listed(select: Select) -> Iterator[tuple[exp.Expr, exp.Column]]:
    """(node, column) where a NULL stands in an IN, or behind the WHEN of a CASE with a value."""
    from sqlglot import exp

    for node in select.walk():
        listed: list[exp.Expr] = []
        if isinstance(node, exp.In) and not is_negated(node):
            listed = node.expressions
        elif isinstance(node, exp.Case) and node.this is not None:
            listed = [branch.this for branch in node.args["ifs"]]
        is_column = isinstance(node.this, exp.Column)
        if is_column and any(isinstance(value, exp.Null) for value in listed):
            yield node, node.this


def _missed(
    context: SqlContext, select: Select, node: exp.Expr, column: exp.Column
) -> Finding | None:
    """Rows without a value that the NULL does not find."""
    from sqlglot import exp

    stored = stored_behind(select, column)
    if stored is None or not stored.column.nullable:
        return None
    fact = context.statistics.nulls(stored.table, stored.column.name)
    if fact is None or not fact.value[0]:
        return None
    word = "IN" if isinstance(node, exp.In) else "WHEN"
    missing, rows = fact.value
    sentence = f"{stored.name} has no value in {missing:,} of {counted(rows, 'row')}."
    return Finding(
        code="FIL4",
        check="null_comparison",
        severity="doubt",
        span=context.query.span(node),
        message=f"A NULL behind {word} finds no row, and {sentence}",
        evidence=(Evidence(sentence, fact.statement, [missing, rows], fact.seconds),),
    )

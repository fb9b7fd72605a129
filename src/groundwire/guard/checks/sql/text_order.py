"""ENT4: texts that hold numbers, ordered or compared letter by letter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from groundwire.database.measuring import ReadsNumbers
from groundwire.database.statistics import Numbers
from groundwire.guard.context import SqlContext
from groundwire.guard.findings import Evidence, Finding
from groundwire.guard.selects import Select, Stored, selects
from groundwire.guard.sql_literals import holds_text
from groundwire.query.edits import Edit

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["text_order"]

_LONGEST = 15
"""Characters of a number that fits a 64-bit integer and a double exactly."""


def text_order(context: SqlContext) -> list[Finding]:
    """`ORDER BY weight` becomes `ORDER BY CAST(weight AS numeric)` where weight is text and every
    value of it is a number; so do `min`, `max` and a comparison with a number.

    As text '100' comes before '25'. Repaired only where every stored value casts and they differ in
    length: numbers of one length, such as postal codes and padded codes, have one order. A doubt
    where the engine would not take the cast there. One probe a column.
    """
    findings = []
    for select in selects(context):
        for column, place, literal in _ordered(select):
            stored = select.stored(column)
            if stored is None or not holds_text(stored.column) or stored.column.values:
                continue
            fact = context.statistics.numbers(stored.table, stored.column.name)
            if fact is None or fact.sampled is not None or not _misleads(fact.value):
                continue
            sentence = (
                f"All {fact.value.values} values of {stored.name} are numbers, of "
                f"{fact.value.shortest} to {fact.value.longest} characters."
            )
            evidence = Evidence(sentence, fact.statement, fact.value.numbers, fact.seconds)
            findings.append(
                _finding(context, select, stored, fact.value, column, place, literal, evidence)
            )
    return findings


def _ordered(select: Select) -> Iterator[tuple[exp.Column, exp.Expr, exp.Expr | None]]:
    """(column, where it stands in the text, the number it is compared with) of what is ordered."""
    from sqlglot import exp

    order = select.node.args.get("order")
    items = {id(item): resolved for item, resolved in select.order}
    for node in select.walk():
        if isinstance(node, exp.Ordered):
            meant = items.get(id(node), node.this) if order is not None else node.this
            if isinstance(meant, exp.Column):
                yield meant, node.this, None
        elif isinstance(node, exp.Min | exp.Max) and isinstance(node.this, exp.Column):
            yield node.this, node.this, None
        elif isinstance(node, exp.LT | exp.LTE | exp.GT | exp.GTE):
            for column, value in ((node.this, node.expression), (node.expression, node.this)):
                if isinstance(column, exp.Column) and _is_number(value):
                    yield column, column, value


def _is_number(value: exp.Expr) -> bool:
    from sqlglot import exp

    return isinstance(value, exp.Literal) and (
        not value.is_string or value.name.replace(".", "", 1).isdecimal()
    )


def _misleads(numbers: Numbers) -> bool:
    return numbers.all and numbers.shortest < numbers.longest <= _LONGEST


def _finding(
    context: SqlContext,
    select: Select,
    stored: Stored,
    numbers: Numbers,
    column: exp.Column,
    place: exp.Expr,
    literal: exp.Expr | None,
    evidence: Evidence,
) -> Finding:
    assert isinstance(context.database, ReadsNumbers)
    whole, broken = context.database.number_types
    kind = whole if numbers.whole == numbers.values else broken
    edits: tuple[Edit, ...] = ()
    if not (_needs_the_column(select, place) or _is_used_as_text(select, place)):
        written = context.query.written(column)
        edits = (Edit(*context.query.span(place), f"CAST({written} AS {kind})"),)
        if literal is not None and literal.is_string:
            edits += (Edit(*context.query.span(literal), literal.name),)
    return Finding(
        code="ENT4",
        check="text_order",
        severity="fault" if edits else "doubt",
        span=context.query.span(place),
        message=f"{stored.name} is text that holds numbers, which are put in order letter by "
        "letter: '100' before '25'.",
        evidence=(evidence,),
        edits=edits,
        action="repaired" if edits else "reported",
    )


def _needs_the_column(select: Select, place: exp.Expr) -> bool:
    """Under DISTINCT an engine orders only by what is selected."""
    from sqlglot import exp

    order = place.find_ancestor(exp.Order)
    own = order is not None and order is select.node.args.get("order")
    return own and select.node.args.get("distinct") is not None


def _is_used_as_text(select: Select, place: exp.Expr) -> bool:
    """The least or greatest value goes on into the query, where a number may not fit."""
    from sqlglot import exp

    extreme = place.parent
    if not isinstance(extreme, exp.Min | exp.Max):
        return False
    shown = isinstance(extreme.parent, exp.Select | exp.Alias | exp.Cast | exp.Ordered)
    return not (shown and select.is_outermost)

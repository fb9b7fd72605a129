"""ENT4: texts that hold numbers or days, ordered or compared letter by letter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from groundwire.database.measuring import ReadsNumbers
from groundwire.database.statistics import Numbers
from groundwire.guard.context import SqlContext
from groundwire.guard.findings import Evidence, Finding
from groundwire.guard.origins import stored_behind
from groundwire.guard.selects import Select, Stored, selects
from groundwire.guard.sql_codings import is_refused, readings, unsorted_dates
from groundwire.guard.sql_literals import holds_text
from groundwire.query.edits import Edit

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["text_order"]

_LONGEST = 15
"""Characters of a number that fits a 64-bit integer and a double exactly."""
_DATE_LENGTHS = range(8, 19)


@dataclass(frozen=True, slots=True)
class _Ordered:
    """What is put in order: `place` stands for the column in the text, `literals` are the bounds
    that it is compared with, () where rows are sorted.
    """

    select: Select
    stored: Stored
    column: exp.Column
    place: exp.Expr
    literals: tuple[exp.Literal, ...] = ()


def text_order(context: SqlContext) -> list[Finding]:
    """`ORDER BY weight` becomes `ORDER BY CAST(weight AS numeric)` where weight is text and every
    value of it is a number; so do `min`, `max` and a comparison or BETWEEN with numbers.

    As text '100' comes before '25'. Repaired only where every stored value casts and they differ in
    length: numbers of one length, such as postal codes and padded codes, have one order, unless
    they are compared with a bare number of another length. A doubt where the engine would not take
    the cast there, where only most of the compared texts are numbers, and where the texts are days
    whose letters sort otherwise ('12/31/2019' behind '01/15/2020'). At most two probes a column.
    """
    findings = []
    for found in _all_ordered(context):
        if holds_text(found.stored.column) and not found.stored.column.values:
            finding = _as_numbers(context, found)
            findings += [finding] if finding is not None else []
    return findings


def _all_ordered(context: SqlContext) -> Iterator[_Ordered]:
    for select in selects(context):
        for column, place, literals in _ordered(select):
            stored = stored_behind(select, column)
            if stored is not None:
                yield _Ordered(select, stored, column, place, literals)


def _ordered(
    select: Select,
) -> Iterator[tuple[exp.Column, exp.Expr, tuple[exp.Literal, ...]]]:
    """(column, where it stands in the text, the bounds it is compared with) of what is ordered."""
    from sqlglot import exp

    order = select.node.args.get("order")
    items = {id(item): resolved for item, resolved in select.order}
    for node in select.walk():
        if isinstance(node, exp.Ordered):
            meant = items.get(id(node), node.this) if order is not None else node.this
            if isinstance(meant, exp.Column):
                yield meant, node.this, ()
        elif isinstance(node, exp.Min | exp.Max) and isinstance(node.this, exp.Column):
            yield node.this, node.this, ()
        elif isinstance(node, exp.LT | exp.LTE | exp.GT | exp.GTE):
            for column, value in ((node.this, node.expression), (node.expression, node.this)):
                if isinstance(column, exp.Column) and (bounds := _bounds(value)):
                    yield column, column, bounds
        elif isinstance(node, exp.Between):
            bounds = _bounds(node.args["low"], node.args["high"])
            if isinstance(node.this, exp.Column) and bounds:
                yield node.this, node.this, bounds


def _bounds(*values: exp.Expr) -> tuple[exp.Literal, ...]:
    """The values where all are numbers or days; else ()."""
    from sqlglot import exp

    bounds = tuple(value for value in values if isinstance(value, exp.Literal))
    readable = all(_is_number(bound) or readings(bound.name) for bound in bounds)
    return bounds if len(bounds) == len(values) and readable else ()


def _is_number(value: exp.Literal) -> bool:
    return not value.is_string or value.name.replace(".", "", 1).isdecimal()


def _as_numbers(context: SqlContext, found: _Ordered) -> Finding | None:
    stored = found.stored
    fact = context.statistics.numbers(stored.table, stored.column.name)
    if fact is None or not fact.value.values:
        return None
    numbers: Numbers = fact.value
    count = (
        f"All {numbers.values:,}" if numbers.all else f"{numbers.numbers:,} of {numbers.values:,}"
    )
    sentence = (
        f"{count} values of {stored.name} are numbers, of {numbers.shortest} to "
        f"{numbers.longest} characters."
    )
    evidence = Evidence(sentence, fact.statement, numbers.numbers, fact.seconds)
    if not numbers.numbers or not all(map(_is_number, found.literals)):
        lengths = {numbers.shortest, numbers.longest}
        return _as_days(context, found) if lengths <= set(_DATE_LENGTHS) else None
    if not numbers.all:
        mostly = found.literals and numbers.numbers * 2 >= numbers.values
        return _finding(found, _NUMBERS, evidence, ()) if mostly else None
    if fact.sampled is not None or numbers.longest > _LONGEST:
        return None
    if numbers.shortest < numbers.longest:
        return _finding(found, _NUMBERS, evidence, _casts(context, found, numbers))
    odd = [bound for bound in found.literals if len(bound.name) != numbers.longest]
    bare = [bound for bound in found.literals if not bound.is_string]
    if bare and odd:
        return _finding(found, _NUMBERS, evidence, _casts(context, found, numbers))
    if bare and is_refused(context, stored, bare[0].name):
        return _finding(found, _NO_NUMBER, evidence, _casts(context, found, numbers))
    return _finding(found, _NUMBERS, evidence, ()) if odd else None


def _as_days(context: SqlContext, found: _Ordered) -> Finding | None:
    held = unsorted_dates(context, found.stored)
    if held is None:
        return None
    earlier, later, evidence = held
    said = f"text that holds days, which are put in order letter by letter: {later!r} before "
    return _finding(found, f"{said}{earlier!r}.", evidence, ())


_NO_NUMBER = "text that holds numbers, and the database compares no text with a number."
_NUMBERS = "text that holds numbers, which are put in order letter by letter: '100' before '25'."


def _finding(found: _Ordered, what: str, evidence: Evidence, edits: tuple[Edit, ...]) -> Finding:
    return Finding(
        code="ENT4",
        check="text_order",
        severity="fault" if edits else "doubt",
        span=found.select.context.query.span(found.place),
        message=f"{found.stored.name} is {what}",
        evidence=(evidence,),
        edits=edits,
        action="repaired" if edits else "reported",
    )


def _casts(context: SqlContext, found: _Ordered, numbers: Numbers) -> tuple[Edit, ...]:
    """The column as a number, and what it is compared with; () where that is no place for one."""
    assert isinstance(context.database, ReadsNumbers)
    if _needs_the_column(found.select, found.place) or _is_used_as_text(found.select, found.place):
        return ()
    whole, broken = context.database.number_types
    kind = whole if numbers.whole == numbers.values else broken
    query = context.query
    cast = f"CAST({query.written(found.column)} AS {kind})"
    quoted = [bound for bound in found.literals if bound.is_string]
    return (
        Edit(*query.span(found.place), cast),
        *(Edit(*query.span(bound), bound.name) for bound in quoted),
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

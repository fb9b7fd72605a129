"""ENT4: a literal of another type or format than the texts that the column holds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from groundwire.guard.context import SqlContext
from groundwire.guard.findings import Choice, Evidence, Finding
from groundwire.guard.origins import stored_behind
from groundwire.guard.selects import Stored, selects
from groundwire.guard.sql_codings import (
    date_format,
    flags,
    is_refused,
    meant,
    padded,
    read_date,
    readings,
    says,
)
from groundwire.guard.sql_literals import (
    TextComparison,
    are_alternatives,
    holds_text,
    literal_text,
    texts,
)
from groundwire.query.edits import Edit, apply
from groundwire.query.sql.extent import words

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["literal_type"]


def literal_type(context: SqlContext) -> list[Finding]:
    """`vip = 'true'` becomes `vip = 'Y'` where vip holds 'Y', 'N' and perhaps 'Unknown'; a date
    takes the one format in which all stored texts are dates; a code takes the zeros that the stored
    one has before it; a number or boolean that the engine would not compare with a text, or that
    equals none, becomes the stored text (0 and 1 only where nothing but yes and no is stored).

    A date with two readings is asked about. That "not yes" takes in the unknown is a doubt. Texts
    that the column holds as they are have no finding. At most three probes a literal.
    """
    compared = list(texts(context))
    findings = [_of_text(context, found, compared) for found in compared]
    findings += [_of_other(context, *found) for found in _others(context)]
    return [finding for finding in findings if finding is not None]


def _of_text(
    context: SqlContext, found: TextComparison, others: list[TextComparison]
) -> Finding | None:
    text = found.text
    if found.folds or found.stored.column.values or not (readings(text) or _is_plain(text)):
        return None
    is_flag = says(text) is not None
    if not (is_flag and found.excludes):
        fact = context.statistics.holds(found.stored.table, found.stored.column.name, text)
        if fact is None or fact.value:
            return None
    finding = _flag_text(context, found) if is_flag else None
    if finding is not None or (is_flag and found.excludes):
        return finding
    if readings(text) and (finding := _date_text(context, found)) is not None:
        return finding
    code = padded(context, found.stored, text)
    if code is None or any(o.text == code[0] and are_alternatives(found, o) for o in others):
        return None
    return _rewritten(found.stored, found.span, repr(text), code[0], code[1])


def _is_plain(text: str) -> bool:
    """It may be a flag or a code."""
    return says(text) is not None or text[:1].isdecimal()


def _flag_text(context: SqlContext, found: TextComparison) -> Finding | None:
    held = flags(context, found.stored)
    if held is None:
        return None
    values, unknown, evidence = held
    stored = found.text in {value.rstrip() for value in values}
    if stored and found.excludes and unknown:
        message = f"{found.stored.name} also holds {unknown[0]!r}, which is not {found.text!r}."
        return _finding(found.span, "doubt", message, evidence)
    value = meant(values, says(found.text) is True)
    if stored or value is None or value.casefold() == found.text.casefold():
        return None
    return _rewritten(found.stored, found.span, repr(found.text), value, evidence)


def _date_text(context: SqlContext, found: TextComparison) -> Finding | None:
    held = date_format(context, found.stored)
    if held is None or read_date(found.text, held[0]):
        return None
    form, example, evidence = held
    days = readings(found.text)
    if len(days) == 1:
        text = days[0].strftime(form)
        return _rewritten(found.stored, found.span, repr(found.text), text, evidence)
    choices = tuple(
        Choice(
            f"{found.text} is {day:%d %B %Y}",
            apply(context.query.text, [Edit(*found.span, literal_text(day.strftime(form)))]),
        )
        for day in days
    )
    message = f"{found.text!r} can be read as two dates, and {found.stored.name} holds {example!r}."
    return _finding(found.span, "fault", message, evidence, choices=choices)


def _others(context: SqlContext) -> Iterator[tuple[Stored, exp.Expr, exp.Expr]]:
    """(column, literal, comparison) where a text column meets a number or a boolean."""
    from sqlglot import exp

    for select in selects(context):
        for node in select.find(exp.EQ, exp.NEQ, exp.In, exp.Case):
            if isinstance(node, exp.EQ | exp.NEQ):
                pairs = [(node.this, node.expression), (node.expression, node.this)]
            elif isinstance(node, exp.In):
                pairs = [(node.this, value) for value in node.expressions]
            elif isinstance(node, exp.Case) and node.this is not None:
                pairs = [(node.this, branch.this) for branch in node.args["ifs"]]
            else:
                continue
            for column, literal in pairs:
                number = isinstance(literal, exp.Literal) and not literal.is_string
                if isinstance(column, exp.Column) and (number or isinstance(literal, exp.Boolean)):
                    stored = stored_behind(select, column)
                    if stored is not None and holds_text(stored.column):
                        yield stored, literal, node


def _of_other(
    context: SqlContext, stored: Stored, literal: exp.Expr, node: exp.Expr
) -> Finding | None:
    from sqlglot import exp

    place = _place(context, literal, node)
    if place is None or stored.column.values:
        return None
    written = context.query.text[slice(*place)]
    if is_refused(context, stored, written):
        if isinstance(literal, exp.Literal):
            fact = context.statistics.holds(stored.table, stored.column.name, written)
            if fact is not None and fact.value:
                sentence = f"{stored.name} holds {written!r}."
                evidence = Evidence(sentence, fact.statement, True, fact.seconds)
                return _rewritten(stored, place, written, written, evidence)
    elif _equals_some(context, stored, written):
        return None
    code = _flag(context, stored, literal) or padded(context, stored, written)
    return code and _rewritten(stored, place, written, code[0], code[1])


def _equals_some(context: SqlContext, stored: Stored, written: str) -> bool:
    """Some row matches the literal as the engine compares it; not where it fails to cast a row."""
    name, source = context.database.quote(stored.column.name), context.database.source(stored.table)
    result = context.probes.ask(f"SELECT 1 FROM {source} WHERE {name} = {written} LIMIT 1", rows=1)
    return result is not None and bool(result.rows)


def _flag(context: SqlContext, stored: Stored, literal: exp.Expr) -> tuple[str, Evidence] | None:
    """The stored text for TRUE and FALSE, and for 1 and 0 where nothing else is stored."""
    from sqlglot import exp

    is_number = isinstance(literal, exp.Literal)
    if is_number and literal.name not in ("0", "1"):
        return None
    held = flags(context, stored)
    if held is None or (is_number and len(held[0]) != 2):
        return None
    value = meant(held[0], literal.name == "1" if is_number else bool(literal.this))
    return (value, held[2]) if value is not None else None


def _place(context: SqlContext, literal: exp.Expr, node: exp.Expr) -> tuple[int, int] | None:
    """Where the literal stands; sqlglot keeps no place of TRUE and FALSE."""
    from sqlglot import exp

    if isinstance(literal, exp.Literal):
        return context.query.span(literal)
    wanted = "TRUE" if literal.this else "FALSE"
    end = context.query.span(node)[1]
    following = [word for word in words(context.query) if word.start >= end][:2]
    if len(following) == 2 and following[1].text == wanted:
        return following[1].start, following[1].end
    return None


def _rewritten(
    stored: Stored, span: tuple[int, int], written: str, value: str, evidence: Evidence
) -> Finding:
    text = literal_text(value)
    message = f"{stored.name} holds texts, which {written} never equals; {text} is meant."
    return _finding(span, "fault", message, evidence, edits=(Edit(*span, text),))


def _finding(
    span: tuple[int, int],
    severity: str,
    message: str,
    evidence: Evidence,
    *,
    edits: tuple[Edit, ...] = (),
    choices: tuple[Choice, ...] = (),
) -> Finding:
    return Finding(
        code="ENT4",
        check="literal_type",
        severity="fault" if severity == "fault" else "doubt",
        span=span,
        message=message,
        evidence=(evidence,),
        edits=edits,
        action="repaired" if edits else "reported",
        choices=choices,
    )

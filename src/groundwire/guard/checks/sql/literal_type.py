"""ENT4: a literal of another type or format than the texts that the column holds."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from typing import TYPE_CHECKING

from groundwire.database.base import CanExplain
from groundwire.errors import QueryError
from groundwire.guard.context import SqlContext
from groundwire.guard.findings import Choice, Evidence, Finding
from groundwire.guard.selects import Stored, selects
from groundwire.guard.sql_literals import (
    TextComparison,
    holds_text,
    literal_text,
    texts,
)
from groundwire.query.edits import Edit, apply

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["literal_type"]

_YES = frozenset({"y", "yes", "true", "t", "1"})
_NO = frozenset({"n", "no", "false", "f", "0"})
_UNKNOWN = frozenset({"unknown", "unk", "u", "n/a", "na", "none", "?", "-", ""})
_FLAG_VALUES = 6
_READ_DATES = 500
_FORMATS = (
    "%Y-%m-%d", "%m/%d/%Y", "%d/%m/%Y", "%d.%m.%Y", "%m-%d-%Y", "%d-%m-%Y", "%Y/%m/%d", "%Y%m%d",
    "%B %d, %Y", "%b %d, %Y", "%d %B %Y", "%d %b %Y",
)  # fmt: skip


def literal_type(context: SqlContext) -> list[Finding]:
    """`vip = 'true'` becomes `vip = 'Y'` where vip holds 'Y', 'N' and perhaps 'Unknown'; a date
    takes the one format in which all stored texts are dates; a number or boolean that the engine
    would not compare with a text becomes the stored text.

    A date with two readings is asked about. That "not yes" takes in the unknown is a doubt. Texts
    that the column holds as they are have no finding. At most two probes a literal.
    """
    findings: list[Finding | None] = [_of_text(context, found) for found in texts(context)]
    findings += [_of_other(context, *found) for found in _others(context)]
    return [finding for finding in findings if finding is not None]


def _of_text(context: SqlContext, found: TextComparison) -> Finding | None:
    if found.folds or found.stored.column.values:
        return None
    is_flag = found.text.casefold() in _YES | _NO
    if not is_flag and not _readings(found.text):
        return None
    if not (is_flag and found.excludes):
        fact = context.statistics.holds(found.stored.table, found.stored.column.name, found.text)
        if fact is None or fact.value:
            return None
    return _flag_text(context, found) if is_flag else _date_text(context, found)


def _flag_text(context: SqlContext, found: TextComparison) -> Finding | None:
    flags = _flags(context, found.stored)
    if flags is None:
        return None
    values, evidence = flags
    unknown = [value for value in values if value.strip().casefold() in _UNKNOWN]
    stored = found.text in {value.rstrip() for value in values}
    if stored and found.excludes and unknown:
        message = f"{found.stored.name} also holds {unknown[0]!r}, which is not {found.text!r}."
        return _finding(found.span, "doubt", message, evidence)
    meant = _meant(values, found.text.casefold() in _YES)
    if stored or meant is None or meant.casefold() == found.text.casefold():
        return None
    return _rewritten(found.stored, found.span, repr(found.text), literal_text(meant), evidence)


def _meant(values: tuple[str, ...], truth: bool) -> str | None:
    """The one stored value that says yes, or no."""
    words = _YES if truth else _NO
    found = [value for value in values if value.strip().casefold() in words]
    return found[0] if len(found) == 1 else None


def _flags(context: SqlContext, stored: Stored) -> tuple[tuple[str, ...], Evidence] | None:
    """The values of a column that holds nothing but yes, no and unknown."""
    name = context.database.quote(stored.column.name)
    statement = (
        f"SELECT DISTINCT {name} FROM {context.database.source(stored.table)} "
        f"WHERE {name} IS NOT NULL LIMIT {_FLAG_VALUES}"
    )
    result = context.probes.ask(statement, rows=_FLAG_VALUES)
    if result is None or not 0 < len(result.rows) < _FLAG_VALUES:
        return None
    values = tuple(sorted(str(value) for (value,) in result.rows))
    folded = {value.strip().casefold() for value in values}
    if not folded <= _YES | _NO | _UNKNOWN or not folded & _YES or not folded & _NO:
        return None
    sentence = f"{stored.name} holds {', '.join(map(repr, values))}."
    return values, Evidence(sentence, statement, values, result.elapsed)


def _date_text(context: SqlContext, found: TextComparison) -> Finding | None:
    name = context.database.quote(found.stored.column.name)
    statement = (
        f"SELECT DISTINCT {name} FROM {context.database.source(found.stored.table)} "
        f"WHERE {name} IS NOT NULL LIMIT {_READ_DATES}"
    )
    result = context.probes.ask(statement, rows=_READ_DATES)
    if result is None or not result.rows:
        return None
    fitting = [f for f in _FORMATS if all(_reads(str(value), f) for (value,) in result.rows)]
    if len(fitting) != 1 or _reads(found.text, fitting[0]):
        return None
    example = str(result.rows[0][0])
    sentence = f"All texts of {found.stored.name} are dates like {example!r}."
    evidence = Evidence(sentence, statement, example, result.elapsed)
    written = [literal_text(day.strftime(fitting[0])) for day in sorted(_readings(found.text))]
    if len(written) == 1:
        return _rewritten(found.stored, found.span, repr(found.text), written[0], evidence)
    choices = tuple(
        Choice(
            f"{found.text} is {day:%d %B %Y}",
            apply(context.query.text, [Edit(*found.span, text)]),
        )
        for day, text in zip(sorted(_readings(found.text)), written, strict=True)
    )
    message = f"{found.text!r} can be read as two dates, and {found.stored.name} holds {example!r}."
    return _finding(found.span, "fault", message, evidence, choices=choices)


def _readings(text: str) -> set[date]:
    """The dates that a text can mean."""
    return {day for pattern in _FORMATS if (day := _reads(text, pattern, strict=False)) is not None}


def _reads(text: str, pattern: str, *, strict: bool = True) -> date | None:
    """The date that a text is in a format; `strict`: written exactly so, with its zeros."""
    try:
        day = datetime.strptime(text, pattern).date()
    except ValueError:
        return None
    return None if strict and day.strftime(pattern) != text else day


def _others(context: SqlContext) -> Iterator[tuple[Stored, exp.Expr, exp.Expr]]:
    """(column, literal, comparison) where a text column meets a number or a boolean."""
    from sqlglot import exp

    for select in selects(context):
        for node in select.walk():
            if isinstance(node, exp.EQ | exp.NEQ):
                pairs = [(node.this, node.expression), (node.expression, node.this)]
            elif isinstance(node, exp.In):
                pairs = [(node.this, value) for value in node.expressions]
            else:
                continue
            for column, literal in pairs:
                number = isinstance(literal, exp.Literal) and not literal.is_string
                if isinstance(column, exp.Column) and (number or isinstance(literal, exp.Boolean)):
                    stored = select.stored(column)
                    if stored is not None and holds_text(stored.column):
                        yield stored, literal, node


def _of_other(
    context: SqlContext, stored: Stored, literal: exp.Expr, node: exp.Expr
) -> Finding | None:
    from sqlglot import exp

    place = _place(context, literal, node)
    if place is None or not _is_refused(context, stored, context.query.text[slice(*place)]):
        return None
    written = context.query.text[slice(*place)]
    if isinstance(literal, exp.Boolean):
        flags = _flags(context, stored)
        meant = _meant(flags[0], bool(literal.this)) if flags is not None else None
        if flags is None or meant is None:
            return None
        return _rewritten(stored, place, written, literal_text(meant), flags[1])
    fact = context.statistics.holds(stored.table, stored.column.name, written)
    if fact is None or not fact.value:
        return None
    evidence = Evidence(f"{stored.name} holds {written!r}.", fact.statement, True, fact.seconds)
    return _rewritten(stored, place, written, literal_text(written), evidence)


def _place(context: SqlContext, literal: exp.Expr, node: exp.Expr) -> tuple[int, int] | None:
    """Where the literal stands; sqlglot keeps no place of TRUE and FALSE."""
    from sqlglot import exp

    from groundwire.query.sql.extent import words

    if isinstance(literal, exp.Literal):
        return context.query.span(literal)
    wanted = "TRUE" if literal.this else "FALSE"
    end = context.query.span(node)[1]
    following = [word for word in words(context.query) if word.start >= end][:2]
    if len(following) == 2 and following[1].text == wanted:
        return following[1].start, following[1].end
    return None


def _is_refused(context: SqlContext, stored: Stored, written: str) -> bool:
    """The engine does not compare such a column with such a literal."""
    database = context.database
    if not isinstance(database, CanExplain):
        return False
    name = database.quote(stored.column.name)
    try:
        database.explain(
            f"SELECT 1 FROM {context.database.source(stored.table)} WHERE {name} = {written}"
        )
    except QueryError:
        return True
    return False


def _rewritten(
    stored: Stored, span: tuple[int, int], written: str, text: str, evidence: Evidence
) -> Finding:
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

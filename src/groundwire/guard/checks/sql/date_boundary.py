"""FIL3: a plain date as the bound of a column that holds times of day."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Literal

from groundwire.guard.context import SqlContext
from groundwire.guard.findings import Evidence, Finding
from groundwire.guard.origins import stored_behind
from groundwire.guard.selects import Select, Stored, conjuncts, selects
from groundwire.query.edits import Edit
from groundwire.query.sql.extent import Word, extent, words

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["date_boundary"]

_PLAIN = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_WHOLE_DAYS = re.compile(
    r"\b(through|thru|until|till|inclusive\w*|including|up to|end of|last day)\b", re.IGNORECASE
)
_COUNTED = 1000
_DATES = ("date", "timestamp", "timestamptz", "timestampntz")

_Kind = Literal["between", "<=", ">", "="]


@dataclass(frozen=True, slots=True)
class _Bound:
    """`column kind 'date'`: `literal` is the text token, `value` the whole right side."""

    select: Select
    stored: Stored
    kind: _Kind
    node: exp.Expr
    column: exp.Column
    value: exp.Expr
    literal: exp.Literal


def date_boundary(context: SqlContext) -> list[Finding]:
    """`t BETWEEN '2020-01-01' AND '2020-12-31'` becomes `t >= '2020-01-01' AND t < '2021-01-01'`
    where rows lie on that last day after midnight, which a date as an upper bound leaves out.

    The same for `<=`, and for `=` where no row lies at midnight. Repaired where the bound is the
    last day of a month or the question names whole days, else a doubt, and so behind a `>` for the
    same column; a bound that is the first of a month is left alone: there midnight is meant. Where
    no such row is stored nothing is said. A day that no month has (`'2020-02-30'`) becomes the end
    of its month on engines that refuse it. One probe a bound, two for `=`.
    """
    findings = []
    for bound in _bounds(context):
        finding = _no_such_day(context, bound) or _judged(context, bound)
        if finding is not None:
            findings.append(finding)
    return findings


def _bounds(context: SqlContext) -> Iterator[_Bound]:
    from sqlglot import exp

    kinds: dict[type[exp.Expr], _Kind] = {exp.LTE: "<=", exp.GT: ">", exp.EQ: "="}
    for select in selects(context):
        for node in select.walk():
            if isinstance(node, exp.Between):
                kind: _Kind | None = "between"
                value = node.args["high"]
            else:
                kind, value = kinds.get(type(node)), node.args.get("expression")
            if kind is None or not isinstance(node.this, exp.Column):
                continue
            stored, literal = stored_behind(select, node.this), _date_literal(value)
            if stored is not None and literal is not None:
                yield _Bound(select, stored, kind, node, node.this, value, literal)


def _date_literal(value: exp.Expr | None) -> exp.Literal | None:
    from sqlglot import exp

    if isinstance(value, exp.Cast) and value.is_type(*_DATES):
        value = value.this
    if isinstance(value, exp.Literal) and value.is_string and _PLAIN.fullmatch(value.name):
        return value
    return None


def _no_such_day(context: SqlContext, bound: _Bound) -> Finding | None:
    year, month, day = map(int, bound.literal.name.split("-"))
    valid = 1 <= month <= 12 and year > 0
    if not valid or not 28 < day <= 31 or day <= monthrange(year, month)[1]:
        return None
    if bound.kind not in ("between", "<=") or not context.database.has_dates:
        return None
    declared = bound.stored.column.type.lower()
    last = date(year, month, monthrange(year, month)[1])
    edits: tuple[Edit, ...] = ()
    if declared == "date":
        edits = (_rewritten(context, bound, last),)
    elif _holds_times(declared):
        edits = _half_open(context, bound, last + timedelta(days=1))
    if not edits:
        return None
    return _finding(
        bound,
        f"There is no {bound.literal.name}; the month ends on {last}.",
        Evidence("By the calendar."),
        edits,
    )


def _judged(context: SqlContext, bound: _Bound) -> Finding | None:
    if not _holds_times(bound.stored.column.type.lower()):
        return None
    try:
        day = date.fromisoformat(bound.literal.name)
    except ValueError:
        return None
    following = day + timedelta(days=1)
    ends_month = following.day == 1
    if (day.day == 1 and bound.kind != "=") or (bound.kind == ">" and not ends_month):
        return None
    evidence = _rows_after_midnight(context, bound, day, following)
    if evidence is None:
        return None
    if bound.kind == ">":
        return _finding(bound, f"Rows of {day} after midnight count as after {day}.", evidence)
    edits: tuple[Edit, ...] = ()
    whole = bound.kind == "=" or ends_month or _asks_for_whole_days(context.question, day)
    if whole and not _is_behind_a_moment(bound):
        edits = _half_open(context, bound, following)
    lost = "is not midnight" if bound.kind == "=" else "is left out"
    return _finding(bound, f"What {bound.stored.name} holds of {day} {lost}.", evidence, edits)


def _is_behind_a_moment(bound: _Bound) -> bool:
    """`t > a AND t <= b`, as `t >= a AND t < b` turned round: its ends are moments, not days."""
    from sqlglot import exp

    whole = bound.node
    while isinstance(whole.parent, exp.And | exp.Paren):
        whole = whole.parent
    return bound.kind == "<=" and any(
        isinstance(other, exp.GT) and other.this == bound.column for other in conjuncts(whole)
    )


def _rows_after_midnight(
    context: SqlContext, bound: _Bound, day: date, following: date
) -> Evidence | None:
    """The measured rows of that day that the bound misses; None where there are none."""
    name = context.database.quote(bound.stored.column.name)
    source = context.database.source(bound.stored.table)
    if bound.kind == "=":
        midnight = f"SELECT 1 FROM {source} WHERE {name} = '{day}' LIMIT 1"
        exact = context.probes.ask(midnight, rows=1)
        if exact is None or exact.rows:
            return None
    statement = (
        f"SELECT count(*) FROM (SELECT 1 FROM {source} "
        f"WHERE {name} > '{day}' AND {name} < '{following}' LIMIT {_COUNTED}) r"
    )
    result = context.probes.ask(statement, rows=1)
    if result is None or not result.rows[0][0]:
        return None
    count = result.rows[0][0]
    some = f"{count}" if count < _COUNTED else f"At least {count}"
    rows = "row lies" if count == 1 else "rows lie"
    sentence = f"{some} {rows} on {day} after midnight."
    return Evidence(sentence, statement, count, result.elapsed)


def _asks_for_whole_days(question: str | None, day: date) -> bool:
    return question is not None and (
        day.isoformat() in question or _WHOLE_DAYS.search(question) is not None
    )


def _holds_times(declared: str) -> bool:
    return declared.startswith(("timestamp", "datetime"))


def _half_open(context: SqlContext, bound: _Bound, following: date) -> tuple[Edit, ...]:
    """The edits that let the bound be `< following`; none where the text has no place for them."""
    tokens, query = words(context.query), context.query
    column_end = query.span(bound.column)[1]
    operator = next((word for word in tokens if word.start >= column_end), None)
    if operator is None or not _may_hold_and(bound):
        return ()
    if bound.kind == "<=":
        if operator.text != "<=":
            return ()
        return (Edit(operator.start, operator.end, "<"), _rewritten(context, bound, following))
    column = query.written(bound.column)
    if bound.kind == "=":
        return _day(context, bound, operator, column, following)
    low = bound.node.args["low"]
    joining = next((w for w in tokens if w.text == "AND" and w.start >= query.span(low)[1]), None)
    plain = _date_literal(low) is not None and operator.text == "BETWEEN"
    if joining is None or not plain or not _follows(tokens, operator, low, context):
        return ()
    return (
        Edit(operator.start, operator.end, ">="),
        Edit(joining.start, joining.end, f"AND {column} <"),
        _rewritten(context, bound, following),
    )


def _day(
    context: SqlContext, bound: _Bound, operator: Word, column: str, following: date
) -> tuple[Edit, ...]:
    place = extent(context.query, bound.value)
    if operator.text != "=" or place is None:
        return ()
    return (
        Edit(operator.start, operator.end, ">="),
        Edit(place[1], place[1], f" AND {column} < '{following}'"),
    )


def _follows(tokens: tuple[Word, ...], operator: Word, low: exp.Expr, context: SqlContext) -> bool:
    """No SYMMETRIC stands behind BETWEEN."""
    after = tokens[tokens.index(operator) + 1]
    return after.text != "SYMMETRIC" and after.start <= context.query.span(low)[0]


def _may_hold_and(bound: _Bound) -> bool:
    """Two conditions with AND may stand in the place of the one."""
    from sqlglot import exp

    parent = bound.node.parent
    if bound.kind == "<=":
        return True
    return isinstance(
        parent,
        exp.And | exp.Or | exp.Where | exp.Having | exp.Paren | exp.Join | exp.If | exp.Alias,
    )


def _rewritten(context: SqlContext, bound: _Bound, day: date) -> Edit:
    return Edit(*context.query.span(bound.literal), f"'{day}'")


def _finding(
    bound: _Bound, message: str, evidence: Evidence, edits: tuple[Edit, ...] = ()
) -> Finding:
    return Finding(
        code="FIL3",
        check="date_boundary",
        severity="fault" if edits else "doubt",
        span=bound.select.context.query.span(bound.node),
        message=message,
        evidence=(evidence,),
        edits=edits,
        action="repaired" if edits else "reported",
    )

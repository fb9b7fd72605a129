"""Parts of a time in the SQL of each dialect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.draft.offline.resolve import Unlinked

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["time_part"]

_SQLITE = {
    "year": "CAST(STRFTIME('%Y', {}) AS INTEGER)",
    "quarter": "(CAST(STRFTIME('%m', {}) AS INTEGER) + 2) / 3",
    "month": "CAST(STRFTIME('%m', {}) AS INTEGER)",
    "dayofmonth": "CAST(STRFTIME('%d', {}) AS INTEGER)",
    "day": "DATE({})",
    "hour": "CAST(STRFTIME('%H', {}) AS INTEGER)",
    "dow": "CAST(STRFTIME('%w', {}) AS INTEGER)",
    "isodow": "(CAST(STRFTIME('%w', {}) AS INTEGER) + 6) % 7 + 1",
    "weekday": "CASE CAST(STRFTIME('%w', {}) AS INTEGER) WHEN 0 THEN 'Sunday' WHEN 1 THEN 'Monday'"
    " WHEN 2 THEN 'Tuesday' WHEN 3 THEN 'Wednesday' WHEN 4 THEN 'Thursday' WHEN 5 THEN 'Friday'"
    " ELSE 'Saturday' END",
}
_COMMON = {
    "year": "EXTRACT(YEAR FROM {})",
    "quarter": "EXTRACT(QUARTER FROM {})",
    "month": "EXTRACT(MONTH FROM {})",
    "week": "EXTRACT(WEEK FROM {})",
    "dayofmonth": "EXTRACT(DAY FROM {})",
    "day": "CAST({} AS DATE)",
    "hour": "EXTRACT(HOUR FROM {})",
}
_DIALECTS = {
    "sqlite": _SQLITE,
    "duckdb": {
        **_COMMON,
        "dow": "EXTRACT(DOW FROM {})",
        "isodow": "EXTRACT(ISODOW FROM {})",
        "weekday": "DAYNAME({})",
    },
    "postgres": {
        **_COMMON,
        "dow": "EXTRACT(DOW FROM {})",
        "isodow": "EXTRACT(ISODOW FROM {})",
        "weekday": "TO_CHAR({}, 'FMDay')",
    },
}


def time_part(unit: str, moment: exp.Expr, dialect: str) -> exp.Expr:
    """A part of a date or timestamp; `isodow` is 1 (Monday) to 7, `dow` 0 (Sunday) to 6.

    Raises:
        Unlinked: the dialect has no such part.
    """
    import sqlglot

    template = _DIALECTS.get(dialect, _COMMON).get(unit)
    if template is None:
        raise Unlinked(f"{dialect} gives no {unit} of a date here")
    return sqlglot.parse_one(template.format(moment.sql(dialect=dialect)), dialect=dialect)

"""Times of a question as filters on the column that says when a row happened."""

from __future__ import annotations

from groundwire.database.catalog import Table
from groundwire.draft.offline.lexicon import Field
from groundwire.draft.offline.mentions import Mention
from groundwire.draft.offline.plan import AnyOf, Compares, Equals, Filter, InPart, InRange, TimePart
from groundwire.draft.offline.resolve import Ambiguous, Context, Notes, Unlinked, spoken
from groundwire.draft.offline.syntax import During, TimeUnit
from groundwire.draft.offline.time_ranges import Part, Period

__all__ = ["during", "merged", "only_one"]


def during(context: Context, table: Table, condition: During, notes: Notes) -> Filter:
    """A row happened in one of the times."""
    filters = [_time(context, table, time, condition.column, notes) for time in condition.times]
    for time in condition.times:
        notes.assume(time.assumed)
    if len(filters) == 1:
        return filters[0]
    return merged(filters) or AnyOf(tuple(filters))


def merged(filters: list[Filter]) -> Filter | None:
    """Several years as one IN."""
    fields = {f.field for f in filters if isinstance(f, Equals)}
    if len(fields) == 1 and all(isinstance(f, Equals) for f in filters):
        values = tuple(v for f in filters if isinstance(f, Equals) for v in f.values)
        return Equals(next(iter(fields)), values)
    return None


def _time(
    context: Context, table: Table, time: Period | Part, column: Mention | None, notes: Notes
) -> Filter:
    dates, years = context.temporal(table), context.years(table)
    if column is not None:
        found = context.column(column, table, notes, {"date", "number"})
        dates = [found] if context.kind(found) == "date" else []
        years = [found] if found in context.years(found.table) else []
    if isinstance(time, Part):
        field = only_one(dates, table, time.label)
        if time.unit == "hour" and field.column.type.lower() == "date":
            raise Unlinked(f"{spoken(field)} has no time of day")
        notes.read(time.label, f"by {spoken(field)}")
        return InPart(TimePart(field, _UNITS[time.unit]), time.values)
    if (
        time.years is not None
        and len(years) == 1
        and (column is not None or _is_event_year(context, years[0], dates))
    ):
        notes.read(time.label, f"by {spoken(years[0])}")
        return _year_filter(context, years[0], time)
    field = only_one(dates, table, time.label)
    notes.read(time.label, f"by {spoken(field)}")
    return InRange(
        field,
        time.start.isoformat() if time.start else None,
        time.end.isoformat() if time.end else None,
    )


_UNITS: dict[str, TimeUnit] = {"hour": "hour", "weekday": "weekday", "month": "month", "day": "day"}


def _is_event_year(context: Context, year: Field, dates: list[Field]) -> bool:
    """A column named just `year` says when a row happened; `birth_year` only if asked for."""
    return year.column.name.lower() == "year"


def only_one(fields: list[Field], table: Table, phrase: str) -> Field:
    """The only field there is."""
    if len(fields) == 1:
        return fields[0]
    if not fields:
        raise Unlinked(f"“{phrase}”: {table.name} has no date that it could mean")
    raise Ambiguous(f"“{phrase}” may be by {', '.join(map(spoken, fields))}")


def _year_filter(context: Context, year: Field, period: Period) -> Filter:
    assert period.years is not None
    first, last = period.years
    text = bool(context.values.profile(year.table, year.column).counts)
    if first is not None and first == last:
        return Equals(year, (str(first) if text else first,))
    if first is not None and last is not None:
        return Compares(year, "between", (first, last))
    if first is not None:
        return Compares(year, ">=", (first,))
    return Compares(year, "<=", (last if last is not None else 0,))

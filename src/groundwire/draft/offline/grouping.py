"""Groups: what `per district`, `each month` and `in each stadium` group by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from groundwire.database.catalog import Table
from groundwire.draft.offline.joins import Path, is_to_one
from groundwire.draft.offline.lexicon import Field
from groundwire.draft.offline.plan import Equals, Expression, Filter, InRange, TimePart
from groundwire.draft.offline.resolve import Ambiguous, Context, Notes, Unlinked, spoken
from groundwire.draft.offline.syntax import GroupBy, TimeUnit

__all__ = ["Grouping", "group", "key_and_label", "one_year", "row_identity", "time_unit"]


@dataclass(frozen=True)
class Grouping:
    """Expressions to group by; `parent` is set where the groups are the rows of a parent table."""

    expressions: tuple[Expression, ...]
    parent: Table | None = None
    path: Path = ()


def group(
    context: Context,
    table: Table,
    groups: Sequence[GroupBy],
    filters: Sequence[Filter],
    notes: Notes,
) -> Grouping:
    """Resolve groups for rows of a table.

    Raises:
        Unlinked, Ambiguous: a group does not fit the table, or may mean several things.
    """
    units = {g.unit for g in groups if g.unit is not None}
    expressions: list[Expression] = []
    for target in groups:
        if target.unit is not None:
            bounded = "year" in units or one_year(filters)
            expressions.append(time_unit(context, table, target.unit, notes, bounded=bounded))
            continue
        found = _target(context, table, target, notes)
        if isinstance(found, Grouping):
            if len(groups) > 1:
                raise Unlinked("groups of two tables are not combined")
            return found
        expressions.extend(found)
    return Grouping(tuple(dict.fromkeys(expressions)))


def time_unit(
    context: Context, table: Table, unit: TimeUnit, notes: Notes, *, bounded: bool
) -> Expression:
    """The year, month, … of a row. `bounded` = the year is fixed or grouped by as well."""
    dates, years = context.temporal(table), context.years(table)
    if unit == "year" and len(years) == 1:
        notes.read("year", spoken(years[0]))
        return years[0]
    if len(dates) != 1:
        if len(dates) > 1:
            raise Ambiguous(f"“{unit}” may be by {', '.join(map(spoken, dates))}")
        raise Unlinked(f"{table.name} has no date for “{unit}”")
    if unit == "calendar month":
        return TimePart(dates[0], "month")
    if unit in {"month", "quarter", "week"} and not bounded:
        raise Ambiguous(
            f"“{unit}” may be a {unit} of the calendar or a {unit} of one year; name a year,"
            f" or ask “per year and {unit}”"
        )
    if unit == "hour" and dates[0].column.type.lower() == "date":
        raise Unlinked(f"{spoken(dates[0])} has no time of day")
    notes.read(unit, f"the {unit} of {spoken(dates[0])}")
    return TimePart(dates[0], unit)


def one_year(filters: Sequence[Filter]) -> bool:
    """Whether the filters keep the rows of a single year only."""
    for found in filters:
        if (
            isinstance(found, Equals)
            and len(found.values) == 1
            and not found.negated
            and "year" in found.field.column.name.lower()
        ):
            return True
        if isinstance(found, InRange) and found.start and found.end:
            last = int(found.end[:4]) - (found.end[4:] == "-01-01")
            if int(found.start[:4]) == last:
                return True
    return False


def _target(
    context: Context, table: Table, target: GroupBy, notes: Notes
) -> tuple[Expression, ...] | Grouping:
    mention = target.target
    assert mention is not None
    if mention.kind == "column":
        found = context.column(mention, table, notes, categories=True)
        return key_and_label(context, table, found)
    tables = [n for n in mention.named if n.quality == max(m.quality for m in mention.named)]
    if len(tables) != 1:
        raise Ambiguous(f"“{mention.text}” may mean {', '.join(n.table.name for n in tables)}")
    parent = tables[0].table
    notes.cost += (1 - tables[0].quality) * 2
    if target.kinds:
        if parent is not table:
            raise Unlinked(f"the kinds of {parent.name} are no group of {table.name}")
        return (context.kind_column(parent),)
    notes.read(mention.text, f"rows of {parent.name}")
    if parent is table:
        return row_identity(context, table)
    path = context.path_to(parent, table)
    if path is None or is_to_one(path):
        raise Unlinked(f"{parent.name} is no group of {table.name}")
    notes.cost += 0.15
    return Grouping(row_identity(context, parent), parent, path)


def row_identity(context: Context, table: Table) -> tuple[Field, ...]:
    """Key and label of a row: two rows with the same name stay apart."""
    keys = tuple(Field(table, c) for c in table.columns if c.name in table.primary_key)
    labels = context.labels(table)
    if not keys and not labels:
        raise Unlinked(f"{table.name} has neither a key nor a name")
    return tuple(dict.fromkeys((*keys, *labels)))


def key_and_label(context: Context, table: Table, found: Field) -> tuple[Field, ...]:
    """A foreign key is shown with the name of what it points to."""
    parent = context.graph.parent_of(found.table, found.column.name)
    if parent is None or found.table is not table:
        return (found,)
    labels = [f for f in context.labels(parent) if f.column.name not in parent.primary_key]
    path = context.path_to(table, parent)
    return (found, *labels) if path is not None and len(path) == 1 else (found,)

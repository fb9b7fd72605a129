"""Conditions of a question as filters on the rows of one table."""

from __future__ import annotations

from collections.abc import Iterable

from groundwire.database.catalog import Table
from groundwire.draft.offline.comparison_filters import compared, missing, versus
from groundwire.draft.offline.joins import Path, is_to_one
from groundwire.draft.offline.lexicon import Field
from groundwire.draft.offline.plan import (
    AnyOf,
    Best,
    Contains,
    Equals,
    Filter,
    HasRows,
    Literal_,
    RowCount,
)
from groundwire.draft.offline.resolve import TIE, Ambiguous, Context, Notes, Unlinked, spoken
from groundwire.draft.offline.syntax import (
    ColumnOf,
    Compared,
    Condition,
    Counted,
    During,
    Either,
    Flagged,
    Is,
    Missing,
    Noun,
    Pick,
    Related,
    TextMatch,
    VersusAverage,
)
from groundwire.draft.offline.time_filters import during, merged, only_one
from groundwire.draft.offline.value_filters import flagged, is_filters

__all__ = ["filters_for", "noun_tables", "pick_field"]


def filters_for(
    context: Context, table: Table, conditions: Iterable[Condition], notes: Notes
) -> tuple[Filter, ...]:
    """Filters on rows of the table, superlatives last: they pick among what the others keep.

    Raises:
        Unlinked: a condition does not fit the table.
    """
    plain = [c for c in conditions if not isinstance(c, Pick)]
    picks = [c for c in conditions if isinstance(c, Pick)]
    found: list[Filter] = []
    for condition in plain:
        found.extend(_filters(context, table, condition, notes))
    _check_agreement(found)
    for pick in picks:
        found.append(_best(context, table, pick, tuple(found), notes))
    return tuple(found)


def _check_agreement(filters: list[Filter]) -> None:
    """`English and Dutch` as two conditions on one row would be true of none."""
    allowed: dict[Field, set[Literal_]] = {}
    for found in filters:
        if isinstance(found, Equals) and not found.negated:
            known = allowed.setdefault(found.field, set(found.values))
            known &= set(found.values)
            if not known:
                raise Unlinked(f"no row has two values in {spoken(found.field)}")


def _filters(context: Context, table: Table, condition: Condition, notes: Notes) -> list[Filter]:
    if isinstance(condition, Is):
        return is_filters(context, table, condition, notes)
    if isinstance(condition, Flagged):
        return [flagged(context, table, condition, notes)]
    if isinstance(condition, Compared):
        return [compared(context, table, condition, notes)]
    if isinstance(condition, During):
        return [during(context, table, condition, notes)]
    if isinstance(condition, Missing):
        return [missing(context, table, condition, notes)]
    if isinstance(condition, TextMatch):
        found = context.column(condition.column, table, notes, {"text"})
        return [Contains(found, condition.how, condition.text, condition.negated)]
    if isinstance(condition, VersusAverage):
        return [versus(context, table, condition, notes)]
    if isinstance(condition, Either):
        parts = [f for c in condition.conditions for f in _filters(context, table, c, notes)]
        return [merged(parts) or AnyOf(tuple(parts))]
    if isinstance(condition, Related):
        return [_related(context, table, condition, notes)]
    if isinstance(condition, Counted):
        return [_counted(context, table, condition, notes)]
    raise Unlinked("a superlative stands where it cannot be read")


# Related rows


def noun_tables(context: Context, noun: Noun) -> list[tuple[Table, float]]:
    """The tables whose rows a noun may mean, with the cost of reading it so."""
    if noun.head is not None and noun.head.kind == "table":
        best = max(n.quality for n in noun.head.named)
        return [(n.table, (1 - n.quality) * 2) for n in noun.head.named if n.quality == best]
    tables: dict[tuple[str, str], tuple[Table, float]] = {}
    for condition in noun.conditions:
        if isinstance(condition, Is):
            for stored in condition.values[0].stored:
                key = (stored.field.table.schema, stored.field.table.name)
                tables[key] = (stored.field.table, 0.05)
        elif isinstance(condition, Flagged):
            mention = condition.mention
            main = context.lexicon.main_table() if mention.convention else None
            for table in [f.table for f in mention.flags] + ([main] if main else []):
                tables[table.schema, table.name] = (table, 0.05)
    found = list(tables.values())
    children = [
        (table, cost)
        for table, cost in found
        if not any(context.graph.references(other, table) for other, _ in found)
    ]
    return children or found


def _inner(
    context: Context, table: Table, noun: Noun, notes: Notes
) -> tuple[Path, tuple[Filter, ...]]:
    """The path to a noun's rows and the filters on them, for the cheapest reading."""
    if noun.head is not None and noun.head.kind == "column":
        raise Unlinked(f"“{noun.head.text}” is no set of rows")
    if any(isinstance(c, Is) and c.every and len(c.values) > 1 for c in noun.conditions):
        raise Ambiguous("“and” may join two conditions on one row or on two rows")
    readings: list[tuple[float, Path, tuple[Filter, ...], Notes]] = []
    problem = Unlinked("the relation is not understood")
    for target, cost in noun_tables(context, noun):
        if target is table:
            continue
        path = context.path_to(table, target)
        if path is None:
            problem = Unlinked(f"{table.name} and {target.name} are not joined by one key")
            continue
        inner = Notes()
        try:
            filters = filters_for(context, target, noun.conditions, inner)
        except Unlinked as error:
            problem = error
            continue
        readings.append((cost + inner.cost + 0.1 * len(path), path, filters, inner))
    if not readings:
        raise problem
    readings.sort(key=lambda reading: reading[0])
    if len(readings) > 1 and readings[1][0] - readings[0][0] < TIE:
        raise Ambiguous("the related rows may be of two tables")
    cost, path, filters, inner = readings[0]
    notes.cost += cost
    notes.assumptions += inner.assumptions
    notes.meanings += inner.meanings
    if noun.head is not None:
        notes.read(noun.head.text, f"rows of {path[-1].right.name}")
    return path, filters


def _related(context: Context, table: Table, condition: Related, notes: Notes) -> Filter:
    path, filters = _inner(context, table, condition.noun, notes)
    return HasRows(path, filters, condition.negated)


def _counted(context: Context, table: Table, condition: Counted, notes: Notes) -> Filter:
    path, filters = _inner(context, table, condition.noun, notes)
    if is_to_one(path):
        raise Unlinked(f"a row of {table.name} has one {path[-1].right.name} at most")
    comparison = condition.comparison
    return RowCount(path, filters, comparison.operator, comparison.values)


def _best(
    context: Context, table: Table, pick: Pick, filters: tuple[Filter, ...], notes: Notes
) -> Filter:
    if pick.count != 1 or not isinstance(pick.by, ColumnOf | None):
        raise Unlinked("this superlative inside another phrase is not read")
    found, descending = pick_field(context, table, pick, notes)
    return Best(found, descending, filters)


def pick_field(context: Context, table: Table, pick: Pick, notes: Notes) -> tuple[Field, bool]:
    """The column by which a superlative chooses rows, and its direction."""
    if pick.by is None:
        dates = context.temporal(table) or context.years(table)
        return only_one(dates, table, "latest" if pick.descending else "earliest"), pick.descending
    assert isinstance(pick.by, ColumnOf)
    if pick.by.column is not None:
        found = context.column(pick.by.column, table, notes, {"number", "date"})
        return found, pick.descending
    found, same = context.about(pick.by.about, table, notes)
    return found, pick.descending == same

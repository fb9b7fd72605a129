"""Plans that answer with rows of a table: `which stadiums`, `the names of the singers who`."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.database.catalog import Table
from groundwire.draft.offline.filters import filters_for, noun_tables, pick_field
from groundwire.draft.offline.grouping import group, row_identity
from groundwire.draft.offline.joins import is_to_one
from groundwire.draft.offline.lexicon import Field
from groundwire.draft.offline.naming import count_name
from groundwire.draft.offline.plan import Aggregate, Filter, Members, OutputColumn, Plan, Rank
from groundwire.draft.offline.resolve import Context, Notes, Unlinked
from groundwire.draft.offline.shaping import child_count, named, ordered, superlative_of
from groundwire.draft.offline.syntax import AggregateOf, Ask, ColumnOf, CountOf, Noun, Pick

__all__ = ["check_same_rows", "children_of", "row_plan"]


def row_plan(
    context: Context, ask: Ask, table: Table, shown: Sequence[Field], notes: Notes
) -> Plan:
    """`which stadiums …`, `the names of …`."""
    pick, others = superlative_of(ask.noun)
    if ask.noun.head is not None:
        notes.read(ask.noun.head.text, f"rows of {table.name}")
    if ask.groups:
        if any(g.target is None or g.target.kind != "table" for g in ask.groups):
            raise Unlinked("a list for each group is not read")
        check_same_rows(context, ask, table, notes)
    filters = filters_for(context, table, others, notes)
    outputs = named(tuple(shown))
    if pick is None:
        distinct = ask.noun.distinct or any(
            isinstance(o, ColumnOf) and o.distinct for o in ask.outputs
        )
        plan = Plan(table, outputs, filters, distinct=distinct)
        return ordered(context, ask, plan, notes)
    if ask.order is not None and ask.order.by is not None:
        raise Unlinked("a ranking has its own order")
    if isinstance(pick.by, CountOf):
        return _mostchildren_of(context, table, outputs, filters, pick, notes)
    if isinstance(pick.by, AggregateOf):
        raise Unlinked("rows are not compared by an aggregate here")
    measure, descending = pick_field(context, table, pick, notes)
    return Plan(table, outputs, filters, rank=Rank(measure, descending, pick.count))


def check_same_rows(context: Context, ask: Ask, table: Table, notes: Notes) -> None:
    """`for each stadium` adds nothing where the rows are the stadiums."""
    grouping = group(context, table, ask.groups, (), notes)
    if grouping.expressions != row_identity(context, table):
        raise Unlinked("a list for each group is not read")


def _mostchildren_of(
    context: Context,
    table: Table,
    outputs: tuple[OutputColumn, ...],
    filters: tuple[Filter, ...],
    pick: Pick,
    notes: Notes,
) -> Plan:
    """`the stadium with the most concerts`."""
    assert isinstance(pick.by, CountOf)
    if pick.by.noun is None:
        raise Unlinked("what is counted is not said")
    members, counted, name = children_of(context, table, pick.by.noun, notes)
    rows = row_identity(context, table)
    shown = [o.expression for o in outputs]
    groups = tuple(dict.fromkeys((*rows, *shown)))
    return Plan(
        table,
        (*outputs, OutputColumn(counted, name)),
        filters,
        groups,
        rank=Rank(counted, pick.descending, pick.count),
        members=members,
    )


def children_of(
    context: Context, table: Table, noun: Noun, notes: Notes
) -> tuple[Members, Aggregate, str]:
    """The rows of a noun beside each row of the table, and their count."""
    if noun.distinct or (noun.head is not None and noun.head.kind == "column"):
        raise Unlinked("different values beside each row are not counted")
    problem = Unlinked("what is counted is not read")
    for child, cost in noun_tables(context, noun):
        path = context.path_to(table, child)
        if path is None or is_to_one(path):
            continue
        if any(isinstance(c, Pick) for c in noun.conditions):
            raise problem
        filters = filters_for(context, child, noun.conditions, notes)
        notes.cost += cost + 0.1 * len(path)
        notes.read(noun.head.text if noun.head else child.name, f"rows of {child.name}")
        counted = child_count(child, len(path) > 1) if child.primary_key else None
        if counted is None:
            raise problem
        return Members(path, filters), counted, count_name(context, child)
    raise problem

"""Plans of the forms that answer with rows or values: lists, superlatives, aggregates."""

from __future__ import annotations

from dataclasses import replace

from groundwire.database.catalog import Table
from groundwire.draft.offline.filters import filters_for, noun_tables
from groundwire.draft.offline.grouping import Grouping, group, row_identity
from groundwire.draft.offline.lexicon import Field
from groundwire.draft.offline.naming import count_name, expression_name
from groundwire.draft.offline.of_rows import check_same_rows, children_of, row_plan
from groundwire.draft.offline.of_values import extreme_value, numeric, unit_plan, value_plan
from groundwire.draft.offline.plan import Aggregate, Filter, OutputColumn, Plan
from groundwire.draft.offline.resolve import Context, Notes, Unlinked, fields_of
from groundwire.draft.offline.shaping import named, ordered, superlative_of
from groundwire.draft.offline.syntax import AggregateOf, Ask, ColumnOf, CountOf, Noun, Output, Pick
from groundwire.draft.offline.value_groups import head_field

__all__ = ["list_plan"]


def list_plan(context: Context, ask: Ask, table: Table, notes: Notes) -> Plan:
    """`which …`, `list …`, `what is the average …`."""
    noun = ask.noun
    if noun.unit is not None:
        return unit_plan(context, ask, table, notes)
    if ask.outputs:
        return _outputs(context, ask, table, notes)
    if noun.head is not None and noun.head.kind == "table" and not noun.kinds and _counts(noun):
        noun = replace(noun, kinds=True)
        ask = replace(ask, noun=noun)
        notes.cost += 0.2
    found = head_field(context, noun, table, notes)
    if found is not None and found.table is table and found in context.labels(table):
        return row_plan(context, ask, table, (found,), notes)
    if found is not None:
        return value_plan(context, ask, table, found, notes)
    return row_plan(context, ask, table, _shown(context, table), notes)


def _counts(noun: Noun) -> bool:
    """`the most common crime` speaks of kinds of crime."""
    return any(isinstance(c, Pick) and c.by == CountOf(None) for c in noun.conditions)


def _shown(context: Context, table: Table) -> tuple[Field, ...]:
    """What is shown of a row when nothing is asked for: its name, else all of it."""
    return context.labels(table) or tuple(fields_of(table))


def _outputs(context: Context, ask: Ask, table: Table, notes: Notes) -> Plan:
    columns = [o for o in ask.outputs if isinstance(o, ColumnOf)]
    counts = [o for o in ask.outputs if isinstance(o, CountOf)]
    aggregates = [o for o in ask.outputs if isinstance(o, AggregateOf)]
    if head_field(context, ask.noun, table, notes) is not None:
        raise Unlinked("columns of the values of another column are not read")
    if columns and not counts and not aggregates:
        return _columns(context, ask, table, columns, notes)
    if counts:
        return _counts_beside(context, ask, table, notes)
    return _aggregates(context, ask, table, notes)


def _columns(
    context: Context, ask: Ask, table: Table, columns: list[ColumnOf], notes: Notes
) -> Plan:
    fields = [_field(context, o, table, notes) for o in columns]
    pick, _ = superlative_of(ask.noun)
    if pick is not None and pick.by is None and pick.count == 1 and len(fields) == 1:
        dates = context.temporal(table)
        if fields == dates:
            return extreme_value(context, ask, table, tuple(fields), _row_filters(
                context, ask.noun, table, notes), pick, notes)  # fmt: skip
    return row_plan(context, ask, table, fields, notes)


def _row_filters(context: Context, noun: Noun, table: Table, notes: Notes) -> tuple[Filter, ...]:
    return filters_for(context, table, superlative_of(noun)[1], notes)


def _field(context: Context, output: Output, table: Table, notes: Notes) -> Field:
    assert isinstance(output, ColumnOf)
    assert output.column is not None
    owners = output.owner.named if output.owner is not None else ()
    tables = {id(n.table) for n in owners if n.quality >= 0.95}
    if output.owner is None or id(table) in tables:
        return context.column(output.column, table, notes)
    named = tuple(n for n in output.column.named if id(n.table) in tables)
    if not named:
        raise Unlinked(f"“{output.column.text}” is no column of the {output.owner.text}")
    return context.column(replace(output.column, named=named), table, notes)


def _counts_beside(context: Context, ask: Ask, table: Table, notes: Notes) -> Plan:
    """`the name and the number of concerts (of each stadium)`."""
    counts = [o for o in ask.outputs if isinstance(o, CountOf)]
    columns = [o for o in ask.outputs if isinstance(o, ColumnOf)]
    if len(counts) != 1 or len(counts) + len(columns) != len(ask.outputs) or counts[0].noun is None:
        raise Unlinked("these outputs are not read together")
    thing = counts[0].noun
    pick, others = superlative_of(ask.noun)
    if pick is not None:
        raise Unlinked("a superlative beside a count is not read")
    if any(target is table for target, _ in noun_tables(context, thing)):
        return _counts_by_column(context, ask, table, thing, columns, notes)
    fields = [_field(context, o, table, notes) for o in columns]
    if any(f.table is not table for f in fields) or not fields:
        raise Unlinked("these outputs are not read together")
    if ask.groups:
        check_same_rows(context, ask, table, notes)
    members, counted, name = children_of(context, table, thing, notes)
    filters = filters_for(context, table, others, notes)
    outputs = (*named(fields), OutputColumn(counted, name))
    groups = tuple(dict.fromkeys((*row_identity(context, table), *fields)))
    notes.assume(f"Rows of {table.name} without any are shown with 0.")
    plan = Plan(table, outputs, filters, groups, members=members)
    return ordered(context, ask, plan, notes)


def _counts_by_column(
    context: Context, ask: Ask, table: Table, thing: Noun, columns: list[ColumnOf], notes: Notes
) -> Plan:
    """`each country and the number of singers (in it)`: counts by the columns."""
    others = (*thing.conditions, *ask.noun.conditions)
    filters = filters_for(context, table, others, notes)
    if thing.distinct or thing.kinds:
        raise Unlinked("different values for each group are not counted here")
    fields = [_field(context, o, table, notes) for o in columns]
    if not fields:
        raise Unlinked("what to count by is not said")
    if ask.groups:
        grouping = group(context, table, ask.groups, filters, notes)
        if not _covers(grouping, fields):
            raise Unlinked("the groups and the columns shown do not agree")
    outputs = (
        *named(fields),
        OutputColumn(Aggregate("count"), count_name(context, table)),
    )
    plan = Plan(table, outputs, filters, tuple(dict.fromkeys(fields)))
    return ordered(context, ask, plan, notes)


def _covers(grouping: Grouping, fields: list[Field]) -> bool:
    return grouping.parent is None and set(grouping.expressions) == set(fields)


def _aggregates(context: Context, ask: Ask, table: Table, notes: Notes) -> Plan:
    """`average and maximum age`, of all rows or of each group."""
    pick, others = superlative_of(ask.noun)
    if pick is not None:
        raise Unlinked("a superlative beside an aggregate is not read")
    filters = filters_for(context, table, others, notes)
    shown: list[OutputColumn] = []
    columns: list[Field] = []
    for output in ask.outputs:
        if isinstance(output, AggregateOf):
            argument = _argument(context, output, table, notes)
            measure = Aggregate(output.function, argument)
            shown.append(OutputColumn(measure, expression_name(measure)))
        else:
            columns.append(_field(context, output, table, notes))
    if columns and not ask.groups:
        raise Unlinked("a column beside an aggregate needs “for each”")
    plan = _grouped_aggregates(context, ask, table, filters, shown, notes)
    if columns and not set(columns) <= {o.expression for o in plan.outputs}:
        raise Unlinked("the groups and the columns shown do not agree")
    return plan


def _grouped_aggregates(
    context: Context,
    ask: Ask,
    table: Table,
    filters: tuple[Filter, ...],
    shown: list[OutputColumn],
    notes: Notes,
) -> Plan:
    if not ask.groups:
        if ask.order is not None:
            raise Unlinked("one row has no order")
        return Plan(table, tuple(shown), filters)
    grouping = group(context, table, ask.groups, filters, notes)
    if grouping.parent is not None:
        raise Unlinked("aggregates for each row of another table are not read")
    keys = named(grouping.expressions)
    plan = Plan(table, (*keys, *shown), filters, grouping.expressions)
    return ordered(context, ask, plan, notes)


def _argument(context: Context, output: AggregateOf, table: Table, notes: Notes) -> Field:
    if output.function in {"min", "max"}:
        return context.column(output.column, table, notes, {"number", "date"})
    return numeric(context, output.column, table, notes)

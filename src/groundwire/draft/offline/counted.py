"""Plans of the forms that answer with numbers: counts, shares, means, whether and when."""

from __future__ import annotations

from dataclasses import replace

from groundwire.database.catalog import Table
from groundwire.draft.offline.filters import filters_for
from groundwire.draft.offline.grouping import Grouping, group
from groundwire.draft.offline.lexicon import Field
from groundwire.draft.offline.naming import count_name, expression_name, plural, words_of
from groundwire.draft.offline.plan import (
    AgainstAverage,
    Aggregate,
    Best,
    Expression,
    Filter,
    HasRows,
    Lacks,
    Members,
    OutputColumn,
    Plan,
    RowCount,
    Share,
    filter_tables,
    table_key,
)
from groundwire.draft.offline.resolve import Context, Notes, Unlinked
from groundwire.draft.offline.shaping import child_count, order_of
from groundwire.draft.offline.syntax import Ask, AverageOf, GroupBy, Pick
from groundwire.draft.offline.value_groups import (
    check_listable,
    check_zero,
    head_field,
    known_only,
    parent_cost,
    say_rows,
    split,
)

__all__ = [
    "count_plan",
    "exists_plan",
    "grouped",
    "mean_plan",
    "share_plan",
    "when_plan",
]


def count_plan(context: Context, ask: Ask, table: Table, notes: Notes) -> Plan:
    """`how many …`, with or without groups."""
    noun = ask.noun
    if any(isinstance(c, Pick) for c in noun.conditions):
        raise Unlinked("a superlative inside a count is not read")
    found = head_field(context, noun, table, notes)
    if found is not None:
        return _count_values(context, ask, table, found, notes)
    filters = filters_for(context, table, noun.conditions, notes)
    counted = Aggregate("count")
    say_rows(noun, table, notes)
    return grouped(context, ask, table, filters, counted, count_name(context, table), notes)


def _count_values(context: Context, ask: Ask, table: Table, found: Field, notes: Notes) -> Plan:
    conditions = split(context, table, ask.noun, found, notes)
    name = f"number_of_{plural(words_of(found))}"
    if conditions.having:
        if ask.groups:
            raise Unlinked("groups of groups are not read")
        filters, _, having = conditions.counting(zero=conditions.asks_for_zero())
        check_zero(context, found, conditions.asks_for_zero())
        outputs = (OutputColumn(found, expression_name(found)),)
        return Plan(table, outputs, filters, (found,), having, form="groups counted")
    check_listable(context, ask.noun, found)
    filters = (*conditions.rows, *conditions.counted)
    notes.cost += parent_cost(context, ask.noun, found)
    counted = Aggregate("count", found, distinct=True)
    return grouped(context, ask, table, filters, counted, name, notes)


def grouped(
    context: Context,
    ask: Ask,
    table: Table,
    filters: tuple[Filter, ...],
    shown: Expression,
    name: str,
    notes: Notes,
    extra: tuple[OutputColumn, ...] = (),
) -> Plan:
    """One number, or one for each group."""
    outputs = (*extra, OutputColumn(shown, name))
    if not ask.groups:
        if ask.order is not None:
            raise Unlinked("one number has no order")
        return Plan(table, outputs, filters)
    grouping = group(context, table, ask.groups, filters, notes)
    keys = tuple(OutputColumn(e, expression_name(e)) for e in grouping.expressions)
    plan = Plan(table, (*keys, *outputs), filters, grouping.expressions)
    if grouping.parent is not None:
        plan = _from_parent(plan, grouping, shown, notes)
    if ask.order is not None:
        plan = replace(plan, order=order_of(context, ask.order, plan, notes))
    return plan


def _from_parent(plan: Plan, grouping: Grouping, shown: Expression, notes: Notes) -> Plan:
    """Groups that are the rows of a parent table keep those without any child row."""
    assert grouping.parent is not None
    if not isinstance(shown, Aggregate):
        raise Unlinked("a share for each row of another table is not read")
    own, inside = [], []
    for found in plan.filters:
        tables = filter_tables(found)
        if tables == {table_key(grouping.parent)}:
            own.append(found)
        elif tables == {table_key(plan.table)}:
            inside.append(found)
        else:
            raise Unlinked("these conditions are not combined with such groups")
    counted = shown
    if shown.function == "count" and shown.argument is None:
        counted = child_count(plan.table, len(grouping.path) > 1)
        parent = grouping.parent.name
        notes.assume(f"Rows of {parent} without any are shown with 0.")
    outputs = tuple(
        replace(o, expression=counted) if o.expression is shown else o for o in plan.outputs
    )
    members = Members(grouping.path, tuple(inside))
    return replace(
        plan, table=grouping.parent, outputs=outputs, filters=tuple(own), members=members
    )


def share_plan(context: Context, ask: Ask, table: Table, notes: Notes) -> Plan:
    """The share of rows that pass the predicate."""
    if head_field(context, ask.noun, table, notes) is not None:
        raise Unlinked("a share of the values of a column is not read")
    say_rows(ask.noun, table, notes)
    filters = filters_for(context, table, ask.noun.conditions, notes)
    part = filters_for(context, table, ask.predicate, notes)
    if any(isinstance(f, HasRows | RowCount | Best | Lacks | AgainstAverage) for f in part):
        raise Unlinked("a share of related rows is not read")
    among: tuple[Filter, ...] = ()
    if ask.form == "rate":
        among = known_only(context, part)
    shown = Share(part, ask.scale, among)
    name = "rate" if ask.form == "rate" else "percentage" if ask.scale == 100 else "proportion"
    scale = "in percent" if ask.scale == 100 else "between 0 and 1"
    notes.assume(f"The {name} is given {scale}.")
    return grouped(context, ask, table, filters, shown, name, notes)


def exists_plan(context: Context, ask: Ask, table: Table, notes: Notes) -> Plan:
    """`is there any …`: whether, and how many."""
    noun = ask.noun
    found = head_field(context, noun, table, notes)
    if found is not None or any(isinstance(c, Pick) for c in noun.conditions):
        raise Unlinked("this is asked of rows only")
    if not noun.conditions and noun.generic:
        raise Unlinked("what should exist is not said")
    say_rows(noun, table, notes)
    filters = filters_for(context, table, noun.conditions, notes)
    outputs = (OutputColumn(Aggregate("count"), count_name(context, table)),)
    return Plan(table, outputs, filters, form="exists")


def mean_plan(context: Context, ask: Ask, table: Table, notes: Notes) -> Plan:
    """`average number of … per …`."""
    average = ask.outputs[0]
    assert isinstance(average, AverageOf)
    if ask.groups or ask.order is not None:
        raise Unlinked("an average of counts for each group is not read")
    noun = replace(average.noun, conditions=(*average.noun.conditions, *ask.noun.conditions))
    if head_field(context, noun, table, notes) is not None:
        raise Unlinked("an average number of values is not read")
    if any(isinstance(c, Pick) for c in noun.conditions):
        raise Unlinked("a superlative inside an average is not read")
    say_rows(noun, table, notes)
    filters = filters_for(context, table, noun.conditions, notes)
    units: tuple[GroupBy, ...] = (average.unit,)
    if average.unit.unit in {"month", "quarter"}:
        units = (GroupBy(None, "year"), average.unit)
    grouping = group(context, table, units, filters, notes)
    if grouping.parent is not None:
        counted = child_count(table, len(grouping.path) > 1)
        outputs = (OutputColumn(counted, "average_number"),)
        if any(filter_tables(f) != {table_key(table)} for f in filters):
            raise Unlinked("these conditions are not combined with such groups")
        members = Members(grouping.path, filters)
        notes.assume(f"Rows of {grouping.parent.name} without any count as 0.")
        return Plan(
            grouping.parent, outputs, (), grouping.expressions, members=members, form="mean"
        )
    phrase = average.unit.unit or expression_name(grouping.expressions[0])
    notes.assume(f"The average is over each {phrase} that has at least one.")
    outputs = (OutputColumn(Aggregate("count"), "average_number"),)
    groups = grouping.expressions if average.unit.unit else grouping.expressions[:1]
    return Plan(table, outputs, filters, groups, form="mean")


def when_plan(context: Context, ask: Ask, table: Table, notes: Notes) -> Plan:
    """`when was the first …`: the earliest or latest time; else the time of each row."""
    noun = ask.noun
    if head_field(context, noun, table, notes) is not None or ask.order is not None:
        raise Unlinked("when is asked of rows only")
    picks = [c for c in noun.conditions if isinstance(c, Pick)]
    others = [c for c in noun.conditions if not isinstance(c, Pick)]
    dates = context.temporal(table)
    if len(dates) != 1:
        raise Unlinked(f"{table.name} has no single date")
    if len(picks) > 1 or any(p.by is not None or p.count != 1 for p in picks):
        raise Unlinked("this superlative is not one of time")
    say_rows(noun, table, notes)
    filters = filters_for(context, table, others, notes)
    found = dates[0]
    notes.read("when", f"{table.name}.{found.column.name}")
    if picks:
        function = "max" if picks[0].descending else "min"
        name = "latest" if picks[0].descending else "earliest"
        shown = Aggregate(function, found)  # type: ignore[arg-type]
        return grouped(context, ask, table, filters, shown,
                       f"{name}_{words_of(found)}", notes)  # fmt: skip
    if ask.groups or not others:
        raise Unlinked("which row is meant is not said")
    return Plan(table, (OutputColumn(found, expression_name(found)),), filters)

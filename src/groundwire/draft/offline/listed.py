"""Plans of the forms that answer with rows or values: lists, superlatives, aggregates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from groundwire.database.catalog import Table
from groundwire.draft.offline.counted import child_count, head_field, order_of, parent_cost, split
from groundwire.draft.offline.filters import filters_for, noun_tables, pick_field
from groundwire.draft.offline.grouping import (
    Grouping,
    group,
    key_and_label,
    one_year,
    row_identity,
    time_unit,
)
from groundwire.draft.offline.joins import is_to_one
from groundwire.draft.offline.lexicon import Field
from groundwire.draft.offline.mentions import Mention
from groundwire.draft.offline.naming import count_name, expression_name, unique_names
from groundwire.draft.offline.plan import (
    Aggregate,
    Expression,
    Filter,
    Having,
    IsNull,
    Members,
    Order,
    OutputColumn,
    Plan,
    Rank,
)
from groundwire.draft.offline.resolve import Context, Notes, Unlinked, fields_of, spoken
from groundwire.draft.offline.syntax import (
    AggregateOf,
    Ask,
    ColumnOf,
    Condition,
    Counted,
    CountOf,
    Noun,
    OrderBy,
    Output,
    Pick,
    Related,
)

__all__ = ["list_plan"]


def list_plan(context: Context, ask: Ask, table: Table, notes: Notes) -> Plan:
    """`which …`, `list …`, `what is the average …`."""
    noun = ask.noun
    if noun.unit is not None:
        return _units(context, ask, table, notes)
    if ask.outputs:
        return _outputs(context, ask, table, notes)
    if noun.head is not None and noun.head.kind == "table" and not noun.kinds and _counts(noun):
        noun = replace(noun, kinds=True)
        ask = replace(ask, noun=noun)
        notes.cost += 0.2
    found = head_field(context, noun, table, notes)
    if found is not None:
        return _values(context, ask, table, found, notes)
    return _rows(context, ask, table, _shown(context, table), notes)


def _counts(noun: Noun) -> bool:
    """`the most common crime` speaks of kinds of crime."""
    return any(isinstance(c, Pick) and c.by == CountOf(None) for c in noun.conditions)


def _shown(context: Context, table: Table) -> tuple[Field, ...]:
    """What is shown of a row when nothing is asked for: its name, else all of it."""
    return context.labels(table) or tuple(fields_of(table))


def _pick(noun: Noun) -> tuple[Pick | None, list[Condition]]:
    picks = [c for c in noun.conditions if isinstance(c, Pick)]
    if len(picks) > 1:
        raise Unlinked("two superlatives in one question are not read")
    return (picks[0] if picks else None), [c for c in noun.conditions if not isinstance(c, Pick)]


# Values of a column


def _values(context: Context, ask: Ask, table: Table, found: Field, notes: Notes) -> Plan:
    """`which districts …`: the different values of a column."""
    pick, _ = _pick(ask.noun)
    filters, having = split(context, table, ask.noun, found, notes)
    shown = key_and_label(context, table, found)
    if ask.groups:
        raise Unlinked("a list for each group is not read")
    if pick is not None:
        return _picked_values(context, ask, table, shown, (filters, having), notes)
    outputs = _named(context, shown)
    if having:
        counted = OutputColumn(Aggregate("count"), count_name(context, table))
        plan = Plan(table, (*outputs, counted), filters, shown, having)
        return _ordered(context, ask, plan, notes)
    if any(getattr(f, "negated", False) and not isinstance(f, IsNull) for f in filters):
        raise Unlinked(f"“not” may be said of some or of all rows of a {spoken(found)}")
    notes.cost += parent_cost(context, ask.noun, found)
    if any(isinstance(c, Related) for c in ask.noun.conditions):
        notes.cost += 0.2
    once = _once(context, ask.noun, found, notes)
    plan = Plan(table, outputs, filters, distinct=once)
    return _ordered(context, ask, plan, notes)


def _once(context: Context, noun: Noun, found: Field, notes: Notes) -> bool:
    """Whether each value is listed once: `districts` are, `song titles` stand for the songs."""
    if context.is_unique(found):
        return False
    if noun.distinct:
        return True
    profile = context.values.profile(found.table, found.column)
    rows = sum(count for _, count in profile.counts)
    if profile.complete and rows == len(profile.counts):
        return False
    if not profile.counts or not profile.complete or rows >= 5 * len(profile.counts):
        notes.assume(f"Each {spoken(found)} is listed once.")
        return True
    raise Unlinked(f"whether each {spoken(found)} is listed once is not said")


def _picked_values(
    context: Context,
    ask: Ask,
    table: Table,
    shown: tuple[Expression, ...],
    conditions: tuple[tuple[Filter, ...], tuple[Having, ...]],
    notes: Notes,
) -> Plan:
    """`which district has the most crimes`, `the 5 most common types`."""
    pick, _ = _pick(ask.noun)
    assert pick is not None
    filters, having = conditions
    if isinstance(pick.by, CountOf):
        if pick.by.noun is not None:
            filters = (*filters, *_counted_rows(context, table, pick.by.noun, notes))
        measure = Aggregate("count")
        name = count_name(context, table)
    elif isinstance(pick.by, AggregateOf):
        argument = _numeric(context, pick.by.column, table, notes)
        measure = Aggregate(pick.by.function, argument)
        name = expression_name(measure)
    else:
        return _extreme_value(context, ask, table, shown, filters, pick, notes)
    if ask.order is not None and ask.order.by is not None:
        raise Unlinked("a ranking has its own order")
    outputs = (*_named(context, shown), OutputColumn(measure, name))
    rank = Rank(measure, pick.descending, pick.count)
    return Plan(table, outputs, filters, tuple(shown), having, rank=rank)


def _counted_rows(context: Context, table: Table, noun: Noun, notes: Notes) -> tuple[Filter, ...]:
    if not any(target is table for target, _ in noun_tables(context, noun)):
        raise Unlinked(f"these are no rows of {table.name}")
    return filters_for(context, table, noun.conditions, notes)


def _extreme_value(
    context: Context,
    ask: Ask,
    table: Table,
    shown: tuple[Expression, ...],
    filters: tuple[Filter, ...],
    pick: Pick,
    notes: Notes,
) -> Plan:
    """`the earliest date`, `the country with the largest area`."""
    found = shown[0]
    assert isinstance(found, Field)
    if pick.by is None and context.kind(found) in {"date", "number"}:
        if pick.count != 1 or ask.order is not None:
            raise Unlinked("several earliest values are not read")
        measure = Aggregate("max" if pick.descending else "min", found)
        return Plan(table, (OutputColumn(measure, expression_name(measure)),), filters)
    if found not in context.labels(table) and not context.is_unique(found):
        raise Unlinked(
            f"whether {spoken(found)} is compared by one row or by all its rows is not said"
        )
    compared, descending = pick_field(context, table, pick, notes)
    rank = Rank(compared, descending, pick.count)
    return Plan(table, _named(context, shown), filters, rank=rank)


# Rows of a table


def _rows(context: Context, ask: Ask, table: Table, shown: Sequence[Field], notes: Notes) -> Plan:
    """`which stadiums …`, `the names of …`."""
    pick, others = _pick(ask.noun)
    if ask.noun.head is not None:
        notes.read(ask.noun.head.text, f"rows of {table.name}")
    if ask.groups:
        if any(g.target is None or g.target.kind != "table" for g in ask.groups):
            raise Unlinked("a list for each group is not read")
        _check_same_rows(context, ask, table, notes)
    filters = filters_for(context, table, others, notes)
    outputs = _named(context, tuple(shown))
    if pick is None:
        distinct = ask.noun.distinct or any(
            isinstance(o, ColumnOf) and o.distinct for o in ask.outputs
        )
        plan = Plan(table, outputs, filters, distinct=distinct)
        return _ordered(context, ask, plan, notes)
    if ask.order is not None and ask.order.by is not None:
        raise Unlinked("a ranking has its own order")
    if isinstance(pick.by, CountOf):
        return _most_children(context, table, outputs, filters, pick, notes)
    if isinstance(pick.by, AggregateOf):
        raise Unlinked("rows are not compared by an aggregate here")
    measure, descending = pick_field(context, table, pick, notes)
    return Plan(table, outputs, filters, rank=Rank(measure, descending, pick.count))


def _check_same_rows(context: Context, ask: Ask, table: Table, notes: Notes) -> None:
    """`for each stadium` adds nothing where the rows are the stadiums."""
    grouping = group(context, table, ask.groups, (), notes)
    if grouping.expressions != row_identity(context, table):
        raise Unlinked("a list for each group is not read")


def _most_children(
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
    members, counted, name = _children(context, table, pick.by.noun, notes)
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


def _children(
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


# Named outputs


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
    pick, _ = _pick(ask.noun)
    if pick is not None and pick.by is None and pick.count == 1 and len(fields) == 1:
        dates = context.temporal(table)
        if fields == dates:
            return _extreme_value(context, ask, table, tuple(fields), _row_filters(
                context, ask.noun, table, notes), pick, notes)  # fmt: skip
    return _rows(context, ask, table, fields, notes)


def _row_filters(context: Context, noun: Noun, table: Table, notes: Notes) -> tuple[Filter, ...]:
    return filters_for(context, table, _pick(noun)[1], notes)


def _field(context: Context, output: Output, table: Table, notes: Notes) -> Field:
    assert isinstance(output, ColumnOf)
    assert output.column is not None
    return context.column(output.column, table, notes)


def _counts_beside(context: Context, ask: Ask, table: Table, notes: Notes) -> Plan:
    """`the name and the number of concerts (of each stadium)`."""
    counts = [o for o in ask.outputs if isinstance(o, CountOf)]
    columns = [o for o in ask.outputs if isinstance(o, ColumnOf)]
    if len(counts) != 1 or len(counts) + len(columns) != len(ask.outputs) or counts[0].noun is None:
        raise Unlinked("these outputs are not read together")
    thing = counts[0].noun
    pick, others = _pick(ask.noun)
    if pick is not None:
        raise Unlinked("a superlative beside a count is not read")
    if any(target is table for target, _ in noun_tables(context, thing)):
        return _counts_by_column(context, ask, table, thing, columns, notes)
    fields = [_field(context, o, table, notes) for o in columns]
    if any(f.table is not table for f in fields) or not fields:
        raise Unlinked("these outputs are not read together")
    if ask.groups:
        _check_same_rows(context, ask, table, notes)
    members, counted, name = _children(context, table, thing, notes)
    filters = filters_for(context, table, others, notes)
    outputs = (*_named(context, fields), OutputColumn(counted, name))
    groups = tuple(dict.fromkeys((*row_identity(context, table), *fields)))
    notes.assume(f"Rows of {table.name} without any are shown with 0.")
    plan = Plan(table, outputs, filters, groups, members=members)
    return _ordered(context, ask, plan, notes)


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
        *_named(context, fields),
        OutputColumn(Aggregate("count"), count_name(context, table)),
    )
    plan = Plan(table, outputs, filters, tuple(dict.fromkeys(fields)))
    return _ordered(context, ask, plan, notes)


def _covers(grouping: Grouping, fields: list[Field]) -> bool:
    return grouping.parent is None and set(grouping.expressions) == set(fields)


def _aggregates(context: Context, ask: Ask, table: Table, notes: Notes) -> Plan:
    """`average and maximum age`, of all rows or of each group."""
    pick, others = _pick(ask.noun)
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
    keys = _named(context, grouping.expressions)
    plan = Plan(table, (*keys, *shown), filters, grouping.expressions)
    return _ordered(context, ask, plan, notes)


def _argument(context: Context, output: AggregateOf, table: Table, notes: Notes) -> Field:
    if output.function in {"min", "max"}:
        return context.column(output.column, table, notes, {"number", "date"})
    return _numeric(context, output.column, table, notes)


def _numeric(context: Context, mention: Mention, table: Table, notes: Notes) -> Field:
    found = context.column(mention, table, notes, {"number"})
    if context.is_identifier(found):
        raise Unlinked(f"{spoken(found)} only names something; it has no sum or average")
    if found.table is not table:
        raise Unlinked(f"{spoken(found)} would be counted once for each row of {table.name}")
    return found


# Units of time


def _units(context: Context, ask: Ask, table: Table, notes: Notes) -> Plan:
    """`which month had the most …`."""
    unit = ask.noun.unit
    assert unit is not None
    pick, others = _pick(ask.noun)
    having: list[Having] = []
    filters: list[Filter] = []
    for condition in others:
        if isinstance(condition, Counted):
            filters += _counted_rows(context, table, condition.noun, notes)
            comparison = condition.comparison
            having.append(Having(Aggregate("count"), comparison.operator, comparison.values))
        else:
            filters += filters_for(context, table, (condition,), notes)
    if pick is not None:
        if not isinstance(pick.by, CountOf) or ask.order is not None:
            raise Unlinked(f"which {unit} is not asked by a count")
        if pick.by.noun is not None:
            filters += _counted_rows(context, table, pick.by.noun, notes)
    if ask.groups or not (pick or having):
        raise Unlinked(f"what is asked of each {unit} is not said")
    expression = time_unit(context, table, unit, notes, bounded=one_year(filters))
    counted = Aggregate("count")
    outputs = (
        OutputColumn(expression, expression_name(expression)),
        OutputColumn(counted, count_name(context, table)),
    )
    rank = Rank(counted, pick.descending, pick.count) if pick else None
    return Plan(table, outputs, tuple(filters), (expression,), tuple(having), rank=rank)


# Order


def _ordered(context: Context, ask: Ask, plan: Plan, notes: Notes) -> Plan:
    order = ask.order
    if order is None:
        return plan
    if plan.groups:
        return replace(plan, order=order_of(context, order, plan, notes))
    return replace(plan, order=(Order(_sort_key(context, order, plan, notes), order.descending),))


def _sort_key(context: Context, order: OrderBy, plan: Plan, notes: Notes) -> Field:
    if order.by is None:
        first = plan.outputs[0].expression
        if not isinstance(first, Field):
            raise Unlinked("what to sort by is not clear")
        return first
    if not isinstance(order.by, ColumnOf) or order.by.column is None:
        raise Unlinked("what to sort by is not clear")
    found = context.column(order.by.column, plan.table, notes)
    if plan.distinct and found not in {o.expression for o in plan.outputs}:
        raise Unlinked("different values are sorted by themselves only")
    return found


def _named(context: Context, shown: Sequence[Expression]) -> tuple[OutputColumn, ...]:
    names = unique_names([expression_name(e) for e in shown])
    return tuple(OutputColumn(e, n) for e, n in zip(shown, names, strict=True))

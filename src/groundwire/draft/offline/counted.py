"""Plans of the forms that answer with numbers: counts, shares, means, whether and when."""

from __future__ import annotations

from dataclasses import replace

from groundwire.database.catalog import Table
from groundwire.draft.inflect import stem
from groundwire.draft.offline.filters import filters_for, noun_tables
from groundwire.draft.offline.grouping import Grouping, group
from groundwire.draft.offline.lexicon import Field
from groundwire.draft.offline.naming import count_name, expression_name, words_of
from groundwire.draft.offline.plan import (
    AgainstAverage,
    Aggregate,
    Best,
    Equals,
    Expression,
    Filter,
    HasRows,
    Having,
    Lacks,
    Members,
    Order,
    OutputColumn,
    Plan,
    RowCount,
    Share,
    filter_tables,
    table_key,
)
from groundwire.draft.offline.resolve import Context, Notes, Unlinked, spoken
from groundwire.draft.offline.syntax import (
    Ask,
    AverageOf,
    ColumnOf,
    Condition,
    Counted,
    CountOf,
    Flagged,
    Noun,
    OrderBy,
    Pick,
    Related,
)

__all__ = [
    "count_plan",
    "exists_plan",
    "grouped",
    "head_field",
    "mean_plan",
    "order_of",
    "parent_cost",
    "share_plan",
    "split",
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
    _say_rows(noun, table, notes)
    return grouped(context, ask, table, filters, counted, count_name(context, table), notes)


def _say_rows(noun: Noun, table: Table, notes: Notes) -> None:
    phrase = noun.head.text if noun.head is not None else table.name
    notes.read(phrase, f"rows of {table.name}")


def head_field(context: Context, noun: Noun, table: Table, notes: Notes) -> Field | None:
    """The column whose different values a noun means; None where it means rows."""
    if noun.kinds:
        found = context.kind_column(table)
        assert noun.head is not None
        notes.read(f"kinds of {noun.head.text}", f"{table.name}.{found.column.name}")
        return found
    if noun.head is None or noun.head.kind != "column":
        return None
    found = context.column(noun.head, table, notes, categories=True)
    if context.lexicon.flag_values(found) is not None:
        raise Unlinked(f"{spoken(found)} says yes or no; it has no values to list or count")
    if context.graph.parent_of(found.table, found.column.name) is not None and any(
        isinstance(c, Flagged) and c.mention.convention for c in noun.conditions
    ):
        raise Unlinked(f"“{noun.head.text}” are not what this is said of")
    return found


def split(
    context: Context, table: Table, noun: Noun, found: Field, notes: Notes
) -> tuple[tuple[Filter, ...], tuple[Having, ...]]:
    """Conditions on the values of a column: filters on the rows, and conditions on the groups."""
    plain: list[Condition] = []
    extra: list[Filter] = []
    having: list[Having] = []
    for condition in noun.conditions:
        if isinstance(condition, Counted):
            extra += _same_rows(context, table, condition.noun, notes)
            comparison = condition.comparison
            having.append(Having(Aggregate("count"), comparison.operator, comparison.values))
        elif isinstance(condition, Related):
            inside = tuple(_same_rows(context, table, condition.noun, notes))
            extra += [Lacks(found, table, inside)] if condition.negated else inside
        elif not isinstance(condition, Pick):
            plain.append(condition)
    if having and any(isinstance(f, Lacks) for f in extra):
        raise Unlinked("a count and an absence in one condition are not read")
    return (*filters_for(context, table, plain, notes), *extra), tuple(having)


def _same_rows(context: Context, table: Table, noun: Noun, notes: Notes) -> list[Filter]:
    """Conditions of a noun that means rows of the table itself."""
    if not any(target is table for target, _ in noun_tables(context, noun)):
        raise Unlinked(f"these are no rows of {table.name}")
    _say_rows(noun, table, notes)
    return list(filters_for(context, table, noun.conditions, notes))


def _count_values(context: Context, ask: Ask, table: Table, found: Field, notes: Notes) -> Plan:
    filters, having = split(context, table, ask.noun, found, notes)
    name = f"number_of_{words_of(found)}s"
    if having:
        if ask.groups:
            raise Unlinked("groups of groups are not read")
        outputs = (OutputColumn(found, expression_name(found)),)
        return Plan(table, outputs, filters, (found,), having, form="groups counted")
    notes.cost += parent_cost(context, ask.noun, found)
    counted = Aggregate("count", found, distinct=True)
    return grouped(context, ask, table, filters, counted, name, notes)


def parent_cost(context: Context, noun: Noun, found: Field) -> float:
    """`community areas` are first the rows of that table, then the values of a key to it."""
    parent = context.graph.parent_of(found.table, found.column.name)
    if parent is None or noun.head is None:
        return 0.0
    named = context.lexicon.tables.get(stem(noun.head.text), ())
    return 0.2 if any(n.table is parent and n.quality >= 0.95 for n in named) else 0.0


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


def child_count(table: Table, distinct: bool) -> Aggregate:
    """The number of child rows beside a parent row; 0 where there is none.

    Raises:
        Unlinked: the child table has no key that could tell its rows apart.
    """
    key = table.primary_key
    column = table.column(key[0]) if key else None
    if column is None or (distinct and len(key) > 1):
        raise Unlinked(f"{table.name} has no single key to count")
    return Aggregate("count", Field(table, column), distinct)


def order_of(context: Context, order: OrderBy, plan: Plan, notes: Notes) -> tuple[Order, ...]:
    """The sort key of a grouped plan: what is counted, a group, or another column."""
    numbers = [o for o in plan.outputs if isinstance(o.expression, Aggregate | Share)]
    if order.by is None or isinstance(order.by, CountOf):
        if len(numbers) != 1:
            raise Unlinked("what to sort by is not clear")
        return (Order(numbers[0].expression, order.descending),)
    if isinstance(order.by, ColumnOf) and order.by.column is not None:
        mention = order.by.column
        for output in plan.outputs:
            if isinstance(output.expression, Field) and any(
                n.column is output.expression.column and n.quality >= 0.9 for n in mention.named
            ):
                return (Order(output.expression, order.descending),)
    raise Unlinked("what to sort by is not clear")


def share_plan(context: Context, ask: Ask, table: Table, notes: Notes) -> Plan:
    """The share of rows that pass the predicate."""
    if head_field(context, ask.noun, table, notes) is not None:
        raise Unlinked("a share of the values of a column is not read")
    _say_rows(ask.noun, table, notes)
    filters = filters_for(context, table, ask.noun.conditions, notes)
    part = filters_for(context, table, ask.predicate, notes)
    if any(isinstance(f, HasRows | RowCount | Best | Lacks | AgainstAverage) for f in part):
        raise Unlinked("a share of related rows is not read")
    among: tuple[Filter, ...] = ()
    if ask.form == "rate":
        among = _known(context, part)
    shown = Share(part, ask.scale, among)
    name = "rate" if ask.form == "rate" else "percentage" if ask.scale == 100 else "proportion"
    scale = "in percent" if ask.scale == 100 else "between 0 and 1"
    notes.assume(f"The {name} is given {scale}.")
    return grouped(context, ask, table, filters, shown, name, notes)


def _known(context: Context, part: tuple[Filter, ...]) -> tuple[Filter, ...]:
    """The rows where a yes/no column says yes or no."""
    found = part[0]
    if not isinstance(found, Equals):
        raise Unlinked("a rate is read for yes/no columns only")
    forms = context.lexicon.flag_values(found.field)
    return (Equals(found.field, forms),) if forms and all(forms) else ()


def exists_plan(context: Context, ask: Ask, table: Table, notes: Notes) -> Plan:
    """`is there any …`: whether, and how many."""
    noun = ask.noun
    found = head_field(context, noun, table, notes)
    if found is not None or any(isinstance(c, Pick) for c in noun.conditions):
        raise Unlinked("this is asked of rows only")
    if not noun.conditions and noun.generic:
        raise Unlinked("what should exist is not said")
    _say_rows(noun, table, notes)
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
    _say_rows(noun, table, notes)
    filters = filters_for(context, table, noun.conditions, notes)
    bounded = (average.unit,) if average.unit.unit not in {"month", "quarter", "week"} else ()
    grouping = group(context, table, bounded or (average.unit,), filters, notes)
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
    return Plan(table, outputs, filters, grouping.expressions[:1], form="mean")


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
    _say_rows(noun, table, notes)
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

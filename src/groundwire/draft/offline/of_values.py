"""Plans that answer with values: `which districts`, `the most common type`, `which month`."""

from __future__ import annotations

from groundwire.database.catalog import Table
from groundwire.draft.offline.filters import filters_for, pick_field
from groundwire.draft.offline.grouping import key_and_label, one_year, time_unit
from groundwire.draft.offline.lexicon import Field
from groundwire.draft.offline.mentions import Mention
from groundwire.draft.offline.naming import count_name, expression_name
from groundwire.draft.offline.plan import (
    Aggregate,
    Equals,
    Filter,
    Having,
    IsNull,
    OutputColumn,
    Plan,
    Rank,
    Share,
)
from groundwire.draft.offline.resolve import Context, Notes, Unlinked, spoken
from groundwire.draft.offline.shaping import named, ordered, superlative_of
from groundwire.draft.offline.syntax import (
    AggregateOf,
    Ask,
    Counted,
    CountOf,
    Noun,
    Pick,
    RateOf,
    Related,
)
from groundwire.draft.offline.value_groups import (
    GroupConditions,
    check_listable,
    check_zero,
    parent_cost,
    rate_of,
    rows_meant,
    split,
)

__all__ = ["extreme_value", "numeric", "unit_plan", "value_plan"]


def value_plan(context: Context, ask: Ask, table: Table, found: Field, notes: Notes) -> Plan:
    """`which districts …`: the different values of a column."""
    pick, _ = superlative_of(ask.noun)
    conditions = split(context, table, ask.noun, found, notes)
    shown = key_and_label(context, table, found)
    if ask.groups:
        raise Unlinked("a list for each group is not read")
    if pick is not None:
        zero = not pick.descending or conditions.asks_for_zero()
        check_zero(context, found, zero)
        return _picked(context, ask, table, shown, pick, conditions, notes)
    outputs = named(shown)
    if conditions.having:
        zero = conditions.asks_for_zero()
        check_zero(context, found, zero)
        filters, measure, having = conditions.counting(zero=zero)
        counted = OutputColumn(measure, count_name(context, table))
        plan = Plan(table, (*outputs, counted), filters, shown, having)
        return ordered(context, ask, plan, notes)
    filters = (*conditions.rows, *conditions.counted)
    if not _is_one_row(context, found, filters):
        check_listable(context, ask.noun, found)
    if any(getattr(f, "negated", False) and not isinstance(f, IsNull) for f in conditions.rows):
        raise Unlinked(f"“not” may be said of some or of all rows of a {spoken(found)}")
    notes.cost += parent_cost(context, ask.noun, found)
    if any(isinstance(c, Related) for c in ask.noun.conditions):
        notes.cost += 0.2
    once = _once(context, ask.noun, found, filters, notes)
    if once and found.column.nullable and found.column.name not in found.table.primary_key:
        filters = (*filters, IsNull(found, True))
    plan = Plan(table, outputs, filters, distinct=once)
    return ordered(context, ask, plan, notes)


def _once(
    context: Context, noun: Noun, found: Field, filters: tuple[Filter, ...], notes: Notes
) -> bool:
    """Whether each value is listed once: `districts` are, `song titles` stand for the songs."""
    if context.is_unique(found) or _is_one_row(context, found, filters):
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


def _is_one_row(context: Context, found: Field, filters: tuple[Filter, ...]) -> bool:
    """Whether a row is named: `the capacity of North Park`."""
    return any(
        isinstance(f, Equals)
        and len(f.values) == 1
        and not f.negated
        and f.field.table is found.table
        and (f.field in context.labels(found.table) or context.is_unique(f.field))
        for f in filters
    )


def _picked(
    context: Context,
    ask: Ask,
    table: Table,
    shown: tuple[Field, ...],
    pick: Pick,
    conditions: GroupConditions,
    notes: Notes,
) -> Plan:
    """`which district has the most crimes`, `the 5 most common types`."""
    measure: Aggregate | Share
    if isinstance(pick.by, CountOf):
        filters, measure, having = conditions.counting(
            zero=not pick.descending or conditions.asks_for_zero()
        )
        name = count_name(context, table)
    elif isinstance(pick.by, AggregateOf):
        filters, _, having = conditions.counting(zero=False)
        measure = Aggregate(pick.by.function, numeric(context, pick.by.column, table, notes))
        name = expression_name(measure)
    elif isinstance(pick.by, RateOf):
        filters, _, having = conditions.counting(zero=False)
        measure = rate_of(context, table, pick.by.flag, notes)
        name = "rate"
    else:
        filters, _, having = conditions.counting(zero=False)
        if having:
            raise Unlinked("a superlative of values beside a count is not read")
        return extreme_value(context, ask, table, shown, filters, pick, notes)
    if ask.order is not None and ask.order.by is not None:
        raise Unlinked("a ranking has its own order")
    outputs = (*named(shown), OutputColumn(measure, name))
    rank = Rank(measure, pick.descending, pick.count)
    return Plan(table, outputs, filters, tuple(shown), having, rank=rank)


def extreme_value(
    context: Context,
    ask: Ask,
    table: Table,
    shown: tuple[Field, ...],
    filters: tuple[Filter, ...],
    pick: Pick,
    notes: Notes,
) -> Plan:
    """`the earliest date`, `the country with the largest area`."""
    found = shown[0]
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
    return Plan(table, named(shown), filters, rank=rank)


def unit_plan(context: Context, ask: Ask, table: Table, notes: Notes) -> Plan:
    """`which month had the most …`."""
    unit = ask.noun.unit
    assert unit is not None
    pick, others = superlative_of(ask.noun)
    having: list[Having] = []
    filters: list[Filter] = []
    for condition in others:
        if isinstance(condition, Counted):
            filters += rows_meant(context, table, condition.noun, notes)
            comparison = condition.comparison
            having.append(Having(Aggregate("count"), comparison.operator, comparison.values))
        else:
            filters += filters_for(context, table, (condition,), notes)
    if pick is not None:
        if not isinstance(pick.by, CountOf) or ask.order is not None:
            raise Unlinked(f"which {unit} is not asked by a count")
        if pick.by.noun is not None:
            filters += rows_meant(context, table, pick.by.noun, notes)
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


def numeric(context: Context, mention: Mention, table: Table, notes: Notes) -> Field:
    """A column of the table itself that may be summed or averaged.

    Raises:
        Unlinked: it only names something, or stands once for many rows.
    """
    found = context.column(mention, table, notes, {"number"})
    if context.is_identifier(found):
        raise Unlinked(f"{spoken(found)} only names something; it has no sum or average")
    if found.table is not table:
        raise Unlinked(f"{spoken(found)} would be counted once for each row of {table.name}")
    return found

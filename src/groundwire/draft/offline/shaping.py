"""What all plans share: named outputs, sort keys, superlatives, counts of child rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from groundwire.database.catalog import Table
from groundwire.draft.inflect import fold, singular
from groundwire.draft.offline.lexicon import Field
from groundwire.draft.offline.naming import expression_name, unique_names
from groundwire.draft.offline.plan import (
    Aggregate,
    Expression,
    Order,
    OutputColumn,
    Plan,
    Share,
)
from groundwire.draft.offline.resolve import Context, Notes, Unlinked
from groundwire.draft.offline.syntax import (
    Ask,
    ColumnOf,
    Condition,
    CountOf,
    Noun,
    OrderBy,
    Pick,
)

__all__ = ["child_count", "named", "order_of", "ordered", "superlative_of"]


def superlative_of(noun: Noun) -> tuple[Pick | None, list[Condition]]:
    """The one superlative of a noun, and its other conditions.

    `the top 10 countries with the most plants` and `the 5 areas with the most plants` say the
    number in one place and the measure in another.
    """
    picks = [c for c in noun.conditions if isinstance(c, Pick)]
    others: list[Condition] = [c for c in noun.conditions if not isinstance(c, Pick)]
    if len(picks) == 2:
        tops = [p for p in picks if p.by == CountOf(None)]
        measured = [p for p in picks if p.by != CountOf(None)]
        if len(tops) != 1 or measured[0].count != 1 or not tops[0].descending:
            raise Unlinked("two superlatives in one question are not read")
        picks = [replace(measured[0], count=tops[0].count)]
    if len(picks) > 2:
        raise Unlinked("three superlatives in one question are not read")
    pick = picks[0] if picks else None
    if noun.limit is None:
        if pick is not None and pick.count == 1 and _is_plural(noun):
            raise Unlinked("how many of the first are wanted is not said: say “the top 5”")
        return pick, others
    if pick is None or pick.count != 1:
        raise Unlinked(f"which {noun.limit} are meant is not said")
    return replace(pick, count=noun.limit), others


def _is_plural(noun: Noun) -> bool:
    """Whether the head is written in the plural: `districts`, `types of crime`."""
    if noun.head is None:
        return False
    last = fold(noun.head.text).rpartition(" ")[2]
    return singular(last) != last


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


def ordered(context: Context, ask: Ask, plan: Plan, notes: Notes) -> Plan:
    """The plan with the sort key that the question asks for."""
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


def named(shown: Sequence[Expression]) -> tuple[OutputColumn, ...]:
    """Output columns with names that differ from each other."""
    names = unique_names([expression_name(e) for e in shown])
    return tuple(OutputColumn(e, n) for e, n in zip(shown, names, strict=True))

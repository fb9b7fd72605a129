"""Values of a column as groups of rows: what a question asks of each district, each type."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from groundwire.database.catalog import Table
from groundwire.draft.inflect import stem
from groundwire.draft.offline.filters import filters_for, noun_tables
from groundwire.draft.offline.lexicon import Field
from groundwire.draft.offline.mentions import Mention
from groundwire.draft.offline.plan import (
    Aggregate,
    Equals,
    Filter,
    Having,
    Lacks,
    Share,
    holds_zero,
)
from groundwire.draft.offline.resolve import Ambiguous, Context, Notes, Unlinked, spoken
from groundwire.draft.offline.syntax import (
    Condition,
    Counted,
    CountOf,
    During,
    Flagged,
    Is,
    Noun,
    Pick,
    Related,
)

__all__ = [
    "GroupConditions",
    "check_listable",
    "check_zero",
    "head_field",
    "parent_cost",
    "rows_meant",
    "say_rows",
    "split",
]


@dataclass(frozen=True)
class GroupConditions:
    """Conditions on all `rows`, on the rows that are `counted` in a group, and on the counts."""

    rows: tuple[Filter, ...]
    counted: tuple[Filter, ...] = ()
    having: tuple[Having, ...] = ()

    def asks_for_zero(self) -> bool:
        """Whether a group without any counted row may pass."""
        return any(holds_zero(h.operator, h.values) for h in self.having)

    def counting(self, *, zero: bool) -> tuple[tuple[Filter, ...], Aggregate, tuple[Having, ...]]:
        """(filters, count, conditions on the count); with `zero`, groups may be left with none.

        A plain WHERE would drop the groups that have no such row, and with them the truth about
        “the fewest” and “fewer than”.
        """
        if not zero or not self.counted:
            return (*self.rows, *self.counted), Aggregate("count"), self.having
        only = Aggregate("count", only=self.counted)
        return self.rows, only, tuple(replace(h, aggregate=only) for h in self.having)


def split(
    context: Context, table: Table, noun: Noun, found: Field, notes: Notes
) -> GroupConditions:
    """What the conditions of a noun that means values of a field say of the rows and groups."""
    asked = (noun, *(c.noun for c in noun.conditions if isinstance(c, Related | Counted)))
    if any(
        isinstance(c, Is) and c.every and len(c.values) > 1 for n in asked for c in n.conditions
    ):
        raise Ambiguous("“and” may mean one row with either, or rows of both kinds")
    ranked = any(isinstance(c, Pick) and isinstance(c.by, CountOf) for c in noun.conditions)
    sorted_out = _Sorted(ranked)
    for condition in noun.conditions:
        _sort_out(context, table, condition, sorted_out, notes)
    rows = filters_for(context, table, sorted_out.plain, notes)
    times = filters_for(context, table, sorted_out.times, notes)
    counted = tuple(sorted_out.counted)
    if not sorted_out.absent:
        return GroupConditions(rows, (*counted, *times), tuple(sorted_out.having))
    if sorted_out.having:
        raise Unlinked("a count and an absence in one condition are not read")
    check_zero(context, found, True)
    lacks = [Lacks(found, table, (*rows, *times, *inside)) for inside in sorted_out.absent]
    return GroupConditions(rows, (*counted, *lacks))


@dataclass
class _Sorted:
    """Conditions by what they speak of: rows, times, counted rows, counts, rows that are absent.

    Where values are `ranked` by their rows, a denial says which rows are counted.
    """

    ranked: bool
    plain: list[Condition] = field(default_factory=list)
    times: list[Condition] = field(default_factory=list)
    counted: list[Filter] = field(default_factory=list)
    having: list[Having] = field(default_factory=list)
    absent: list[tuple[Filter, ...]] = field(default_factory=list)


def _sort_out(
    context: Context, table: Table, condition: Condition, into: _Sorted, notes: Notes
) -> None:
    if isinstance(condition, Counted):
        if into.having:
            raise Unlinked("two counts in one condition are not read")
        into.counted += rows_meant(context, table, condition.noun, notes)
        comparison = condition.comparison
        into.having.append(Having(Aggregate("count"), comparison.operator, comparison.values))
    elif isinstance(condition, Related):
        inside = rows_meant(context, table, condition.noun, notes)
        if condition.negated:
            into.absent.append(tuple(inside))
        else:
            into.counted += inside
    elif isinstance(condition, Pick):
        if isinstance(condition.by, CountOf) and condition.by.noun is not None:
            into.counted += rows_meant(context, table, condition.by.noun, notes)
    elif isinstance(condition, Flagged) and context.is_denial(condition.mention):
        raise Unlinked(f"“{condition.mention.text}” may be said of some or of all rows")
    elif isinstance(condition, Flagged | Is) and condition.negated and not into.ranked:
        into.absent.append(filters_for(context, table, (replace(condition, negated=False),), notes))
    else:
        (into.times if isinstance(condition, During) else into.plain).append(condition)


def rows_meant(context: Context, table: Table, noun: Noun, notes: Notes) -> list[Filter]:
    """Conditions of a noun that means rows of the table itself."""
    generic = noun.generic and noun.head is None and not noun.conditions
    if not generic and not any(target is table for target, _ in noun_tables(context, noun)):
        raise Unlinked(f"these are no rows of {table.name}")
    if noun.kinds or noun.distinct:
        raise Unlinked("different values in a group are not counted here")
    say_rows(noun, table, notes)
    return list(filters_for(context, table, noun.conditions, notes))


def say_rows(noun: Noun, table: Table, notes: Notes) -> None:
    """Note that a noun was read as rows of a table."""
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


def parent_cost(context: Context, noun: Noun, found: Field) -> float:
    """`community areas` are first the rows of that table, then the values of a key to it."""
    parent = context.graph.parent_of(found.table, found.column.name)
    if parent is None or noun.head is None:
        return 0.0
    named = context.lexicon.tables.get(stem(noun.head.text), ())
    return 0.4 if any(n.table is parent and n.quality >= 0.95 for n in named) else 0.0


def check_listable(context: Context, noun: Noun, found: Field) -> None:
    """`how many tickets` asks for a sum, `how many wards` for how many there are.

    Raises:
        Unlinked: the column holds amounts.
    """
    if not noun.distinct and context.is_measure(found):
        raise Unlinked(f"{spoken(found)} is an amount: whether its sum is meant is not said")


def check_zero(context: Context, found: Field, zero: bool) -> None:
    """Groups that may be empty are the rows of the table that the field refers to, if there is one.

    Raises:
        Unlinked: there is one; the field lists only those that have a row.
    """
    if zero and context.graph.parent_of(found.table, found.column.name) is not None:
        raise Unlinked(f"{spoken(found)} does not list the ones without any")


def rate_of(context: Context, table: Table, flag: Mention, notes: Notes) -> Share:
    """The share of yes in a yes/no column, in percent of the rows that say yes or no."""
    part = filters_for(context, table, (Flagged(flag),), notes)
    notes.assume("The rate is given in percent.")
    return Share(part, 100, known_only(context, part))


def known_only(context: Context, part: tuple[Filter, ...]) -> tuple[Filter, ...]:
    """The rows where a yes/no column says yes or no."""
    found = part[0]
    if not isinstance(found, Equals):
        raise Unlinked("a rate is read for yes/no columns only")
    forms = context.lexicon.flag_values(found.field)
    return (Equals(found.field, forms),) if forms and all(forms) else ()

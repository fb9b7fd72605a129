"""From readings to plans: every way to link a reading to the database, the cheapest chosen.

Each reading is tried on each table that it may be about. What does not fit is dropped with its
reason; when two plans that differ cost the same, the question is ambiguous and is declined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from groundwire.database.catalog import Table
from groundwire.draft.offline.counted import (
    count_plan,
    exists_plan,
    mean_plan,
    share_plan,
    when_plan,
)
from groundwire.draft.offline.filters import noun_tables
from groundwire.draft.offline.listed import list_plan
from groundwire.draft.offline.plan import Plan
from groundwire.draft.offline.resolve import Context, Notes, Unlinked
from groundwire.draft.offline.syntax import (
    Ask,
    AverageOf,
    Counted,
    CountOf,
    Noun,
    Pick,
    Related,
    mentions_in,
)

__all__ = ["Linked", "link"]

MENTION_COST = 0.4
"""What one more mention costs: one long name beats two short ones."""

ASIDE_COST = 0.1
"""What a reading costs that is not about the main table of the pack."""


@dataclass(frozen=True)
class Linked:
    """A plan with what it cost and what was read and assumed on the way."""

    plan: Plan
    ask: Ask
    cost: float
    notes: Notes


def link(context: Context, asks: list[Ask]) -> tuple[list[Linked], list[Unlinked]]:
    """All plans for the readings, the cheapest first, and why other readings failed."""
    linked: list[Linked] = []
    problems: list[Unlinked] = []
    main = context.lexicon.main_table()
    for ask in asks:
        size = len({(m.start, m.end) for m in mentions_in(ask)})
        for table, cost in _entities(context, ask):
            aside = main is not None and table is not main
            notes = Notes(cost=cost + MENTION_COST * size + (ASIDE_COST if aside else 0))
            try:
                plan = _FORMS[ask.form](context, ask, table, notes)
            except Unlinked as problem:
                problems.append(problem)
                continue
            linked.append(Linked(plan, ask, notes.cost, notes))
    linked.sort(key=lambda found: found.cost)
    return linked, problems


_FORMS: dict[str, Callable[[Context, Ask, Table, Notes], Plan]] = {
    "count": count_plan,
    "list": list_plan,
    "share": share_plan,
    "rate": share_plan,
    "exists": exists_plan,
    "mean count": mean_plan,
    "when": when_plan,
}


def _entities(context: Context, ask: Ask) -> list[tuple[Table, float]]:
    """The tables that a reading may be about."""
    noun = (
        ask.outputs[0].noun if ask.outputs and isinstance(ask.outputs[0], AverageOf) else ask.noun
    )
    if noun.head is not None and noun.head.kind == "column":
        return _owners(context, ask, noun)
    found = noun_tables(context, noun)
    if found and not (noun.generic and noun.head is None):
        return found
    return _from_outputs(context, ask) or found or _only_table(context)


def _owners(context: Context, ask: Ask, noun: Noun) -> list[tuple[Table, float]]:
    """For `districts with …`: the table whose rows are counted or compared, else the column's."""
    counted = [table for thing in _things(ask) for table in noun_tables(context, thing)]
    if counted:
        return counted
    assert noun.head is not None
    return _tables_of(noun)


def _things(ask: Ask) -> Iterator[Noun]:
    for condition in ask.noun.conditions:
        if isinstance(condition, Counted | Related):
            yield condition.noun
        if isinstance(condition, Pick) and isinstance(condition.by, CountOf) and condition.by.noun:
            yield condition.by.noun
    for output in ask.outputs:
        if isinstance(output, CountOf) and output.noun is not None:
            yield output.noun


def _tables_of(noun: Noun) -> list[tuple[Table, float]]:
    assert noun.head is not None
    best: dict[tuple[str, str], tuple[Table, float]] = {}
    for named in noun.head.named:
        key = (named.table.schema, named.table.name)
        cost = (1 - named.quality) * 2
        if key not in best or cost < best[key][1]:
            best[key] = (named.table, cost)
    return list(best.values())


def _from_outputs(context: Context, ask: Ask) -> list[tuple[Table, float]]:
    """Tables that own a column or the counted rows of the outputs, groups and picks."""
    found: dict[tuple[str, str], tuple[Table, float]] = {}
    for thing in _things(ask):
        for table, cost in noun_tables(context, thing):
            found.setdefault((table.schema, table.name), (table, cost))
    for mention in mentions_in((ask.outputs, ask.groups)):
        for named in mention.named:
            found.setdefault((named.table.schema, named.table.name), (named.table, 0.0))
    return list(found.values())


def _only_table(context: Context) -> list[tuple[Table, float]]:
    main = context.lexicon.main_table()
    if main is not None:
        return [(main, 0.0)]
    tables = context.lexicon.catalog.tables
    return [(tables[0], 0.0)] if len(tables) == 1 else []

"""Conditions on stored values as filters: `in Englewood`, `domestic`, `at night` by the pack."""

from __future__ import annotations

from groundwire.database.catalog import Table
from groundwire.draft.inflect import fold
from groundwire.draft.offline.joins import Path, is_to_one
from groundwire.draft.offline.lexicon import Field
from groundwire.draft.offline.mentions import Mention, Stored
from groundwire.draft.offline.plan import Equals, Filter, HasRows, Literal_, PackCondition
from groundwire.draft.offline.resolve import (
    JOIN_COST,
    TIE,
    Ambiguous,
    Context,
    Notes,
    Unlinked,
    spoken,
)
from groundwire.draft.offline.syntax import Flagged, Is

__all__ = ["flagged", "is_filters"]


def is_filters(context: Context, table: Table, condition: Is, notes: Notes) -> list[Filter]:
    """A row, or a related row, has one of the stored values."""
    options = [
        _cost(context, table, condition, found, notes) for found in _common_fields(condition)
    ]
    costs = sorted((o for o in options if o is not None), key=lambda option: option[0])
    if not costs:
        text = " / ".join(mention.text for mention in condition.values)
        raise Unlinked(f"“{text}” is no value that a row of {table.name} can have")
    cost, found, path = costs[0]
    rivals = [f for c, f, _ in costs[1:] if c - cost < TIE and not context.equal(f, found)]
    if rivals:
        names = ", ".join(spoken(f) for f in (found, *rivals))
        raise Ambiguous(f"“{condition.values[0].text}” is a value of {names}")
    notes.cost += cost
    values = _values_of(condition, found, notes)
    if (
        condition.negated
        and found.column.nullable
        and found.column.name not in found.table.primary_key
    ):
        notes.assume(f"Rows where {spoken(found)} is missing are left out.")
    if is_to_one(path):
        return [Equals(found, values, condition.negated)]
    if condition.every and len(values) > 1:
        return [HasRows(path, (Equals(found, (v,)),), condition.negated) for v in values]
    return [HasRows(path, (Equals(found, values),), condition.negated)]


def _common_fields(condition: Is) -> list[Field]:
    first, *others = condition.values
    fields = {stored.field for stored in first.stored}
    for mention in others:
        fields &= {stored.field for stored in mention.stored}
    owner = condition.column
    if owner is not None:
        named = [(n.table, n.column) for n in owner.named if n.quality >= 0.6]
        fields = {
            f for f in fields
            if any(t is f.table and (c is None or c is f.column) for t, c in named)
        }  # fmt: skip
    return list(fields)


_EXACTNESS = {"exact": 0.0, "folded": 0.0, "synonym": 0.0, "plural": 0.06, "spelling": 0.5}


def _cost(
    context: Context, table: Table, condition: Is, found: Field, notes: Notes
) -> tuple[float, Field, Path] | None:
    path = context.path_to(table, found.table)
    if path is None:
        return None
    cost = JOIN_COST * len(path) + (0 if is_to_one(path) else 0.1)
    for mention in condition.values:
        cost += min(_EXACTNESS[s.exactness] for s in mention.stored if s.field == found)
    if condition.column is not None:
        cost += min(
            1 - n.quality
            for n in condition.column.named
            if n.table is found.table and n.column in {None, found.column}
        )
    elif found in context.labels(found.table):
        cost += JOIN_COST if found.table is table else -2 * TIE
    return cost, found, path


def _values_of(condition: Is, found: Field, notes: Notes) -> tuple[str, ...]:
    values: list[str] = []
    for mention in condition.values:
        stored = [s for s in mention.stored if s.field == found]
        values += [s.value for s in stored]
        shown = " or ".join(repr(s.value) for s in stored)
        notes.read(mention.text, f"{spoken(found)} = {shown}")
        if any(_needs_saying(s, mention) for s in stored):
            notes.assume(f"“{mention.text}” was taken as {spoken(found)} = {shown}.")
    return tuple(dict.fromkeys(values))


def _needs_saying(stored: Stored, mention: Mention) -> bool:
    return stored.exactness == "spelling" or (
        stored.exactness == "synonym" and fold(stored.value) != fold(mention.text)
    )


def flagged(context: Context, table: Table, condition: Flagged, notes: Notes) -> Filter:
    """A yes/no column says yes or no, or a convention of the pack holds."""
    mention = condition.mention
    if mention.convention is not None:
        return _convention(context, table, condition, notes)
    options = []
    for found in mention.flags:
        path = context.path_to(table, found.table)
        if path is not None and is_to_one(path):
            options.append((len(path), found))
    if not options:
        raise Unlinked(f"“{mention.text}” says nothing of {table.name}")
    options.sort(key=lambda option: option[0])
    nearest = [f for distance, f in options if distance == options[0][0]]
    if len(nearest) > 1:
        raise Ambiguous(f"“{mention.text}” may mean {', '.join(map(spoken, nearest))}")
    notes.cost += JOIN_COST * options[0][0]
    return _truth(context, nearest[0], mention.text, not condition.negated, notes)


def _truth(context: Context, found: Field, phrase: str, wanted: bool, notes: Notes) -> Filter:
    true, false = context.lexicon.flag_values(found) or ("", "")
    literal: Literal_ = (true if wanted else false) if true or false else wanted
    shown = repr(literal) if isinstance(literal, str) else str(literal).lower()
    notes.read(phrase, f"{spoken(found)} = {shown}")
    others = [v for v in context.values.profile(found.table, found.column).values
              if v not in {true, false}]  # fmt: skip
    if others:
        left_out = ", ".join(map(repr, others))
        notes.assume(f"“{phrase}” was taken as {spoken(found)} = {shown}; {left_out} is neither.")
    return Equals(found, (literal,))


def _convention(context: Context, table: Table, condition: Flagged, notes: Notes) -> Filter:
    convention = condition.mention.convention
    main = context.lexicon.main_table()
    assert convention is not None
    if main is None or not convention.sql:
        raise Unlinked(f"“{condition.mention.text}”: {convention.meaning}")
    found: Filter = PackCondition(convention.sql, main, condition.negated)
    if condition.negated:
        found = _opposite(context, convention.sql, main, condition.mention.text, notes) or found
    notes.read(condition.mention.text, convention.meaning)
    if not condition.negated:
        notes.assume(convention.meaning)
    if table is main:
        return found
    path = context.path_to(table, main)
    if path is None:
        raise Unlinked(f"“{condition.mention.text}” says nothing of {table.name}")
    notes.cost += JOIN_COST * len(path)
    return HasRows(path, (found,))


def _opposite(context: Context, sql: str, main: Table, phrase: str, notes: Notes) -> Filter | None:
    """The other value of a yes/no column whose true value is the whole convention."""
    name, equals, literal = sql.partition(" = ")
    found = next((c for c in main.columns if c.name.lower() == name.strip().lower()), None)
    if not equals or found is None:
        return None
    forms = context.lexicon.flag_values(Field(main, found))
    if forms is None or literal.strip().strip("'") != forms[0]:
        return None
    return _truth(context, Field(main, found), phrase, False, notes)

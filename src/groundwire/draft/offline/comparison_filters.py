"""Conditions on one column as filters: `district 3`, `older than 40`, `above the average`."""

from __future__ import annotations

from groundwire.database.catalog import Table
from groundwire.draft.inflect import fold
from groundwire.draft.offline.comparisons import REVERSED
from groundwire.draft.offline.joins import Path, is_to_one
from groundwire.draft.offline.lexicon import Field
from groundwire.draft.offline.plan import (
    AgainstAverage,
    Compares,
    Equals,
    Filter,
    HasRows,
    IsNull,
    Literal_,
)
from groundwire.draft.offline.resolve import Ambiguous, Context, Notes, Unlinked, spoken
from groundwire.draft.offline.syntax import Compared, Missing, Operator, VersusAverage
from groundwire.draft.values import Kind

__all__ = ["compared", "missing", "versus"]


def compared(context: Context, table: Table, condition: Compared, notes: Notes) -> Filter:
    """A column against numbers or codes: `older than 40`, `district 3`, `capacity over 1000`."""
    comparison = condition.comparison
    if condition.column is None:
        found, same = context.about(comparison.about, table, notes)
        if context.kind(found) != "number":
            raise Unlinked(f"{spoken(found)} is no number")
        operator = comparison.operator if same else REVERSED.get(comparison.operator)
        if operator is None:
            raise Unlinked(f"“{comparison.operator}” cannot be turned round")
        return Compares(found, operator, comparison.values)
    if comparison.operator == "=":
        return _equal(context, table, condition, notes)
    found = context.column(condition.column, table, notes, {"number"})
    operator = _negate(comparison.operator) if condition.negated else comparison.operator
    return Compares(found, operator, comparison.values)


def _negate(operator: Operator) -> Operator:
    opposite: dict[Operator, Operator] = {"<": ">=", ">": "<=", "<=": ">", ">=": "<", "<>": "="}
    if operator not in opposite:
        raise Unlinked("a negated range is not read")
    return opposite[operator]


def _equal(context: Context, table: Table, condition: Compared, notes: Notes) -> Filter:
    assert condition.column is not None
    found = _equal_field(context, table, condition, notes)
    path: Path = context.path_to(table, found.table) or ()
    values: list[Literal_] = []
    for raw in condition.comparison.values:
        values.extend(_literals(context, found, raw))
    shown = " or ".join(map(repr, values))
    notes.read(condition.column.text, f"{spoken(found)} = {shown}")
    if is_to_one(path):
        return Equals(found, tuple(values), condition.negated)
    return HasRows(path, (Equals(found, tuple(values)),), condition.negated)


def _equal_field(context: Context, table: Table, condition: Compared, notes: Notes) -> Field:
    """A number names a number first, then a code; own columns come before those of child rows."""
    assert condition.column is not None
    numbers = all(str(raw).isdigit() for raw in condition.comparison.values)
    attempts: list[tuple[set[Kind], bool]] = [(set(), False), (set(), True)]
    if numbers:
        attempts.insert(0, ({"number"}, False))
    problem: Unlinked | None = None
    for kinds, many in attempts:
        try:
            return context.column(condition.column, table, notes, kinds, many=many)
        except Unlinked as error:
            problem = problem or error
    assert problem is not None
    raise problem


def _literals(context: Context, found: Field, raw: int | float | str) -> list[Literal_]:
    """A number or code of the question as it is stored in the field."""
    profile = context.values.profile(found.table, found.column)
    declared_number = profile.kind == "number" and not profile.counts
    if declared_number:
        if isinstance(raw, str) and not raw.isdigit():
            raise Unlinked(f"{spoken(found)} holds numbers, {raw!r} is none")
        return [int(raw) if isinstance(raw, str) else raw]
    if profile.kind not in {"text", "number"}:
        raise Unlinked(f"{raw!r} does not fit {spoken(found)}")
    text = str(raw)
    stored = [v for v in profile.values if v.strip() == text]
    stored = stored or [v for v in profile.values if fold(v) == fold(text)]
    if not stored and text.isdigit():
        stored = list(context.values.numbered(found.table, found.column, int(text)))
    if len(stored) == 1:
        return [stored[0]]
    if len(stored) > 1:
        raise Ambiguous(f"{raw!r} may be {', '.join(map(repr, stored))} in {spoken(found)}")
    if profile.complete:
        known = ", ".join(map(repr, profile.values[:5]))
        raise Unlinked(f"{spoken(found)} has no value {raw!r}; it has {known} …")
    return [text]


def versus(context: Context, table: Table, condition: VersusAverage, notes: Notes) -> Filter:
    """A column against its own average."""
    operator: Operator | None = condition.operator
    if condition.column is not None:
        found = context.column(condition.column, table, notes, {"number"})
    else:
        found, same = context.about(condition.about, table, notes)
        operator = operator if same else REVERSED.get(condition.operator)
    if found.table is not table or operator is None or context.is_identifier(found):
        raise Unlinked(f"the average of {spoken(found)} is not compared here")
    notes.assume(f"The average is that of all rows of {table.name}.")
    return AgainstAverage(found, operator)


def missing(context: Context, table: Table, condition: Missing, notes: Notes) -> Filter:
    """Nothing, or something, is stored in a column of the table itself."""
    found = context.column(condition.column, table, notes)
    if found.table is not table or context.lexicon.flag_values(found) is not None:
        raise Unlinked(f"{spoken(found)} is not a column that may be missing")
    return IsNull(found, condition.negated)

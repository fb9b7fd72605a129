"""Conditions of a question as filters on the rows of one table."""

from __future__ import annotations

from collections.abc import Iterable

from groundwire.database.catalog import Table
from groundwire.draft.inflect import fold
from groundwire.draft.offline.comparisons import REVERSED
from groundwire.draft.offline.joins import Path, is_to_one
from groundwire.draft.offline.lexicon import Field
from groundwire.draft.offline.mentions import Mention, Stored
from groundwire.draft.offline.plan import (
    AgainstAverage,
    AnyOf,
    Best,
    Compares,
    Contains,
    Equals,
    Filter,
    HasRows,
    InPart,
    InRange,
    IsNull,
    Literal_,
    PackCondition,
    RowCount,
    TimePart,
)
from groundwire.draft.offline.resolve import (
    JOIN_COST,
    TIE,
    Ambiguous,
    Context,
    Notes,
    Unlinked,
    spoken,
)
from groundwire.draft.offline.syntax import (
    ColumnOf,
    Compared,
    Condition,
    Counted,
    During,
    Either,
    Flagged,
    Is,
    Missing,
    Noun,
    Operator,
    Pick,
    Related,
    TextMatch,
    TimeUnit,
    VersusAverage,
)
from groundwire.draft.offline.time_ranges import Part, Period

__all__ = ["filters_for", "noun_tables", "pick_field"]


def filters_for(
    context: Context, table: Table, conditions: Iterable[Condition], notes: Notes
) -> tuple[Filter, ...]:
    """Filters on rows of the table, superlatives last: they pick among what the others keep.

    Raises:
        Unlinked: a condition does not fit the table.
    """
    plain = [c for c in conditions if not isinstance(c, Pick)]
    picks = [c for c in conditions if isinstance(c, Pick)]
    found: list[Filter] = []
    for condition in plain:
        found.extend(_filters(context, table, condition, notes))
    _check_agreement(found)
    for pick in picks:
        found.append(_best(context, table, pick, tuple(found), notes))
    return tuple(found)


def _check_agreement(filters: list[Filter]) -> None:
    """`English and Dutch` as two conditions on one row would be true of none."""
    allowed: dict[Field, set[Literal_]] = {}
    for found in filters:
        if isinstance(found, Equals) and not found.negated:
            known = allowed.setdefault(found.field, set(found.values))
            known &= set(found.values)
            if not known:
                raise Unlinked(f"no row has two values in {spoken(found.field)}")


def _filters(context: Context, table: Table, condition: Condition, notes: Notes) -> list[Filter]:
    if isinstance(condition, Is):
        return _is(context, table, condition, notes)
    if isinstance(condition, Flagged):
        return [_flagged(context, table, condition, notes)]
    if isinstance(condition, Compared):
        return [_compared(context, table, condition, notes)]
    if isinstance(condition, During):
        return [_during(context, table, condition, notes)]
    if isinstance(condition, Missing):
        return [_missing(context, table, condition, notes)]
    if isinstance(condition, TextMatch):
        found = context.column(condition.column, table, notes, {"text"})
        return [Contains(found, condition.how, condition.text, condition.negated)]
    if isinstance(condition, VersusAverage):
        return [_versus(context, table, condition, notes)]
    if isinstance(condition, Either):
        parts = [f for c in condition.conditions for f in _filters(context, table, c, notes)]
        return [_merged(parts) or AnyOf(tuple(parts))]
    if isinstance(condition, Related):
        return [_related(context, table, condition, notes)]
    if isinstance(condition, Counted):
        return [_counted(context, table, condition, notes)]
    raise Unlinked("a superlative stands where it cannot be read")


# Values


def _is(context: Context, table: Table, condition: Is, notes: Notes) -> list[Filter]:
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


def _flagged(context: Context, table: Table, condition: Flagged, notes: Notes) -> Filter:
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


# Comparisons


def _compared(context: Context, table: Table, condition: Compared, notes: Notes) -> Filter:
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
    try:
        found = context.column(condition.column, table, notes)
        path: Path = context.path_to(table, found.table) or ()
    except Unlinked:
        found = context.column(condition.column, table, notes, many=True)
        path = context.path_to(table, found.table) or ()
    values: list[Literal_] = []
    for raw in condition.comparison.values:
        values.extend(_literals(context, found, raw))
    shown = " or ".join(map(repr, values))
    notes.read(condition.column.text, f"{spoken(found)} = {shown}")
    if is_to_one(path):
        return Equals(found, tuple(values), condition.negated)
    return HasRows(path, (Equals(found, tuple(values)),), condition.negated)


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


def _versus(context: Context, table: Table, condition: VersusAverage, notes: Notes) -> Filter:
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


def _missing(context: Context, table: Table, condition: Missing, notes: Notes) -> Filter:
    found = context.column(condition.column, table, notes)
    if found.table is not table or context.lexicon.flag_values(found) is not None:
        raise Unlinked(f"{spoken(found)} is not a column that may be missing")
    return IsNull(found, condition.negated)


# Times


def _during(context: Context, table: Table, condition: During, notes: Notes) -> Filter:
    filters = [_time(context, table, time, condition.column, notes) for time in condition.times]
    for time in condition.times:
        notes.assume(time.assumed)
    if len(filters) == 1:
        return filters[0]
    merged = _merged(filters)
    return merged or AnyOf(tuple(filters))


def _merged(filters: list[Filter]) -> Filter | None:
    """Several years as one IN."""
    fields = {f.field for f in filters if isinstance(f, Equals)}
    if len(fields) == 1 and all(isinstance(f, Equals) for f in filters):
        values = tuple(v for f in filters if isinstance(f, Equals) for v in f.values)
        return Equals(next(iter(fields)), values)
    return None


def _time(
    context: Context, table: Table, time: Period | Part, column: Mention | None, notes: Notes
) -> Filter:
    dates, years = context.temporal(table), context.years(table)
    if column is not None:
        found = context.column(column, table, notes, {"date", "number"})
        dates = [found] if context.kind(found) == "date" else []
        years = [found] if found in context.years(found.table) else []
    if isinstance(time, Part):
        field = _only(dates, table, time.label)
        if time.unit == "hour" and field.column.type.lower() == "date":
            raise Unlinked(f"{spoken(field)} has no time of day")
        notes.read(time.label, f"by {spoken(field)}")
        return InPart(TimePart(field, _UNITS[time.unit]), time.values)
    if (
        time.years is not None
        and len(years) == 1
        and (column is not None or _is_event_year(context, years[0], dates))
    ):
        notes.read(time.label, f"by {spoken(years[0])}")
        return _year_filter(context, years[0], time)
    field = _only(dates, table, time.label)
    notes.read(time.label, f"by {spoken(field)}")
    return InRange(
        field,
        time.start.isoformat() if time.start else None,
        time.end.isoformat() if time.end else None,
    )


_UNITS: dict[str, TimeUnit] = {"hour": "hour", "weekday": "weekday", "month": "month", "day": "day"}


def _is_event_year(context: Context, year: Field, dates: list[Field]) -> bool:
    """A column named just `year` says when a row happened; `birth_year` only if asked for."""
    return year.column.name.lower() == "year"


def _only(fields: list[Field], table: Table, phrase: str) -> Field:
    if len(fields) == 1:
        return fields[0]
    if not fields:
        raise Unlinked(f"“{phrase}”: {table.name} has no date that it could mean")
    raise Ambiguous(f"“{phrase}” may be by {', '.join(map(spoken, fields))}")


def _year_filter(context: Context, year: Field, period: Period) -> Filter:
    assert period.years is not None
    first, last = period.years
    text = bool(context.values.profile(year.table, year.column).counts)
    if first is not None and first == last:
        return Equals(year, (str(first) if text else first,))
    if first is not None and last is not None:
        return Compares(year, "between", (first, last))
    if first is not None:
        return Compares(year, ">=", (first,))
    return Compares(year, "<=", (last if last is not None else 0,))


# Related rows


def noun_tables(context: Context, noun: Noun) -> list[tuple[Table, float]]:
    """The tables whose rows a noun may mean, with the cost of reading it so."""
    if noun.head is not None and noun.head.kind == "table":
        best = max(n.quality for n in noun.head.named)
        return [(n.table, (1 - n.quality) * 2) for n in noun.head.named if n.quality == best]
    tables: dict[tuple[str, str], tuple[Table, float]] = {}
    for condition in noun.conditions:
        if isinstance(condition, Is):
            for stored in condition.values[0].stored:
                key = (stored.field.table.schema, stored.field.table.name)
                tables[key] = (stored.field.table, 0.05)
        elif isinstance(condition, Flagged):
            mention = condition.mention
            main = context.lexicon.main_table() if mention.convention else None
            for table in [f.table for f in mention.flags] + ([main] if main else []):
                tables[table.schema, table.name] = (table, 0.05)
    found = list(tables.values())
    children = [
        (table, cost)
        for table, cost in found
        if not any(context.graph.references(other, table) for other, _ in found)
    ]
    return children or found


def _inner(
    context: Context, table: Table, noun: Noun, notes: Notes
) -> tuple[Path, tuple[Filter, ...]]:
    """The path to a noun's rows and the filters on them, for the cheapest reading."""
    if noun.head is not None and noun.head.kind == "column":
        raise Unlinked(f"“{noun.head.text}” is no set of rows")
    if any(isinstance(c, Is) and c.every and len(c.values) > 1 for c in noun.conditions):
        raise Ambiguous("“and” may join two conditions on one row or on two rows")
    readings: list[tuple[float, Path, tuple[Filter, ...], Notes]] = []
    problem = Unlinked("the relation is not understood")
    for target, cost in noun_tables(context, noun):
        if target is table:
            continue
        path = context.path_to(table, target)
        if path is None:
            problem = Unlinked(f"{table.name} and {target.name} are not joined by one key")
            continue
        inner = Notes()
        try:
            filters = filters_for(context, target, noun.conditions, inner)
        except Unlinked as error:
            problem = error
            continue
        readings.append((cost + inner.cost + 0.1 * len(path), path, filters, inner))
    if not readings:
        raise problem
    readings.sort(key=lambda reading: reading[0])
    if len(readings) > 1 and readings[1][0] - readings[0][0] < TIE:
        raise Ambiguous("the related rows may be of two tables")
    cost, path, filters, inner = readings[0]
    notes.cost += cost
    notes.assumptions += inner.assumptions
    notes.meanings += inner.meanings
    if noun.head is not None:
        notes.read(noun.head.text, f"rows of {path[-1].right.name}")
    return path, filters


def _related(context: Context, table: Table, condition: Related, notes: Notes) -> Filter:
    path, filters = _inner(context, table, condition.noun, notes)
    return HasRows(path, filters, condition.negated)


def _counted(context: Context, table: Table, condition: Counted, notes: Notes) -> Filter:
    path, filters = _inner(context, table, condition.noun, notes)
    if is_to_one(path):
        raise Unlinked(f"a row of {table.name} has one {path[-1].right.name} at most")
    comparison = condition.comparison
    return RowCount(path, filters, comparison.operator, comparison.values)


def _best(
    context: Context, table: Table, pick: Pick, filters: tuple[Filter, ...], notes: Notes
) -> Filter:
    if pick.count != 1 or not isinstance(pick.by, ColumnOf | None):
        raise Unlinked("this superlative inside another phrase is not read")
    found, descending = pick_field(context, table, pick, notes)
    return Best(found, descending, filters)


def pick_field(context: Context, table: Table, pick: Pick, notes: Notes) -> tuple[Field, bool]:
    """The column by which a superlative chooses rows, and its direction."""
    if pick.by is None:
        dates = context.temporal(table) or context.years(table)
        return _only(dates, table, "latest" if pick.descending else "earliest"), pick.descending
    assert isinstance(pick.by, ColumnOf)
    if pick.by.column is not None:
        found = context.column(pick.by.column, table, notes, {"number", "date"})
        return found, pick.descending
    found, same = context.about(pick.by.about, table, notes)
    return found, pick.descending == same

"""The sentence that a result itself gives: true by construction, for every shape of result.

It says nothing that the rows do not say: it uses the names of the columns, never the question's
words, and calls a part a part.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from groundwire.answer.shape import Shape, shape_of, time_key
from groundwire.answer.wording import (
    column_names,
    cut,
    is_number,
    listed,
    say,
    say_number,
    visible,
)
from groundwire.counted import counted
from groundwire.database.result import Result

__all__ = ["cut_sentence", "template_sentence"]

NAMED = 5
"""Values that a sentence lists before it says how many more there are."""


def template_sentence(
    question: str, result: Result, *, total: int | None = None, understood: Sequence[str] = ()
) -> str:
    """One or two sentences about a result, from the result alone.

    Args:
        question: what was asked; only quoted back where nothing was found.
        result: the rows.
        total: the number of rows without the cap, where it was counted.
        understood: how the question was read, said where nothing was found.
    """
    shape = shape_of(result)
    if shape.form == "empty":
        return _nothing(question, understood)
    facts = _Facts(result, shape, column_names(column.name for column in result.columns))
    sentence = {
        "value": _value,
        "row": _row,
        "list": _list,
        "groups": _groups,
        "series": _series,
        "table": _table,
    }[shape.form](facts)
    return f"{cut_sentence(result, total)} {sentence}" if result.truncated else sentence


def cut_sentence(result: Result, total: int | None = None) -> str:
    """What is shown of a cut result: `Showing the first 1,000 of 8,123 rows.`"""
    shown = say_number(len(result.rows))
    if total is not None and total > len(result.rows):
        return f"Showing the first {shown} of {say_number(total)} rows."
    return f"Showing the first {shown} of more than {shown} rows."


@dataclass(frozen=True, slots=True)
class _Facts:
    """A result with its shape and its columns in words."""

    result: Result
    shape: Shape
    names: tuple[str, ...]

    def column(self, place: int) -> list[Any]:
        """The values of a column."""
        return [row[place] for row in self.result.rows]

    def say(self, place: int, value: Any) -> str:
        """A value of a column in words; a share as a percentage where the name says so."""
        if is_number(value):
            factor = _percent_factor(self.result.columns[place].name, self.column(place))
            if factor:
                return f"{say_number(_scaled(value, factor))}%"
        return say(value, self.shape.grain if place == self.shape.time else None)

    def row_name(self, row: tuple[Any, ...]) -> str:
        """What a row is about: its labels."""
        return " / ".join(self.label(place, row[place]) for place in self.shape.labels)

    def label(self, place: int, value: Any) -> str:
        """A label in words; a bare figure with its column, `district 7`, unless it is a year."""
        said = self.say(place, value)
        bare = is_number(value) and self.names[place] != "year"
        return f"{self.names[place]} {said}" if bare else said

    def rows(self, which: str) -> str:
        """`4 rows with n`; without the number where it was said already."""
        rows = "Rows" if self.result.truncated else counted(len(self.result.rows), "row")
        return f"{rows}{which}"

    @property
    def each(self) -> str:
        """`4 rows, one for each year`."""
        return self.rows(f", one for each {self.names[self.shape.labels[0]]}")

    @property
    def scope(self) -> str:
        """`"Among the rows shown, "` where the rows are a part."""
        return "among the rows shown, " if self.result.truncated else ""


def _percent_factor(name: str, values: Sequence[Any]) -> int | None:
    """1 for figures that are percentages, 100 for fractions, None where the name says neither."""
    words = set(name.lower().replace("_", " ").split())
    numbers = [value for value in values if is_number(value) and value - value == 0]
    fractions = bool(numbers) and all(0 <= value <= 1 for value in numbers)
    if words & {"percent", "percentage", "pct"} and not fractions:
        return 1
    if words & {"share", "fraction", "proportion"} and fractions:
        return 100
    return None


def _scaled(value: Any, factor: int) -> Any:
    return Decimal(repr(value) if isinstance(value, float) else value) * factor


def _nothing(question: str, understood: Sequence[str]) -> str:
    if understood:
        return f"No rows match: {'; '.join(part.rstrip('.') for part in understood)}."
    asked = cut(visible(" ".join(question.split())), 200)
    return f"No rows match the question “{asked}”." if asked else "No rows match."


def _value(facts: _Facts) -> str:
    value, name = facts.result.rows[0][0], facts.names[0]
    if value is None:
        return f"The database holds no value here: the {name} is NULL."
    return f"{_is(name, facts.say(0, value))}."


def _is(name: str, said: str) -> str:
    """`The count is 3`, but `Total sales: 3`, since nobody knows whether sales are one thing."""
    if name.endswith("s") and not name.endswith(("ss", "us", "is")):
        return f"{name[:1].upper()}{name[1:]}: {said}"
    return f"The {name} is {said}"


def _row(facts: _Facts) -> str:
    said = [
        f"{name}: {facts.say(place, value)}"
        for place, (name, value) in enumerate(zip(facts.names, facts.result.rows[0], strict=True))
    ]
    more = f"; and {counted(len(said) - 8, 'more column')}" if len(said) > 8 else ""
    told = "; ".join(said[:8])
    return f"{told[:1].upper()}{told[1:]}{more}."


def _list(facts: _Facts) -> str:
    values = facts.column(0)
    said = [facts.say(0, value) for value in values[:NAMED]]
    rest = len(values) - len(said)
    shown = f"{', '.join(said)} and {say_number(rest)} more" if rest else listed(said)
    return f"{facts.rows(f' of {facts.names[0]}')}: {shown}."


def _groups(facts: _Facts) -> str:
    return f"{facts.each}: {_extremes(facts)}."


def _extremes(facts: _Facts) -> str:
    """The highest and the lowest figure of the only measure, and whose they are."""
    measure = facts.shape.measures[0]
    name = facts.names[measure]
    figures = [row for row in facts.result.rows if _is_figure(row[measure])]
    if not figures:
        return f"no row has a value for {name}"
    missing = len(facts.result.rows) - len(figures)
    ending = f"; {counted(missing, 'row')} without a value" if missing else ""
    highest = max(row[measure] for row in figures)
    lowest = min(row[measure] for row in figures)
    if highest == lowest:
        which = "in all of them"
        if len(figures) == 1:
            which = f"({facts.row_name(figures[0])})"
        return f"{facts.scope}the {name} is {facts.say(measure, highest)} {which}{ending}"
    parts = [
        f"the {word} {name} is {facts.say(measure, extreme)} "
        f"({_who([facts.row_name(row) for row in figures if row[measure] == extreme])})"
        for word, extreme in (("highest", highest), ("lowest", lowest))
    ]
    return f"{facts.scope}{', '.join(parts)}{ending}"


def _is_figure(value: Any) -> bool:
    return value is not None and value == value


def _who(names: Sequence[str]) -> str:
    if len(names) == 1:
        return names[0]
    shown = listed(names) if len(names) <= NAMED else f"{', '.join(names[:NAMED])}, …"
    return f"{say_number(len(names))} tied: {shown}"


def _series(facts: _Facts) -> str:
    label, measure = facts.shape.labels[0], facts.shape.measures[0]
    dated = [
        (key, facts.label(label, row[label]), row[measure])
        for row in facts.result.rows
        if (key := time_key(row[label])) is not None and _is_figure(row[measure])
    ]
    if len(dated) < 2:
        return _groups(facts)
    dated.sort(key=lambda point: point[0])
    _, first, start = dated[0]
    _, last, end = dated[-1]
    peak = max(value for _, _, value in dated)
    figures = [row[measure] for row in facts.result.rows if _is_figure(row[measure])]
    if max(figures) > peak or figures.count(peak) > sum(v == peak for _, _, v in dated):
        return _groups(facts)  # a row without a date has the highest figure
    peaks = _who([moment for _, moment, value in dated if value == peak])
    missing = len(facts.result.rows) - len(dated)
    ending = f"; {counted(missing, 'row')} without a date or a value" if missing else ""
    course = f"from {facts.say(measure, start)} ({first}) to {facts.say(measure, end)} ({last})"
    return (
        f"{facts.each}: {facts.scope}the {facts.names[measure]} goes {course}, "
        f"the highest is {facts.say(measure, peak)} ({peaks}){ending}."
    )


def _table(facts: _Facts) -> str:
    columns = list(facts.names[:8])
    more = len(facts.names) - len(columns)
    named = f"{', '.join(columns)} and {more} more" if more else listed(columns)
    extremes = ""
    called = {facts.row_name(row) for row in facts.result.rows}
    if (
        facts.shape.labels
        and len(facts.shape.measures) == 1
        and len(called) == len(facts.result.rows)
    ):
        extremes = f": {_extremes(facts)}"
    return f"{facts.rows(f' with {named}')}{extremes}."

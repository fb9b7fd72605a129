"""What the grammar makes of a question: phrases with mentions, nothing resolved yet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Literal

from groundwire.draft.offline.mentions import Mention
from groundwire.draft.offline.time_ranges import Times

__all__ = [
    "About",
    "AggregateOf",
    "Ask",
    "AverageOf",
    "ColumnOf",
    "Compared",
    "Comparison",
    "Condition",
    "CountOf",
    "Counted",
    "During",
    "Either",
    "Flagged",
    "Function",
    "GroupBy",
    "Is",
    "Measure",
    "Missing",
    "Noun",
    "Operator",
    "OrderBy",
    "Output",
    "Pick", "RateOf",
    "Related",
    "TextMatch",
    "TimeUnit",
    "VersusAverage",
    "mentions_in",
]  # fmt: skip

Operator = Literal["=", "<>", "<", "<=", ">", ">=", "between"]
Function = Literal["count", "sum", "avg", "min", "max"]
TimeUnit = Literal["year", "quarter", "month", "week", "day", "weekday", "hour", "calendar month"]


About = tuple[tuple[str, bool], ...]
"""Columns that an adjective may speak of: `old` is (age, True) or (birth year, False: reversed)."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """`more than 30`: an operator and its numbers; `about` is set for `older than 30`."""

    operator: Operator
    values: tuple[int | float | str, ...]
    about: About = ()


@dataclass(frozen=True, slots=True)
class Is:
    """`in Englewood`, `were thefts`: one of several stored values, of a column if it is named."""

    values: tuple[Mention, ...]
    column: Mention | None = None
    negated: bool = False
    every: bool = False
    """The values were joined by `and`."""


@dataclass(frozen=True, slots=True)
class Compared:
    """`capacity over 1000`, `district 3`; `column` None where only `comparison.about` tells it."""

    column: Mention | None
    comparison: Comparison
    negated: bool = False


@dataclass(frozen=True, slots=True)
class TextMatch:
    """`name contains 'Hey'`."""

    column: Mention
    how: Literal["contains", "starts", "ends"]
    text: str
    negated: bool = False


@dataclass(frozen=True, slots=True)
class During:
    """`in 2019`, `founded before 2003`: any of the times."""

    times: Times
    column: Mention | None = None


@dataclass(frozen=True, slots=True)
class Flagged:
    """`domestic`, `led to an arrest`: a yes/no column or a convention of the pack."""

    mention: Mention
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Missing:
    """`without coordinates`: nothing is stored in the column."""

    column: Mention
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Counted:
    """`with more than three concerts`."""

    noun: Noun
    comparison: Comparison


@dataclass(frozen=True, slots=True)
class Related:
    """`without any concert`, `that use the template …`."""

    noun: Noun
    negated: bool = False


@dataclass(frozen=True, slots=True)
class VersusAverage:
    """`above the average age`."""

    column: Mention | None
    operator: Operator
    about: About = ()


@dataclass(frozen=True, slots=True)
class Either:
    """`opened after 2013 or before 2008`."""

    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class ColumnOf:
    """A column as an output or a measure; `about` tells it where an adjective names it.

    `owner` is the table in `the name of its singer`.
    """

    column: Mention | None
    about: About = ()
    distinct: bool = False
    owner: Mention | None = None


@dataclass(frozen=True, slots=True)
class AggregateOf:
    """`average age`; `column` None = the same column as the next output."""

    function: Function
    column: Mention


@dataclass(frozen=True, slots=True)
class AverageOf:
    """`average number of crimes per day`."""

    noun: Noun
    unit: GroupBy


@dataclass(frozen=True, slots=True)
class CountOf:
    """`number of concerts`; `noun` None = the rows at hand (`most common`)."""

    noun: Noun | None


@dataclass(frozen=True, slots=True)
class RateOf:
    """`arrest rate`: the share of yes in a yes/no column."""

    flag: Mention


Output = ColumnOf | AggregateOf | CountOf | AverageOf
Measure = ColumnOf | AggregateOf | CountOf | RateOf


@dataclass(frozen=True, slots=True)
class Pick:
    """The first `count` by a measure, all ties included; `by` None = by time."""

    by: Measure | None
    descending: bool
    count: int = 1


@dataclass(frozen=True, slots=True)
class GroupBy:
    """`per district`, `each year`; `kinds` is true for `per type of crime`."""

    target: Mention | None
    unit: TimeUnit | None = None
    kinds: bool = False


@dataclass(frozen=True, slots=True)
class OrderBy:
    """`ordered by age from oldest`; `by` None = by what is counted or listed first."""

    by: Measure | None
    descending: bool


Condition = (
    Is | Compared | TextMatch | During | Flagged | Missing | Counted | Related | VersusAverage
    | Either | Pick
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Noun:
    """A set of rows or values: `domestic crimes in 2019`, `districts`, `thefts`.

    `head` is a table or column; None where only the conditions tell what it is (`thefts`).
    `kinds` is true for `types of crime`, `unit` is set for `which month`,
    `limit` for `the 5 areas with …`.
    """

    head: Mention | None
    conditions: tuple[Condition, ...] = ()
    kinds: bool = False
    distinct: bool = False
    generic: bool = False
    unit: TimeUnit | None = None
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class Ask:
    """One whole question.

    `predicate` is what the share of `noun` is asked of. `outputs` is empty where the noun
    itself is asked for.
    """

    form: Literal["list", "count", "share", "rate", "exists", "mean count", "when"]
    noun: Noun
    outputs: tuple[Output, ...] = ()
    predicate: tuple[Condition, ...] = ()
    groups: tuple[GroupBy, ...] = ()
    order: OrderBy | None = None
    scale: int = 100


def mentions_in(node: Any) -> Iterator[Mention]:
    """Every mention inside a phrase."""
    if isinstance(node, Mention):
        yield node
    elif isinstance(node, tuple):
        for item in node:
            yield from mentions_in(item)
    else:
        for name in _field_names(type(node)):
            yield from mentions_in(getattr(node, name))


_FIELD_NAMES: dict[type, tuple[str, ...]] = {}


def _field_names(kind: type) -> tuple[str, ...]:
    if kind not in _FIELD_NAMES:
        names = tuple(item.name for item in fields(kind)) if is_dataclass(kind) else ()
        _FIELD_NAMES[kind] = names
    return _FIELD_NAMES[kind]

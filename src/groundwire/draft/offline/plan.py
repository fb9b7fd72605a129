"""What a query will do, free of any query language: `write_sql` turns it into text.

A plan starts from the rows of `table` (with `members`, from all its rows with the matching
child rows beside them), keeps what passes `filters`, groups, and shows `outputs`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from groundwire.database.catalog import Table
from groundwire.draft.offline.joins import Path
from groundwire.draft.offline.lexicon import Field
from groundwire.draft.offline.syntax import Function, Operator, TimeUnit

__all__ = [
    "AgainstAverage",
    "Aggregate",
    "AnyOf",
    "Best",
    "Compares",
    "Contains",
    "Equals",
    "Expression",
    "Filter",
    "HasRows",
    "Having",
    "InPart",
    "InRange",
    "IsNull",
    "Lacks",
    "Literal_",
    "Members",
    "Order",
    "OutputColumn",
    "PackCondition",
    "Plan",
    "Rank",
    "RowCount",
    "Share",
    "TimePart",
    "filter_tables",
    "holds_zero",
    "table_key",
]  # fmt: skip

Literal_ = str | int | float | bool


@dataclass(frozen=True, slots=True)
class TimePart:
    """The year, month, … of a date or timestamp."""

    field: Field
    unit: TimeUnit


@dataclass(frozen=True, slots=True)
class Aggregate:
    """`COUNT(*)` where `argument` is None; `only` counts just the rows that pass."""

    function: Function
    argument: Field | TimePart | None = None
    distinct: bool = False
    only: tuple[Filter, ...] = ()


@dataclass(frozen=True, slots=True)
class Share:
    """Rows that pass `part` among the rows at hand, times `scale`; `among` narrows the whole."""

    part: tuple[Filter, ...]
    scale: int
    among: tuple[Filter, ...] = ()


Expression = Field | TimePart | Aggregate | Share


@dataclass(frozen=True, slots=True)
class Equals:
    """The field is one of the values (negated: none of them)."""

    field: Field
    values: tuple[Literal_, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Compares:
    """`field operator values`; between is inclusive."""

    field: Field
    operator: Operator
    values: tuple[Literal_, ...]


@dataclass(frozen=True, slots=True)
class Contains:
    """The text holds, starts or ends with a text, whatever the case."""

    field: Field
    how: Literal["contains", "starts", "ends"]
    text: str
    negated: bool = False


@dataclass(frozen=True, slots=True)
class InRange:
    """`start <= field < end`; ISO dates, None = open."""

    field: Field
    start: str | None
    end: str | None


@dataclass(frozen=True, slots=True)
class InPart:
    """A part of the time is one of the values: hours, ISO weekdays, months."""

    part: TimePart
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class IsNull:
    """Nothing is stored in the field (negated: something is)."""

    field: Field
    negated: bool = False


@dataclass(frozen=True, slots=True)
class PackCondition:
    """A condition in SQL over unqualified columns of a table, from the pack."""

    sql: str
    table: Table
    negated: bool = False


@dataclass(frozen=True, slots=True)
class AnyOf:
    """One of the filters at least."""

    filters: tuple[Filter, ...]


@dataclass(frozen=True, slots=True)
class HasRows:
    """Rows that pass `filters` exist at the end of the path (negated: none)."""

    path: Path
    filters: tuple[Filter, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class RowCount:
    """The number of rows at the end of the path that pass `filters` compares so."""

    path: Path
    filters: tuple[Filter, ...]
    operator: Operator
    values: tuple[Literal_, ...]


@dataclass(frozen=True, slots=True)
class AgainstAverage:
    """The field against its average over the whole table."""

    field: Field
    operator: Operator


@dataclass(frozen=True, slots=True)
class Best:
    """The field is the greatest (or least) among the rows that pass `filters`."""

    field: Field
    descending: bool
    filters: tuple[Filter, ...]


@dataclass(frozen=True, slots=True)
class Lacks:
    """No row of the field's table with this value passes `filters`."""

    field: Field
    table: Table
    filters: tuple[Filter, ...]


Filter = (
    Equals | Compares | Contains | InRange | InPart | IsNull | PackCondition | AnyOf | HasRows
    | RowCount | AgainstAverage | Best | Lacks
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class OutputColumn:
    """One column of the answer."""

    expression: Expression
    name: str


@dataclass(frozen=True, slots=True)
class Having:
    """A condition on a group."""

    aggregate: Aggregate
    operator: Operator
    values: tuple[Literal_, ...]


@dataclass(frozen=True, slots=True)
class Order:
    """One sort key."""

    expression: Expression
    descending: bool


@dataclass(frozen=True, slots=True)
class Rank:
    """Keep the first `count` places by an expression, all ties included, NULLs left out."""

    expression: Expression
    descending: bool
    count: int


@dataclass(frozen=True, slots=True)
class Members:
    """Child rows beside each row of the plan's table; rows without any are kept."""

    path: Path
    filters: tuple[Filter, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """One query. `form` says how the outputs are to be read.

    `rows`: as they are; `exists`: one row, whether there is any and how many; `groups counted`:
    how many groups pass `having`; `mean`: the average, over the groups, of the rows in a group.
    """

    table: Table
    outputs: tuple[OutputColumn, ...]
    filters: tuple[Filter, ...] = ()
    groups: tuple[Expression, ...] = ()
    having: tuple[Having, ...] = ()
    order: tuple[Order, ...] = ()
    rank: Rank | None = None
    distinct: bool = False
    members: Members | None = None
    form: Literal["rows", "exists", "groups counted", "mean"] = "rows"


def table_key(table: Table) -> tuple[str, str]:
    """What makes two tables the same."""
    return table.schema, table.name


def filter_tables(found: Filter) -> set[tuple[str, str]]:
    """The tables whose rows a filter looks at."""
    if isinstance(found, AnyOf):
        return set().union(*(filter_tables(part) for part in found.filters))
    if isinstance(found, HasRows | RowCount):
        return {table_key(found.path[0].left)}
    if isinstance(found, PackCondition | Lacks):
        return {table_key(found.table)}
    if isinstance(found, InPart):
        return {table_key(found.part.field.table)}
    return {table_key(found.field.table)}


def holds_zero(operator: Operator, values: Sequence[Any]) -> bool:
    """Whether a count of 0 passes a comparison."""
    tests: dict[Operator, bool] = {
        "=": values[0] == 0,
        "<>": values[0] != 0,
        "<": values[0] > 0,
        "<=": values[0] >= 0,
        ">": values[0] < 0,
        ">=": values[0] <= 0,
        "between": values[0] <= 0,
    }
    return tests[operator]

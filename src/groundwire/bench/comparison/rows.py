"""Comparing rows: as bags, in order, under a choice of columns.

A row cancels its exact twin first; what is left is paired within the tolerance, so that the
comparison is linear for results that are equal, which most are. Only where that fails are all
rows paired anew.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from groundwire.bench.comparison.values import Number, Value, mask, same, strict

__all__ = ["Row", "Table", "contains", "same_bag", "same_row", "selections", "table"]

Row: TypeAlias = tuple[Value, ...]

MATCHING_LIMIT = 400
"""Rows of one kind up to which the best pairing is looked for; beyond it the sorted one counts."""

SEARCH_LIMIT = 2_000
"""Choices of columns that are tried at most."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows in comparable values; `width` is the number of columns, also where there is no row."""

    rows: tuple[Row, ...]
    width: int

    def choose(self, columns: Sequence[int]) -> Table:
        """The table with these columns, in this order."""
        rows = tuple(tuple(row[column] for column in columns) for row in self.rows)
        return Table(rows, len(columns))

    def column(self, place: int) -> tuple[Value, ...]:
        """The values of one column, row by row."""
        return tuple(row[place] for row in self.rows)


def table(
    rows: Iterable[Sequence[Any]], width: int, convert: Callable[[Any], Value] = strict
) -> Table:
    """Rows of a driver as a table of comparable values."""
    return Table(tuple(tuple(convert(value) for value in row) for row in rows), width)


def same_row(left: Row, right: Row, tolerance: float) -> bool:
    """Whether two rows are equal value by value."""
    return len(left) == len(right) and all(
        same(a, b, tolerance) for a, b in zip(left, right, strict=True)
    )


def same_bag(left: Sequence[Row], right: Sequence[Row], tolerance: float) -> bool:
    """Whether two lists of rows are equal in any order, each row as often in both."""
    if len(left) != len(right):
        return False
    count, other = Counter(left), Counter(right)
    rest, rest_of_other = count - other, other - count
    if not rest:
        return True
    if tolerance == 0:
        return False
    return _same_kinds(rest, rest_of_other, tolerance) or (
        # A row may have to leave its twin to another one.
        len(rest) < len(count) and _same_kinds(count, other, tolerance)
    )


def _same_kinds(left: Counter[Row], right: Counter[Row], tolerance: float) -> bool:
    kinds, others = _by_kind(left), _by_kind(right)
    return all(len(rows) == len(others.get(kind, ())) for kind, rows in kinds.items()) and all(
        _pairs(rows, others[kind], tolerance) for kind, rows in kinds.items()
    )


def selections(gold: Table, other: Table, tolerance: float) -> Iterator[tuple[int, ...]]:
    """The choices of columns of `other` under which its rows may equal those of `gold`.

    A choice is an injection, one column of `other` for each of `gold`; it is given only after the
    bag of the rows under it was compared, so the first one is an answer.
    """
    if len(gold.rows) != len(other.rows) or gold.width > other.width:
        return
    candidates = _candidates(gold, other)
    tries = 0
    stack: list[tuple[int, ...]] = [()]
    while stack and tries < SEARCH_LIMIT:
        chosen = stack.pop()
        if len(chosen) == gold.width:
            yield chosen
            continue
        place = len(chosen)
        seen: set[tuple[Value, ...]] = set()
        following = []
        for column in candidates[place]:
            values = other.column(column)
            if column in chosen or values in seen:
                continue
            seen.add(values)
            tries += 1
            longer = (*chosen, column)
            rows = gold.choose(range(place + 1)).rows
            if same_bag(rows, other.choose(longer).rows, tolerance):
                following.append(longer)
        stack.extend(reversed(following))


def contains(gold: Table, other: Table, tolerance: float) -> bool:
    """Whether some choice of columns of `other` gives the rows of `gold`, in any order."""
    return next(selections(gold, other, tolerance), None) is not None


def _candidates(gold: Table, other: Table) -> list[list[int]]:
    """For each column of gold the columns of the other that hold the same kinds of values."""
    mine, theirs = (
        [_signature(table.column(place)) for place in range(table.width)] for table in (gold, other)
    )
    return [
        sorted(
            (place for place, signature in enumerate(theirs) if signature == wanted),
            key=lambda place, column=column: place != column,  # type: ignore[misc]
        )
        for column, wanted in enumerate(mine)
    ]


def _signature(values: Iterable[Value]) -> frozenset[tuple[Value, int]]:
    return frozenset(Counter(mask(value) for value in values).items())


def _by_kind(rows: Counter[Row]) -> dict[Row, list[Row]]:
    kinds: dict[Row, list[Row]] = defaultdict(list)
    for row in rows.elements():
        kinds[mask(row)].append(row)
    return kinds


def _pairs(left: list[Row], right: list[Row], tolerance: float) -> bool:
    """Whether as many rows of one kind can be paired, each with one that is the same."""
    left, right = sorted(left, key=_numbers), sorted(right, key=_numbers)
    if all(same_row(a, b, tolerance) for a, b in zip(left, right, strict=True)):
        return True
    return len(left) <= MATCHING_LIMIT and _matched(left, right, tolerance)


def _matched(left: list[Row], right: list[Row], tolerance: float) -> bool:
    """Kuhn's algorithm: a pairing of all rows by augmenting paths."""
    near = [
        [place for place, row in enumerate(right) if same_row(mine, row, tolerance)]
        for mine in left
    ]
    partner: dict[int, int] = {}

    def place(mine: int, tried: set[int]) -> bool:
        for other in near[mine]:
            if other not in tried:
                tried.add(other)
                if other not in partner or place(partner[other], tried):
                    partner[other] = mine
                    return True
        return False

    return all(place(mine, set()) for mine in range(len(left)))


def _numbers(row: Row) -> list[int | float]:
    """The numbers of a row from left to right; rows of one kind have equally many."""
    found: list[int | float] = []
    for value in row:
        if isinstance(value, Number):
            found.append(value.value)
        elif isinstance(value, tuple):
            found.extend(_numbers(value))
    return found

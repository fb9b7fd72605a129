"""How far two results agree, cell by cell, whatever their columns and rows are called or sorted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from groundwire.bench.comparison.rows import Row, Table, contains, selections
from groundwire.bench.comparison.values import Number, Value, same

__all__ = ["overlap"]

WIDEST_SEARCH = 6
"""Columns up to which rows are paired by every choice of equal cells; beyond it by all columns,
all but one, and each one alone."""

MANY_ROWS = 5_000
"""Rows beyond which that holds for any number of columns."""


def overlap(gold: Table, found: Table, tolerance: float) -> float:
    """The F1 of cells, from 0 to 1; 1 where the rows are equal under a permutation of the columns.

    Columns are paired by the values that they share; then rows, most equal cells first, each row
    at most once. Twice the equal cells of paired rows, divided by the cells of both results.
    """
    cells = gold.width * len(gold.rows) + found.width * len(found.rows)
    if not gold.rows or not found.rows or not cells:
        return 0.0
    if gold.width == found.width and contains(gold, found, tolerance):
        return 1.0
    left, right = _coded(gold, found, tolerance)
    pairs = list(_column_pairs(left, right))
    mine = _counted(left.choose([pair[0] for pair in pairs]))
    theirs = _counted(right.choose([pair[1] for pair in pairs]))
    equal = 0
    for kept in _choices(len(pairs), max(len(mine), len(theirs)) <= MANY_ROWS):
        if not mine or not theirs:
            break
        equal += len(kept) * _take(mine, theirs, kept)
    return 2 * equal / cells


def _coded(gold: Table, found: Table, tolerance: float) -> tuple[Table, Table]:
    """Both tables with a whole number for each value, equal for those within the tolerance."""
    values = {value for table in (gold, found) for row in table.rows for value in row}
    numbers = {number for value in values for number in _numbers(value)}
    place: dict[Number, Number] = {}
    last: Number | None = None
    for number in sorted(numbers, key=lambda number: (number.value, number.exact)):
        if last is None or not same(last, number, tolerance):
            last = number
        place[number] = last
    snapped = {value: _snap(value, place) for value in values}
    codes = {value: code for code, value in enumerate(sorted(set(snapped.values()), key=repr))}
    return (
        Table(tuple(tuple(codes[snapped[v]] for v in row) for row in gold.rows), gold.width),
        Table(tuple(tuple(codes[snapped[v]] for v in row) for row in found.rows), found.width),
    )


def _snap(value: Value, place: dict[Number, Number]) -> Value:
    if isinstance(value, Number):
        return place[value]
    return tuple(_snap(item, place) for item in value) if isinstance(value, tuple) else value


def _numbers(value: Value) -> Iterator[Number]:
    if isinstance(value, Number):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _numbers(item)


def _column_pairs(gold: Table, found: Table) -> Iterator[tuple[int, int]]:
    """Each column of the narrower table with one of the other: equal rows first, else by values."""
    exact = next(selections(gold, found, 0.0), None)
    if exact is not None:
        yield from enumerate(exact)
        return
    exact = next(selections(found, gold, 0.0), None)
    if exact is not None:
        yield from ((place, other) for other, place in enumerate(exact))
        return
    mine = [Counter(gold.column(place)) for place in range(gold.width)]
    theirs = [Counter(found.column(place)) for place in range(found.width)]
    shared = sorted(
        (-(left & right).total(), abs(i - j), i, j)
        for i, left in enumerate(mine)
        for j, right in enumerate(theirs)
    )
    taken: set[int] = set()
    given: set[int] = set()
    for _, _, i, j in shared:
        if i not in taken and j not in given:
            taken.add(i)
            given.add(j)
            yield i, j


def _counted(table: Table) -> Counter[Row]:
    """How often each row stands, in an order that does not depend on the rows' own."""
    return Counter(sorted(table.rows))


def _choices(width: int, every: bool) -> Iterator[Sequence[int]]:
    """Sets of columns, the larger ones first."""
    for size in range(width, 0, -1):
        if (every and width <= WIDEST_SEARCH) or size in (width, width - 1, 1):
            yield from combinations(range(width), size)


def _take(mine: Counter[Row], theirs: Counter[Row], kept: Sequence[int]) -> int:
    """Pair the rows that are equal in some columns, take them out, and count them."""
    groups: dict[Row, list[Row]] = {}
    for row in theirs:
        groups.setdefault(tuple(row[place] for place in kept), []).append(row)
    count = 0
    for row in list(mine):
        others = groups.get(tuple(row[place] for place in kept), [])
        while others and row in mine:
            paired = min(mine[row], theirs[others[-1]])
            count += paired
            _take_out(mine, row, paired)
            if _take_out(theirs, others[-1], paired):
                others.pop()
    return count


def _take_out(rows: Counter[Row], row: Row, times: int) -> bool:
    """Whether nothing of the row is left."""
    rows[row] -= times
    if rows[row]:
        return False
    del rows[row]
    return True

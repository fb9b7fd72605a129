"""Which two figures a comparison speaks of: two rows, two times, or two columns of one row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import TYPE_CHECKING

from groundwire.answer.facts.ground import Ground, columns_called, stems
from groundwire.answer.facts.names import Mention
from groundwire.answer.facts.reading import Reading
from groundwire.answer.shape import time_key

if TYPE_CHECKING:
    from groundwire.answer.facts.said import Said

__all__ = ["compared_values", "in_time_order", "mentioned_columns"]


def compared_values(said: Said, *, chronological: bool) -> Iterator[tuple[Decimal, Decimal]]:
    """(subject, object) figures that a difference or ratio may be made of.

    Args:
        said: the figure that claims the difference or ratio.
        chronological: the sentence speaks of a change: (later, earlier) figures in time.
    """
    reading, ground = said.reading, said.ground
    columns = said.columns or [place for place in ground.figures if ground.numbers(place)]
    found = False
    for axis in _compared_axes(said):
        for first, second in _mentions(said, axis):
            found = True
            for place in columns:
                values = _values(said, axis, first, second, place)
                if values is None:
                    continue
                later_first = values
                if chronological and _is_earlier(ground, first, second):
                    later_first = (values[1], values[0])
                yield later_first
            break
    if not found:
        yield from _column_pairs(said, reading)
        if chronological:
            for place in columns:
                yield from _time_pairs(said, place)


def _compared_axes(said: Said) -> list[int]:
    linked = [axis for axis, run in said.group.links.items() if run]
    return sorted({*said.reading.axes, *linked})


def _mentions(said: Said, axis: int) -> Iterator[tuple[Mention, Mention]]:
    """The two names around the figure, nearest first."""
    group = said.group
    mentions = [m for m in said.reading.mentions if m.axis == axis]
    linked = group.links.get(axis, [])
    carried = [mention for mention in linked if mention.start < 0]
    if len(linked) == 2 and not carried:
        yield linked[0], linked[1]
        return
    left = carried + [m for m in mentions if m.start < group.start]
    right = [m for m in mentions if m.start >= group.end]
    if left and right:
        yield left[-1], right[0]
    elif len(left) > 1:
        yield left[-2], left[-1]
    elif len(right) > 1:
        yield right[0], right[1]


def _values(
    said: Said, axis: int, first: Mention, second: Mention, place: int
) -> tuple[Decimal, Decimal] | None:
    """The one figure of each of two names, within what else the sentence names."""
    others = [run for other, run in said.group.links.items() if other != axis and len(run) == 1]
    values = []
    for mention in (first, second):
        rows = mention.rows
        for run in others:
            rows = rows & run[0].rows
        cells = said.ground.numbers(place, sorted(rows))
        if len(cells) != 1:
            return None
        values.append(cells[0])
    return values[0], values[1]


def _is_earlier(ground: Ground, first: Mention, second: Mention) -> bool:
    if not (first.is_time and second.is_time):
        return False
    keys = [time_key(ground.result.rows[min(m.rows)][m.axis]) for m in (first, second)]
    return (keys[0] or ()) < (keys[1] or ())


def _time_pairs(said: Said, place: int) -> Iterator[tuple[Decimal, Decimal]]:
    """(later, earlier): the named time and the one before it, or the whole series."""
    ground = said.ground
    series = in_time_order(ground, place, _filter(said))
    named = {row for run in said.group.links.values() for m in run if m.is_time for row in m.rows}
    for (_, earlier), (row, later) in pairwise(series):
        if row in named:
            yield later, earlier
    if not named and len(series) > 1:
        yield series[-1][1], series[0][1]


def _filter(said: Said) -> frozenset[int] | None:
    runs = [run for run in said.group.links.values() if len(run) == 1 and not run[0].is_time]
    return frozenset.intersection(*(run[0].rows for run in runs)) if runs else None


def in_time_order(
    ground: Ground, place: int, rows: frozenset[int] | None = None
) -> list[tuple[int, Decimal]]:
    """(row, figure) of a column in the order of time; empty where a time comes twice."""
    time = ground.shape.time
    if time is None:
        return []
    points = []
    for row in range(ground.size) if rows is None else sorted(rows):
        key, figure = time_key(ground.result.rows[row][time]), ground.number(row, place)
        if key is not None and figure is not None:
            points.append((key, row, figure))
    points.sort()
    if len({key for key, _, _ in points}) < len(points):
        return []
    return [(row, figure) for _, row, figure in points]


def mentioned_columns(reading: Reading, places: Sequence[int]) -> list[int]:
    """Figure columns in the order in which the sentence calls them."""
    order: list[int] = []
    for word in stems(reading.text):
        found = columns_called(reading.ground, places, [word])
        if len(found) == 1 and found[0] not in order:
            order.append(found[0])
    return order


def _column_pairs(said: Said, reading: Reading) -> Iterator[tuple[Decimal, Decimal]]:
    """`380 more crimes than arrests`: two columns of the row that is named."""
    ground = said.ground
    numeric = [place for place in ground.figures if ground.numbers(place)]
    called = mentioned_columns(reading, numeric)
    if len(called) == 2 and len(said.targets) == 1 and len(said.targets[0]) == 1:
        row = next(iter(said.targets[0]))
        first, second = (ground.number(row, place) for place in called)
        if first is not None and second is not None:
            yield first, second

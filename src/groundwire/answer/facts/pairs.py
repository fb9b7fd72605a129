"""Which two figures a comparison speaks of: two rows, two times, or two columns of one row."""

from __future__ import annotations

import re
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
        named = _mentions(said, axis)
        found = found or bool(named)
        for place in columns if named else ():
            values = {_values(said, axis, pair, place, chronological) for pair in named}
            if len(values) == 1 and (only := values.pop()) is not None:
                yield only
    if not found:
        yield from _column_pairs(said, reading)
        if chronological:
            for place in columns:
                yield from _time_pairs(said, place)


def _compared_axes(said: Said) -> list[int]:
    linked = [axis for axis, run in said.group.links.items() if run]
    return sorted({*said.reading.axes, *linked})


def _mentions(said: Said, axis: int) -> list[tuple[Mention, Mention]]:
    """The names around the figure, the nearest; several pairs for `than Tom and Raj`."""
    group, text = said.group, said.reading.text
    mentions = [m for m in said.reading.mentions if m.axis == axis]
    linked = group.links.get(axis, [])
    carried = [mention for mention in linked if mention.start < 0]
    left = carried + [m for m in mentions if m.start < group.start]
    right = [m for m in mentions if m.start >= group.end]
    if len(linked) == 2 and not carried:
        than = re.search(r"\bthan\s+(?:\w+\s+)?$", text[: linked[0].start])
        if than and left:
            return [(left[-1], mention) for mention in linked]
        return [(linked[0], linked[1])]
    if left and right:
        return [(left[-1], right[0])]
    if len(left) > 1:
        return [(left[-2], left[-1])]
    return [(right[0], right[1])] if len(right) > 1 else []


def _values(
    said: Said, axis: int, pair: tuple[Mention, Mention], place: int, chronological: bool
) -> tuple[Decimal, Decimal] | None:
    """The one figure of each of two names, within what else the sentence names."""
    others = [run for other, run in said.group.links.items() if other != axis and len(run) == 1]
    values = []
    for mention in pair:
        rows = mention.rows
        for run in others:
            rows = rows & run[0].rows
        cells = said.ground.numbers(place, sorted(rows))
        if len(cells) != 1:
            return None
        values.append(cells[0])
    if chronological and _is_earlier(said.ground, *pair):
        values.reverse()
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

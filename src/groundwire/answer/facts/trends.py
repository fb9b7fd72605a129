"""Claims of change over time: rose, fell every year, doubled."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise

from groundwire.answer.facts.names import Mention, Token, tokens
from groundwire.answer.facts.pairs import in_time_order
from groundwire.answer.facts.reading import Reading
from groundwire.answer.facts.superlatives import measured_columns
from groundwire.answer.facts.words import DOWN, MARKED, UP

__all__ = ["check_trends"]

_STEADY = re.compile(
    r"\b(?:steadily|consistently|continuously|constantly|gradually|every|each|throughout"
    r"|year after year|month after month)\b"
)
_WENT = re.compile(
    r"\b(?:went|go|goes|gone|going|moved|trended|is|was|are|were)\s+(?:(?P<up>up)|(?P<down>down))\b"
    r"(?!\s+(?:to|of)\b)"
)
_FLAT = re.compile(r"\b(?:unchanged|stable|flat|constant|steady)\b")
_TIMES = {"doubl": Decimal(2), "tripl": Decimal(3), "quadrupl": Decimal(4), "halv": Decimal("0.5")}


def check_trends(reading: Reading) -> None:
    """Doubt every claim of change that the series does not bear out."""
    for token in tokens(reading.text):
        word = token.text.lower()
        way = (word in UP) - (word in DOWN)
        if way and not _is_stored(reading, token) and not _holds(reading, token, way):
            reading.doubt(token.start, f"“{token.text}” does not follow from the figures.")
    for match in _WENT.finditer(reading.text.lower()):
        word = match["up"] or match["down"]
        token = Token(match.start(match.lastgroup or 0), match.end(), word, (word,))
        if not _holds(reading, token, 1 if match["up"] else -1):
            reading.doubt(token.start, f"“{word}” does not follow from the figures.")
    for match in _FLAT.finditer(reading.text.lower()):
        points = _span(reading, match.start())
        if len({value for _, value in points}) != 1 or len(points) < 2:
            reading.doubt(match.start(), f"“{match[0]}” does not follow from the figures.")


def _is_stored(reading: Reading, token: Token) -> bool:
    """The rows themselves hold the change (`growth`), or the word is the question's own noun."""
    words = {"change", "growth", "increase", "decrease", "difference", "diff", "rise", "drop"}
    ground = reading.ground
    for place in ground.figures:
        if ground.column_stems[place] & words:
            cells = ground.numbers(place)
            up = token.text.lower() in UP
            return bool(cells) and (all(n > 0 for n in cells) if up else all(n < 0 for n in cells))
    return False


def _holds(reading: Reading, token: Token, way: int) -> bool:
    if not reading.is_whole:
        return False
    points = _span(reading, token.start)
    if len(points) < 2:
        return False
    figures = [figure for _, figure in points]
    begin, stop = reading.clause(token.start)
    if _STEADY.search(reading.text[begin:stop].lower()):
        return all((b - a) * way > 0 for a, b in pairwise(figures))
    change = figures[-1] - figures[0]
    if change * way <= 0:
        return False
    words = {word.text.lower() for word in tokens(reading.text[begin:stop])}
    if words & MARKED and abs(change) * 10 < abs(figures[0]):
        return False
    return _multiplies(reading, token, figures[0], figures[-1])


def _multiplies(reading: Reading, token: Token, first: Decimal, last: Decimal) -> bool:
    """`doubled` and its kind also say by how much; within a tenth, or beyond with `more than`."""
    times = next((t for stem, t in _TIMES.items() if token.text.lower().startswith(stem)), None)
    if times is None:
        return True
    if first <= 0:
        return False
    before = reading.text[: token.start].lower()
    ratio = last / first
    if re.search(r"\bmore than\s+$", before):
        return ratio > times if times > 1 else ratio < times
    if re.search(r"\b(?:nearly|almost)\s+$", before):
        return times * Decimal("0.85") <= ratio < times if times > 1 else ratio > times
    return abs(ratio - times) <= times / 10


def _span(reading: Reading, start: int) -> list[tuple[int, Decimal]]:
    """The part of the series that a claim speaks of, in the order of time."""
    ground = reading.ground
    if ground.year_columns:
        return _across_columns(reading, start)
    places = measured_columns(reading, start)
    if not places or ground.shape.time is None:
        return []
    series = in_time_order(ground, places[0], _others(reading))
    begin, stop = reading.clause(start)
    times = [m for m in reading.mentions if m.is_time]
    here = [m for m in times if begin <= m.start < stop] or times
    named = frozenset(row for mention in here for row in mention.rows)
    places_named = [number for number, (row, _) in enumerate(series) if row in named]
    if not here:
        return series
    if not places_named:
        return []
    first, last = min(places_named), max(places_named)
    if len(here) > 1 or first != last:
        return series[first : last + 1]
    return _from_one(reading, here[0], series, first)


def _across_columns(reading: Reading, start: int) -> list[tuple[int, Decimal]]:
    """The figures of the one row named in a clause, through columns of years."""
    begin, stop = reading.clause(start)
    rows = {r for m in reading.mentions if begin <= m.start < stop for r in m.rows}
    if reading.ground.size == 1:
        rows = {0}
    if len(rows) != 1:
        return []
    row = rows.pop()
    figures = [
        (row, reading.ground.number(row, place))
        for _, place in sorted(reading.ground.year_columns.items())
    ]
    return [(row, figure) for row, figure in figures if figure is not None]


def _from_one(
    reading: Reading, mention: Mention, series: Sequence[tuple[int, Decimal]], number: int
) -> list[tuple[int, Decimal]]:
    before = reading.text[: mention.start].lower()
    if re.search(r"\b(?:since|from|after)\s+$", before):
        return list(series[number:])
    if re.search(r"\b(?:until|till|to|by|before)\s+$", before):
        return list(series[_opening(reading, mention, series) : number + 1])
    return list(series[max(0, number - 1) : number + 1])


def _opening(reading: Reading, until: Mention, series: Sequence[tuple[int, Decimal]]) -> int:
    """Where a span begins that names its end: at "after February, …", else with the series."""
    opened = re.match(r"\s*(?:after|since|from)\b", reading.text.lower())
    earlier = [m for m in reading.mentions if m.is_time and m.start < until.start]
    if not opened or not earlier:
        return 0
    numbers = [number for number, (row, _) in enumerate(series) if row in earlier[0].rows]
    return min(numbers, default=0)


def _others(reading: Reading) -> frozenset[int] | None:
    """The rows of what the sentence names beside times: one series among several."""
    rows: frozenset[int] | None = None
    for axis in reading.axes:
        runs = reading.name_groups(axis)
        if len(runs) == 1 and len(runs[0]) == 1 and not runs[0][0].is_time:
            rows = runs[0][0].rows if rows is None else rows & runs[0][0].rows
    return rows

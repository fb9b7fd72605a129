"""Claims of rank: the most, the lowest, second, the top three, followed by."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from itertools import pairwise

from groundwire.answer.facts.ground import Ground, columns_called
from groundwire.answer.facts.names import Mention, Token, tokens
from groundwire.answer.facts.reading import NAME, NUMBER, Reading
from groundwire.answer.facts.words import HIGH, LOW
from groundwire.answer.shape import time_key

__all__ = ["check_superlatives", "measured_columns", "subjects"]

_RANKED = re.compile(
    r"\b(?:came|come|comes|rank|ranks|ranked|is|was|in|finish\w*|place[ds]?)\s+(?P<place>last)\b"
    r"(?!\s+(?:year|month|week|quarter|day))"
)
_TIME_HIGH = frozenset({"latest", "newest", "recent"})
_TIME_LOW = frozenset({"earliest", "oldest"})
_AMONG = re.compile(
    r"\b(?:of|among)\s+(?:(?:the|these|those)\s+)?(?:top\s+)?#|\b(?:these|those|shown|listed)\b"
)


def check_superlatives(reading: Reading) -> None:
    """Doubt every claim of rank that the figures do not bear out."""
    for token in tokens(reading.text):
        way = _way(reading, token)
        if way:
            _check(reading, token.start, token.end, way, _rank(reading, token.start))
    for match in _RANKED.finditer(reading.text.lower()):
        _check(reading, match.start("place"), match.end("place"), -1, 1)
    _check_ordinals(reading)
    _check_followers(reading)


def _way(reading: Reading, token: Token) -> int:
    """+1 for the highest, -1 for the lowest, 0 where the word claims no rank."""
    word = token.text.lower()
    text = reading.text.lower()
    before, after = text[: token.start], text[token.end :]
    way = (word in HIGH) - (word in LOW)
    if word in ("high", "low") and re.match(r"\s+of\b", after):
        return 1 if word == "high" else -1
    if word == "recent" and re.search(r"\bmost\s+$", before):
        return 0
    if not way or (
        re.search(r"\bat\s+(?:the\s+(?:very\s+)?)?$", before) and word in ("least", "most")
    ):
        return 0
    if word in ("lead", "leads", "led", "leading") and re.match(r"\s+to\b", after):
        return 0
    if word == "most" and re.match(r"\s+of\b", after):
        return 0
    if word in ("most", "least") and re.match(r"\s+(?:rare|infrequent)", after):
        return -way
    if _names_a_column(reading, token):
        return 0
    return way


def _names_a_column(reading: Reading, token: Token) -> bool:
    """`the max price` of a column max_price; `the highest price` where it has the only row."""
    ground = reading.ground
    if set(token.stems) & ground.own_words:
        return True
    return ground.size == 1 and any(
        set(token.stems) & ground.column_stems[place] for place in ground.figures
    )


def _rank(reading: Reading, start: int) -> int:
    """2 for `second most`, `second-highest`; 1 without an ordinal."""
    for figure in reading.figures:
        between = reading.text[figure.end : start]
        if figure.kind == "ordinal" and re.fullmatch(r"[\s-]*(?:the\s+)?", between):
            return int(figure.value)
    return 1


def _check(reading: Reading, start: int, end: int, way: int, rank: int) -> None:
    word = reading.raw[start:end]
    named = subjects(reading, start, end)
    if not named and _figure_says_it(reading, start):
        return
    if not _ranks(reading, named, way, rank, start):
        reading.doubt(start, f"“{word}” does not follow from the figures.")


def _figure_says_it(reading: Reading, start: int) -> bool:
    """`The highest count is 7` is checked with its figure."""
    begin, stop = reading.clause(start)
    text = reading.text[begin:stop]
    return NUMBER in text and NAME not in text and reading.ground.size > 1


def subjects(reading: Reading, start: int, end: int) -> list[Mention]:
    """Whom the claim is about: the name before it in its clause, else the one after it."""
    runs = _candidate_runs(reading, start)
    begin, stop = reading.clause(start)
    before = [run for run in runs if begin <= run[0].start < start]
    after = [run for run in runs if end <= run[0].start < stop]
    starts_with_verb = re.match(
        r"\s*(?:is|was|are|were|has|have|had|ranks?|came|comes|leads?|tops?|being|making|which|who)\b",
        reading.text[begin:],
    )
    if after and re.match(r"\s+of\s+(?:\w+\s+)*#", reading.text[end:]):
        return after[0]  # "a peak of 2,010 in June"
    if before and not _is_compared(reading, before[-1]):
        return before[-1]
    if after:
        return after[0]
    left = [run for run in runs if run[0].start < begin]
    right = [run for run in runs if run[0].start >= stop]
    if starts_with_verb and left:
        return left[-1]
    return right[0] if right else (left[-1] if left else [])


def _is_compared(reading: Reading, run: Sequence[Mention]) -> bool:
    """`In 2019, the top type was THEFT`: the time only says when."""
    if not run[0].is_time:
        return False
    return any(not mention.is_time for mention in reading.mentions)


def _candidate_runs(reading: Reading, start: int) -> list[list[Mention]]:
    runs = [run for axis in reading.axes for run in reading.name_groups(axis)]
    peak = re.match(r"peak|bottom", reading.text[start:].lower())
    times = [run for run in runs if run[0].is_time]
    if peak and times:
        return sorted(times, key=lambda run: run[0].start)
    return sorted(runs, key=lambda run: run[0].start)


def _ranks(reading: Reading, named: Sequence[Mention], way: int, rank: int, start: int) -> bool:
    ground = reading.ground
    if not reading.is_whole:
        return False
    asked = _asked_ways(ground)
    if asked and way not in asked and not _AMONG.search(reading.text.lower()):
        return False
    rows = frozenset(row for mention in named for row in mention.rows)
    if ground.size == 1:
        return rank == 1 and way in asked
    if not rows:
        return False
    scope = _scope(reading, named)
    places = measured_columns(reading, start)
    if not places:
        everything = rows >= frozenset(range(ground.size))
        return rank == 1 and way in asked and everything
    begin, stop = reading.clause(start)
    told = NUMBER in reading.text[begin:stop]
    return any(
        _is_extreme(ground, place, best, scope, way, rank)
        for place in places
        for best in (rows & scope, _best(ground, place, named, scope, way) if told else frozenset())
    )


def _best(
    ground: Ground, place: int, named: Sequence[Mention], scope: frozenset[int], way: int
) -> frozenset[int]:
    """Where a name has several rows, the one that a figure beside the claim can be of."""
    found = set()
    for mention in named:
        worths = {row: _worth(ground, row, place) for row in mention.rows & scope}
        known = {row: worth * way for row, worth in worths.items() if worth is not None}
        if known:
            found.add(max(known, key=lambda row: known[row]))
    return frozenset(found)


def _asked_ways(ground: Ground) -> set[int]:
    words = {token.text.lower() for text in ground.asked for token in tokens(text)}
    ways = {1} if words & HIGH else set()
    return ways | ({-1} if words & LOW else set())


def _scope(reading: Reading, named: Sequence[Mention]) -> frozenset[int]:
    """The rows that compete: those that agree with everything named on the other columns."""
    scope = frozenset(range(reading.ground.size))
    axes = {mention.axis for mention in named}
    for axis in reading.axes:
        runs = reading.name_groups(axis)
        if axis not in axes and len(runs) == 1 and len(runs[0]) == 1:
            scope &= runs[0][0].rows
    return scope


def measured_columns(reading: Reading, start: int) -> list[int]:
    """The column that a claim ranks by; none where the result has no figures."""
    ground = reading.ground
    begin, stop = reading.clause(start)
    words = [token.text.lower() for token in tokens(reading.text[begin:stop])]
    time = ground.shape.time
    if time is not None and set(words) & (_TIME_HIGH | _TIME_LOW):
        return [time]
    measures = [place for place in ground.shape.measures if ground.numbers(place)]
    for token in tokens(reading.text[begin:stop]):
        called = columns_called(ground, measures, token.stems)
        if called and token.text.lower() not in HIGH | LOW:
            return called
    return measures[:1]


def _is_extreme(
    ground: Ground,
    place: int,
    rows: Iterable[int],
    scope: Iterable[int],
    way: int,
    rank: int,
) -> bool:
    """Whether the named rows are the first so many of the scope, or all at the given rank."""
    named = {row: _worth(ground, row, place) for row in rows}
    others = [_worth(ground, row, place) for row in scope if row not in named]
    values = [value for value in named.values() if value is not None]
    rivals = [value for value in others if value is not None]
    if not values or len(values) < len(named):
        return False
    worst = min(values) if way > 0 else max(values)
    ahead = sum((rival - worst) * way > 0 for rival in rivals)
    if rank == 1:
        return ahead == 0
    level = sum(rival == worst for rival in rivals)
    return len(values) == 1 and ahead < rank <= ahead + level + 1


def _worth(ground: Ground, row: int, place: int) -> Decimal | None:
    if place == ground.shape.time:
        key = time_key(ground.result.rows[row][place])
        if key is None:
            return None
        return Decimal("".join(f"{part:04d}" for part in key))
    return ground.number(row, place)


def _check_ordinals(reading: Reading) -> None:
    """`THEFT ranks second`, `in third place`; an ordinal of the question may be repeated."""
    asked = {word for text in reading.ground.asked for word in re.findall(r"[\w-]+", text.lower())}
    for figure in reading.figures:
        if figure.kind != "ordinal":
            continue
        after = reading.text[figure.end :].lower()
        if re.match(r"[\s-]*(?:the\s+)?(\w+)", after) and _next_word(after) in HIGH | LOW:
            continue
        if figure.said.lower() in asked:
            continue
        if figure.said.lower() == "first" and re.match(r"\s*#|\s+(?:rows?|of)\b", after):
            continue
        named = subjects(reading, figure.start, figure.end)
        if not named or not _ranks(reading, named, 1, int(figure.value), figure.start):
            reading.doubt(figure.start, f"“{reading.raw[figure.start : figure.end]}” does not "
                                        "follow from the order of the figures.")  # fmt: skip


def _next_word(text: str) -> str:
    match = re.match(r"[\s-]*(?:the\s+)?(\w+)", text)
    return match[1] if match else ""


def _check_followers(reading: Reading) -> None:
    """`THEFT leads, followed by BATTERY and ASSAULT`: each is the next in the order."""
    ground = reading.ground
    text = reading.text.lower()
    for match in re.finditer(r"\b(?:followed\s+(?:\w+\s+)?by|ahead of)\b", text):
        runs = [run for axis in reading.axes for run in reading.name_groups(axis)]
        before = [run for run in runs if run[0].start < match.start()]
        after = [m for run in runs for m in run if m.start > match.end()]
        if not before or not after:
            reading.doubt(match.start(), f"“{match[0]}” does not say who is meant.")
            continue
        leader = max((m for run in before for m in run), key=lambda mention: mention.start)
        chain = [leader, *(m for m in after if m.axis == leader.axis)]
        strict = "followed" in match[0]
        way = -1 if _lowest_first(reading, match.start()) else 1
        places = measured_columns(reading, match.start())
        if not places or not _in_order(ground, places[0], chain, way, strict):
            reading.doubt(match.start(), f"“{match[0]}” is not the order of the figures.")


def _lowest_first(reading: Reading, stop: int) -> bool:
    words = {token.text.lower() for token in tokens(reading.text[:stop])}
    return bool(words & LOW) and not words & HIGH


def _in_order(ground: Ground, place: int, chain: Sequence[Mention], way: int, strict: bool) -> bool:
    values = [[ground.number(row, place) for row in mention.rows] for mention in chain]
    if any(len(cells) != 1 or cells[0] is None for cells in values):
        return False
    figures = [cells[0] for cells in values if cells[0] is not None]
    column = ground.numbers(place)
    for higher, lower in pairwise(figures):
        if (higher - lower) * way < 0 or (higher == lower and not strict):
            return False
        if strict and any((higher - n) * way > 0 and (n - lower) * way > 0 for n in column):
            return False
    return True

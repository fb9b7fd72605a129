"""Claims that compare: more than, ahead of, above average, tied, both, the majority."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from groundwire.answer.facts.names import Mention, tokens
from groundwire.answer.facts.pairs import mentioned_columns
from groundwire.answer.facts.reading import Reading
from groundwire.answer.facts.superlatives import measured_columns, subjects
from groundwire.answer.facts.words import HIGHER, LOWER, MARKED, word_set

__all__ = ["check_comparisons"]

_THAN = re.compile(r"\bthan\b")
_VERBS = re.compile(
    r"\b(?P<up>exceed(?:s|ed|ing)?|surpass(?:es|ed|ing)?|outnumber(?:s|ed|ing)?|beat(?:s|ing)?|top(?:s|ped)|above)"
    r"\b|\b(?P<down>below|behind|trail(?:s|ed|ing)?)\b"
)
_OTHERS = re.compile(
    r"\s+(?:(?:any|every|all|each)\s+(?:of\s+)?(?:the\s+)?others?|the (?:others|rest))\b"
)
_AVERAGE = re.compile(r"\s+(?:the\s+)?(?:overall\s+)?(?:average|mean)\b")
_TIES = re.compile(r"\b(?:tie[ds]?|tying|equal(?:s|ly|led)?|same|identical)\b")
_MAJORITY = re.compile(r"\b(?:majority|most of)\b")
_BARE = word_set("higher lower greater smaller larger fewer bigger shorter longer")


def check_comparisons(reading: Reading) -> None:
    """Doubt every comparison that the figures do not bear out, or that cannot be read."""
    text = reading.text.lower()
    for match in _THAN.finditer(text):
        if not _than_holds(reading, match.start(), match.end()):
            reading.doubt(match.start(), "The comparison does not follow from the figures.")
    for match in _VERBS.finditer(text):
        _check_verb(reading, match)
    for match in _TIES.finditer(text):
        if not _ties(reading, match.start(), match.end()):
            reading.doubt(match.start(), f"“{match[0]}” does not follow from the figures.")
    for match in _MAJORITY.finditer(text):
        if not _is_majority(reading, match):
            reading.doubt(match.start(), f"“{match[0]}” does not follow from the figures.")
    _check_bare(reading)
    _check_both(reading)


def _than_holds(reading: Reading, start: int, end: int) -> bool:
    if any(figure.bound and start < figure.start <= end + 12 for figure in reading.figures):
        return True
    way = _way_before(reading, start)
    rest = reading.text[end:].lower()
    if not way:
        return False
    named = _run_before(reading, start)
    if _OTHERS.match(rest):
        return bool(named) and _beats_all(reading, named, way, start)
    if _AVERAGE.match(rest):
        return bool(named) and _beats_average(reading, named, way, start)
    after = _run_after(reading, end)
    if after and named:
        return _all_compare(reading, named, after, way, start)
    return _columns_compare(reading, way, start)


def _way_before(reading: Reading, start: int) -> int:
    words = [token.text.lower() for token in tokens(reading.text[:start])][-7:]
    for word in reversed(words):
        if word in HIGHER:
            return 1
        if word in LOWER:
            return -1
    return 0


def _run_before(reading: Reading, start: int) -> list[Mention]:
    """The names that a comparison is about: the nearest before it that only names."""
    runs = sorted(
        (run for axis in reading.axes for run in reading.name_groups(axis)),
        key=lambda run: run[0].start,
    )
    before = [run for run in runs if run[0].start < start]
    plain = [run for run in before if not run[0].is_time]
    return (plain or before or [[]])[-1]


def _run_after(reading: Reading, end: int) -> list[Mention]:
    runs = sorted(
        (run for axis in reading.axes for run in reading.name_groups(axis)),
        key=lambda run: run[0].start,
    )
    for run in runs:
        if run[0].start >= end:
            between = reading.text[end : run[0].start]
            return run if len(tokens(between)) <= 4 else []
    return []


def _worths(reading: Reading, mention: Mention, start: int, place: int) -> list[Decimal]:
    """The figures of a name, within the only other name of each other column."""
    rows = mention.rows
    for axis in reading.axes:
        runs = reading.name_groups(axis)
        if axis != mention.axis and len(runs) == 1 and len(runs[0]) == 1:
            rows = rows & runs[0][0].rows
    return reading.ground.numbers(place, sorted(rows))


def _all_compare(
    reading: Reading, named: Sequence[Mention], others: Sequence[Mention], way: int, start: int
) -> bool:
    if named[0].axis != others[0].axis:
        return False
    for place in measured_columns(reading, start):
        pairs = [
            (_worths(reading, a, start, place), _worths(reading, b, start, place))
            for a in named
            for b in others
        ]
        if all(len(a) == len(b) == 1 and (a[0] - b[0]) * way > 0 for a, b in pairs):
            slight = re.search(r"\b(?:slightly|narrowly|marginally)\b", reading.text.lower())
            marked = {token.text.lower() for token in tokens(reading.text)} & MARKED
            far = all(abs(a[0] - b[0]) * 10 >= min(abs(a[0]), abs(b[0])) for a, b in pairs)
            near = all(abs(a[0] - b[0]) * 7 <= max(abs(a[0]), abs(b[0])) for a, b in pairs)
            return (near or not slight) and (far or not marked)
    return False


def _beats_all(reading: Reading, named: Sequence[Mention], way: int, start: int) -> bool:
    ground = reading.ground
    if not reading.is_whole or ground.size < 2:
        return False
    rows = {row for mention in named for row in mention.rows}
    for place in measured_columns(reading, start):
        mine = ground.numbers(place, sorted(rows))
        others = ground.numbers(place, [row for row in range(ground.size) if row not in rows])
        if mine and others and all((a - b) * way > 0 for a in mine for b in others):
            return True
    return False


def _beats_average(reading: Reading, named: Sequence[Mention], way: int, start: int) -> bool:
    ground = reading.ground
    for place in measured_columns(reading, start):
        cells = ground.numbers(place)
        if not reading.is_whole or len(cells) < 2:
            return False
        mean = sum(cells, Decimal()) / len(cells)
        mine = [n for mention in named for n in _worths(reading, mention, start, place)]
        if mine and all((n - mean) * way > 0 for n in mine):
            return True
    return False


def _columns_compare(reading: Reading, way: int, start: int) -> bool:
    """`more crimes than arrests`, in the rows that are named or in all."""
    ground = reading.ground
    numeric = [place for place in ground.figures if ground.numbers(place)]
    called = mentioned_columns(reading, numeric)
    if len(called) != 2:
        return False
    rows = {row for mention in reading.mentions for row in mention.rows} or set(range(ground.size))
    for row in rows:
        first, second = (ground.number(row, place) for place in called)
        if first is None or second is None or (first - second) * way <= 0:
            return False
    return True


def _check_verb(reading: Reading, match: re.Match[str]) -> None:
    """`A exceeds B`, `A is above average`; with a figure it is a bound and checked there."""
    start, end = match.span()
    way = 1 if match["up"] else -1
    if match[0] in reading.ground.known:
        return  # "beat 0111" is a place
    if any(figure.bound and start <= figure.start <= end + 8 for figure in reading.figures):
        return
    named = [m for m in subjects(reading, start, end) if m.start < start]
    if _AVERAGE.match(reading.text[end:].lower()):
        holds = bool(named) and _beats_average(reading, named, way, start)
    elif _OTHERS.match(reading.text[end:].lower()):
        holds = bool(named) and _beats_all(reading, named, way, start)
    else:
        after = _run_after(reading, end)
        if not after and match[0] in ("above", "below", "behind"):
            if match[0] == "behind":
                reading.doubt(start, "“behind” does not say whom.")
            return
        if not after or (re.match(r"tops|topped|trail", match[0]) and not after):
            return
        holds = bool(named) and _all_compare(reading, named, after, way, start)
    if not holds:
        reading.doubt(start, f"“{match[0]}” does not follow from the figures.")


def _ties(reading: Reading, start: int, end: int) -> bool:
    ground = reading.ground
    begin, stop = reading.clause(start)
    runs = [run for axis in reading.axes for run in reading.name_groups(axis)]
    told = [
        run
        for run in runs
        if re.fullmatch(r"\s*(?::|between)?\s*", reading.text[end : run[0].start])
    ]
    if told:
        return any(_are_level(reading, told[0], start, p) for p in measured_columns(reading, start))
    inside = [m for run in runs for m in run if begin <= m.start < stop]
    if len(inside) < 2:
        inside = [m for run in runs if len(run) > 1 for m in run] or inside
    if len(inside) < 2 and len(runs) > 1:
        inside = [m for run in runs for m in run]
    every = re.search(r"\b(?:all|every|each)\b", reading.text.lower())
    places = measured_columns(reading, start)
    if len(inside) < 2:
        cells = [ground.numbers(place) for place in places]
        return bool(every) and reading.is_whole and any(len(set(c)) == 1 for c in cells)
    return any(_are_level(reading, inside, start, place) for place in places)


def _are_level(reading: Reading, mentions: Sequence[Mention], start: int, place: int) -> bool:
    cells = [_worths(reading, mention, start, place) for mention in mentions]
    return all(len(found) == 1 for found in cells) and len({found[0] for found in cells}) == 1


def _is_majority(reading: Reading, match: re.Match[str]) -> bool:
    ground = reading.ground
    named = subjects(reading, match.start(), match.end())
    rows = sorted({row for mention in named for row in mention.rows})
    if not rows or not reading.is_whole or ground.size < 2:
        return False
    for place in measured_columns(reading, match.start()):
        whole = sum(ground.numbers(place), Decimal())
        if whole > 0 and sum(ground.numbers(place, rows), Decimal()) * 2 > whole:
            return True
    return False


def _check_bare(reading: Reading) -> None:
    """`higher` without `than` compares with something that is not said."""
    text = reading.text.lower()
    asked = {word for question in reading.ground.asked for word in _words(question)}
    for token in tokens(text):
        if token.text not in _BARE or token.text in asked:
            continue
        than = re.match(r"(?:\s+[\w§¶#,-]+){0,4}?\s+than\b", text[token.end :])
        counted = re.search(r"[#%](?:\s*[\w-]+\s+){0,3}$", text[: token.start])
        if not than and not counted:
            reading.doubt(token.start, f"“{token.text}” does not say than what.")


def _words(text: str) -> Iterator[str]:
    yield from re.findall(r"[\w-]+", text.lower())


def _check_both(reading: Reading) -> None:
    for match in re.finditer(r"\bboth\b", reading.text.lower()):
        pairs = [r for axis in reading.axes for r in reading.name_groups(axis) if len(r) == 2]
        columns = mentioned_columns(reading, reading.ground.figures)
        if not pairs and reading.ground.size != 2 and len(columns) != 2:
            reading.doubt(match.start(), "“both” does not say which two.")

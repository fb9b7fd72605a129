"""Figures that follow from several: differences, ratios, shares, sums and averages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import permutations, product
from statistics import median

from groundwire.answer.facts.ground import Ground, columns_called, is_percent, stems
from groundwire.answer.facts.pairs import compared_values
from groundwire.answer.facts.said import Said, extreme_rows, row_noun
from groundwire.answer.facts.words import AGGREGATES, DOWN, HIGHER, LOWER, UP, word_set

__all__ = ["has_change_column", "of_a_difference", "of_a_ratio", "of_a_share", "of_an_aggregate"]

_THESE = re.compile(r"\b(?:these|those|shown|listed|displayed|here|them|the (?:top )?#)\b|\btop\b")
_LIMITED = re.compile(
    r"\b(?:top|first|bottom|last)\s+(?:\d+|two|three|four|five|six|seven|eight|nine|ten)\b"
    r"|\b(?:\d+|two|three|four|five|ten)\s+(?:most|least|highest|lowest|largest|smallest|biggest)\b"
    r"|\b(?:more|fewer|less|greater|higher|lower) than\b"
    r"|\b(?:over|above|under|below|at least)\s+\d",
    re.IGNORECASE,
)

# --- comparisons -----------------------------------------------------------------------------

_MORE = re.compile(
    r"^\s*(?:(?!(?:ha[ds]|have|with|were|are|was|is|of|in)\b)[\w-]+\s+){0,2}?"
    r"(?P<way>more|fewer|less|higher|lower|greater|larger|smaller|bigger|ahead|behind|above|below"
    r"|older|younger|longer|shorter|apart)\b(?!\s+than\s+(?:#|a\b))"
)
_BY = re.compile(
    r"\b(?:difference|gap|margin|lead|by|(?<!make )(?<!makes )(?<!made )up|down|increase|decrease"
    r"|rise|drop|fall|decline|change|growth|gain|reduction)\s+(?:(?:of|is|was|by|about|around|roughly|approximately|nearly|just"
    r"|exactly|over|under|almost|more than|a|an)\s+)*$"
)
_MOVES = (
    UP
    | DOWN
    | HIGHER
    | LOWER
    | word_set("lead leads led trails trailed differ differs differed apart changed gap")
)
_OR = re.compile(
    r"[\s,(]*(?:or|i\.e\.?|that is|equal to)?[\s,]*"
    r"(?:(?:a|an|about|around|roughly|approximately)\s+)*"
)


def of_a_difference(said: Said) -> bool | None:
    """`200 fewer than`, `rose by 30,300`, `20% more`; `or 20%` says the one before again."""
    left, right = said.group.left.lower(), said.group.right.lower()
    if said.figure.kind in ("multiple", "ordinal"):
        return None
    number = said.reading.groups.index(said.group)
    if number and _OR.fullmatch(left) and said.figure.kind == "percent":
        before = said.reading.groups[number - 1]
        left, right = before.left.lower(), before.right.lower()
    more, by = _MORE.search(right), _BY.search(left)
    if not (more or by):
        return None
    if by and not more and said.targets and has_change_column(said.ground):
        return None
    words = set(re.findall(r"\w+", f"{left} {right}"))
    if not more and by and by[0].startswith("by") and not words & _MOVES:
        return None
    way = _way(left, more["way"] if more else "", by[0] if by else "")
    trend = bool(words & (UP | DOWN | {"up", "down", "change", "increase", "decrease"}))
    for first, second in compared_values(said, chronological=trend):
        gap = first - second
        if way and gap and (gap > 0) != (way > 0):
            continue
        if _fits_gap(said, first, second):
            return True
    return False


def has_change_column(ground: Ground) -> bool:
    """The rows hold changes themselves."""
    words = {"change", "difference", "diff", "growth", "increase", "decrease"}
    return any(ground.column_stems[place] & words for place in ground.figures)


def _way(left: str, more: str, by: str) -> int:
    """+1 for more, -1 for less, 0 where the words do not say."""
    words = {*re.findall(r"\w+", left), more}
    if more in HIGHER or words & (UP | {"up", "increase", "rise", "gain", "lead"}):
        return 1
    if more in LOWER or words & (DOWN | {"down", "decrease", "drop", "decline", "fall"}):
        return -1
    return 0


def _fits_gap(said: Said, first: Decimal, second: Decimal) -> bool:
    gap = abs(first - second)
    if said.figure.kind != "percent":
        return said.figure.fits(gap)
    if "point" in said.reading.text[said.figure.start - 1 :].lower()[:60]:
        return said.figure.fits(gap) or said.figure.fits(gap * 100)
    return second != 0 and said.figure.fits(gap / abs(second) * 100)


def of_a_ratio(said: Said) -> bool | None:
    """`twice as many`, `3 times the figure of January`, `half as many`."""
    if said.figure.kind != "multiple":
        return None
    return any(
        second != 0 and said.figure.fits(first / second)
        for first, second in compared_values(said, chronological=False)
    )


# --- shares and sums -------------------------------------------------------------------------


def of_a_share(said: Said) -> bool | None:
    """`45% of the crimes`, `half of them`: a share that is stored or follows from the figures."""
    if said.figure.kind != "percent":
        return None
    return any(said.figure.fits(share) for share in _shares(said))


def _shares(said: Said) -> Iterator[Decimal]:
    ground = said.ground
    targets = said.targets
    stored = [place for place in said.columns if is_percent(ground, place) or ground.size == 1]
    for place in stored:
        for target in targets or extreme_rows(said, place):
            cells = ground.numbers(place, sorted(target))
            fractions = all(0 <= cell <= 1 for cell in ground.numbers(place))
            yield from (cell * 100 if fractions else cell for cell in cells)
    if not said.reading.is_whole or ground.size == 0:
        return
    yield from _column_ratios(said)
    limited = bool(_LIMITED.search(ground.question)) and not _THESE.search(said.reading.text)
    yield from _told_shares(said)
    if targets and not limited and ground.size > 1:
        for place in (p for p in ground.figures if not is_percent(ground, p)):
            whole = sum(ground.numbers(place))
            if whole > 0 and min(ground.numbers(place)) >= 0:
                yield Decimal(sum(ground.numbers(place, said.all_rows))) / whole * 100


def _told_shares(said: Said) -> Iterator[Decimal]:
    """`5,210 of 18,260, which is 28.5%`: the share of two figures that are checked themselves."""
    told = [f.value for f in said.reading.figures if f.kind == "plain" and not f.bound]
    for part, whole in permutations(told, 2):
        if 0 <= part <= whole and whole:
            yield part / whole * 100


def _column_ratios(said: Said) -> Iterator[Decimal]:
    """Arrests as a share of crimes, in the rows that are named or in all."""
    ground = said.ground
    words = set(stems(said.reading.text))
    numeric = [place for place in ground.figures if ground.numbers(place)]
    named = [p for p in numeric if any(columns_called(ground, numeric, [w]) == [p] for w in words)]
    for part, whole in product(named, named):
        below = sum(ground.numbers(whole, said.all_rows))
        if part != whole and below > 0:
            yield Decimal(sum(ground.numbers(part, said.all_rows))) / below * 100


_IN_ALL = re.compile(r"\b(?:in all(?=\s*(?:[.,;:)]|$))|all told|com(?:e|es|ing) to|came to)\b")


def of_an_aggregate(said: Said) -> bool | None:
    """`a total of`, `combined`, `on average`: a figure made of several rows."""
    ground = said.ground
    measured = {word for place in ground.figures for word in ground.column_stems[place]}
    several = len(said.targets) > 1 or any(len(target) > 1 for target in said.targets)
    words = said.clause_words if said.targets and not several else said.sentence_words
    cues = {AGGREGATES[word] for word in words - measured if word in AGGREGATES}
    if _IN_ALL.search(said.reading.text.lower()) or _spans_all_rows(said):
        cues.add("sum")
    if said.figure.kind != "plain" or ground.size == 1 or not cues:
        return None
    if said.group.is_near and said.targets and not several:
        return None
    whole = not said.targets or not said.group.is_near
    if whole and (not said.reading.is_whole or _is_part(said)):
        return False
    named = {row for mention in said.reading.mentions for row in mention.rows}
    scopes = [sorted(named), range(ground.size)] if whole else [said.all_rows]
    for place, rows in product(said.columns or ground.figures, scopes):
        cells = ground.numbers(place, rows)
        if cells and any(said.figure.fits(made) for made in _made(cues, cells)):
            return True
    return None if said.targets else False


def _spans_all_rows(said: Said) -> bool:
    """`32 customers in five countries`, where there are five rows."""
    groups, text = said.reading.groups, said.reading.text
    number = groups.index(said.group) + 1
    if said.group.is_near or number >= len(groups):
        return False
    after = Said(said.reading, groups[number], 0)
    opened = re.search(r"\b(?:in|from|over|of)\s+(?:the\s+|all\s+)*$", text[: after.figure.start])
    return bool(opened and row_noun(after) and after.figure.value == said.ground.size)


def _is_part(said: Said) -> bool:
    limited = bool(_LIMITED.search(said.ground.question))
    return limited and not _THESE.search(said.reading.text.lower()) and not _says_which_rows(said)


def _says_which_rows(said: Said) -> bool:
    """`the three products total …` says which rows are meant."""
    return any(row_noun(Said(said.reading, group, 0)) for group in said.reading.groups)


def _made(cues: Iterable[str], cells: Sequence[Decimal]) -> Iterator[Decimal]:
    for cue in cues:
        if cue == "sum":
            yield sum(cells, Decimal())
        elif cue == "mean":
            yield sum(cells, Decimal()) / len(cells)
        else:
            yield median(cells)

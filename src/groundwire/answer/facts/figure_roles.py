"""Whether a figure of a sentence is in the result or follows from it, in the role that it plays.

Each role answers True (the result says so), False (the sentence claims this role and the result
says otherwise) or None (the figure does not play this role).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import permutations

from groundwire.answer.facts.figure_sums import (
    has_change_column,
    of_a_difference,
    of_a_ratio,
    of_a_share,
    of_an_aggregate,
)
from groundwire.answer.facts.figures import Figure, find_figures
from groundwire.answer.facts.ground import Ground, is_percent
from groundwire.answer.facts.pairs import in_time_order
from groundwire.answer.facts.said import Said, extreme_rows, row_noun
from groundwire.answer.facts.words import DOWN, HIGH, LOW, MONEY, UP, word_set

__all__ = ["figure_holds"]

_SHOWN = re.compile(r"\b(?:show(?:n|ing|s)?|displayed|listed|first)\b")


def figure_holds(said: Said) -> bool:
    """Whether a figure is supported in one of its roles."""
    if said.figure.money and not _is_money(said.ground):
        return False
    for role in _ROLES:
        decided = role(said)
        if decided is not None:
            return decided
    return False


def _is_money(ground: Ground) -> bool:
    return bool(ground.known & MONEY) or any(sign in ground.question for sign in "$€£¥")


# --- figures of the question -----------------------------------------------------------------


def _of_the_question(said: Said) -> bool | None:
    """A condition that is repeated: `more than 100`, `district 7`, `top 3`, `last 30 days`."""
    figure, before = said.figure, _last_word(said.reading.text[: said.figure.start])
    after = _first_word(said.reading.text[figure.end :])
    for text in said.ground.asked:
        for asked in find_figures(text):
            if (asked.value, asked.kind, asked.bound) != (figure.value, figure.kind, figure.bound):
                continue
            if figure.said.lower() in ("no", "none") and after == _first_word(text[asked.end :]):
                return True
            same_before = before == _last_word(text[: asked.start])
            same_after = after == _first_word(text[asked.end :])
            if figure.bound and not said.group.links:
                return True
            if figure.bound and (same_before or same_after):
                return True
            if same_before and before and before not in _VERBS:
                return True
            if same_after and after in _UNITS | HIGH | LOW:
                return True
    return None


_VERBS = word_set("had have has was were is are with at the a of to and be been there")
_UNITS = word_set("day days week weeks month months year years hour hours minute minutes")


def _last_word(text: str) -> str:
    words = re.findall(r"[\w-]+", text)
    return words[-1].lower() if words else ""


def _first_word(text: str) -> str:
    match = re.match(r"\s*([\w-]+)", text)
    return match[1].lower() if match else ""


# --- counts of rows --------------------------------------------------------------------------


def _of_a_cut_result(said: Said) -> bool | None:
    """`Showing 1,000 of 8,123`: the rows shown and the rows there are."""
    ground, figure = said.ground, said.figure
    if figure.kind != "plain":
        return None
    is_size = figure.value == ground.size and figure.bound in ("", "above", "at least")
    said_shown = bool(_SHOWN.search(said.reading.text.lower()))
    if not ground.is_cut:
        return True if is_size and said_shown and row_noun(said) else None
    if ground.total is not None and figure.fits(Decimal(ground.total)):
        whole = said.words & {"of", "all", "total", "altogether", "there", "overall"}
        if whole or row_noun(said):
            return True
    if is_size and (said_shown or figure.bound == "above") and not said.group.is_near:
        return not figure.exactly
    return None


def _of_rows(said: Said) -> bool | None:
    """`4 districts`: how many rows, labels, or rows that fulfil a condition."""
    ground, figure = said.ground, said.figure
    if re.match(r"\s*(?:-way\s+)?(?:tied|tie|tying)\b", said.group.right) and said.reading.is_whole:
        return any(figure.fits(Decimal(count)) for count in _tied(said))
    if re.match(r"\s*rows?\s+without\s+a\b", said.group.right):
        return any(figure.fits(Decimal(count)) for count in _lacking(ground))
    noun = row_noun(said)
    if figure.kind != "plain" or ground.size == 1 or noun is None:
        return None
    if ground.is_cut:
        return False
    if _counts_a_name(said):
        return None
    counts = set(_counts(said, noun))
    return any(figure.fits(Decimal(count)) for count in counts)


def _counts_a_name(said: Said) -> bool:
    """`Nordwind placed two orders`: the rows of the one name before the figure are counted."""
    runs = list(said.group.links.values())
    if said.ground.counts_rows or not said.group.is_near or len(runs) != 1 or len(runs[0]) != 1:
        return False
    return runs[0][0].start < said.figure.start and not said.words & (HIGH | LOW)


def _of_the_rest(said: Said) -> bool | None:
    """`A, B, C and 9 more`: the rows that a list leaves out."""
    left, right = said.reading.text[: said.figure.start], said.reading.text[said.figure.end :]
    more = re.match(r"\s+(?:\w+\s+)?(?:more|others?)\b(?!\s+than)", right)
    if not more or not re.search(r"(?:,|\band)\s+$", left):
        return None
    listed = re.split(r",|\band\b", left.rsplit(":", 1)[-1])
    count = sum(bool(item.strip()) for item in listed)
    whole = {said.ground.size, len(said.ground.result.columns)}
    return any(said.figure.fits(Decimal(number - count)) for number in whole)


def _of_no_value(said: Said) -> bool | None:
    """`no value` where a cell is NULL."""
    if said.figure.said.lower() != "no" or not re.match(r"\s+value\b", said.group.right):
        return None
    return any(None in said.ground.result.rows[row] for row in said.all_rows)


def _lacking(ground: Ground) -> Iterator[int]:
    """Rows without a figure; and rows without a figure or a time."""
    times = () if ground.shape.time is None else (ground.shape.time,)
    for places in (ground.shape.measures, (*ground.shape.measures, *times)):
        yield sum(
            any(row[place] is None or row[place] != row[place] for place in places)
            for row in ground.result.rows
        )


def _tied(said: Said) -> Iterator[int]:
    """How many rows share the highest, and how many the lowest figure of a column."""
    for place in said.columns:
        cells = said.ground.numbers(place)
        if cells:
            yield cells.count(max(cells))
            yield cells.count(min(cells))


def _of_named_rows(said: Said) -> bool | None:
    """`3 of them are thefts`: in a plain listing, how many rows have a name."""
    ground = said.ground
    if said.figure.kind != "plain" or ground.counts_rows or ground.size == 1 or ground.is_cut:
        return None
    after = said.reading.text[said.figure.end :]
    counted = row_noun(said) or re.match(r"\s+of\s+(?:them|the|these|those)\b", after)
    if not said.targets or (ground.shape.measures and not counted):
        return None
    return said.figure.fits(Decimal(len(said.all_rows)))


def _counts(said: Said, noun: str) -> Iterator[int]:
    ground, reading = said.ground, said.reading
    bounds = [other for other in reading.figures if other.bound and other is not said.figure]
    if bounds:
        for place in ground.figures:
            fits = [all(bound.admits(n) for bound in bounds) for n in ground.numbers(place)]
            yield sum(fits)
        return
    named = frozenset(row for mention in reading.mentions for row in mention.rows)
    around = said.words
    if around & {"other", "others", "remaining", "rest"}:
        yield ground.size - len(named)
        return
    if around & {"tie", "tied", "tying", "same", "equal", *HIGH, *LOW}:
        for axis in reading.axes:
            for run in reading.name_groups(axis):
                if run[0].start > said.figure.start or run[-1].end < said.figure.start:
                    yield len(run)
    yield ground.size
    for place in ground.shape.labels:
        if noun in ground.column_stems[place]:
            yield len({repr(row[place]) for row in ground.result.rows})


# --- single cells ----------------------------------------------------------------------------


_PART_OF = re.compile(r"(?:\s+[\w-]+){0,2}\s+(?:out\s+)?of\s+(?:the\s+|all\s+|a\s+total\s+of\s+)*")


def _of_a_part(said: Said) -> bool | None:
    """`2,110 of 54,889 cases`: two columns of one row, the smaller figure of the larger."""
    groups, rows = said.reading.groups, said.all_rows
    number = groups.index(said.group)
    if len(rows) != 1:
        return None
    for first, second in ((number - 1, number), (number, number + 1)):
        if not (first >= 0 and second < len(groups)):
            continue
        part, whole = groups[first].figures[-1], groups[second].figures[0]
        glue = said.reading.text[part.end : whole.start]
        if said.figure not in (part, whole):
            continue
        if _PART_OF.fullmatch(glue):
            return _is_part(said.ground, rows[0], part, whole) or None
        opened = re.search(r"\bof\s+(?:the\s+|all\s+)*$", said.reading.text[: part.start].lower())
        if opened and "," in glue:
            return _is_part(said.ground, rows[0], whole, part) or None
    return None


def _is_part(ground: Ground, row: int, part: Figure, whole: Figure) -> bool:
    cells = {
        place: cell
        for place in ground.figures
        if (cell := ground.number(row, place)) is not None and not is_percent(ground, place)
    }
    for place, other in permutations(cells, 2):
        share = cells[place] / cells[other] * 100 if cells[other] > 0 else None
        fits = part.fits(share) if part.kind == "percent" and share else part.fits(cells[place])
        if fits and whole.fits(cells[other]) and 0 <= cells[place] <= cells[other]:
            return True
    return False


def _of_a_range(said: Said) -> bool | None:
    """`between 2 and 7`, `from 2 to 7`: the ends of a column."""
    ground, groups = said.ground, said.reading.groups
    if said.group.links or said.figure.kind != "plain" or not said.reading.is_whole:
        return None
    number = groups.index(said.group)
    pairs = []
    if len(said.group.figures) == 2:
        pairs.append((said.group.figures[0], said.group.figures[1]))
    for first, second in ((number - 1, number), (number, number + 1)):
        if first >= 0 and second < len(groups):
            pairs.append((groups[first].figures[-1], groups[second].figures[0]))
    for low, high in pairs:
        opened = re.search(r"\b(?:between|from)\s+$", said.reading.text[: low.start].lower())
        joined = re.fullmatch(r"\s+(?:and|to)\s+", said.reading.text[low.end : high.start])
        if opened and joined and said.figure in (low, high):
            if ground.size == 1:
                return _are_end_columns(ground, low, high) or None
            return any(_are_ends(said, place, low, high) for place in said.columns)
    return None


def _are_ends(said: Said, place: int, low: Figure, high: Figure) -> bool:
    cells = said.ground.numbers(place)
    if not cells:
        return False
    if said.words & (UP | DOWN) or {"goes", "went"} & said.words:
        ordered = [cell for _, cell in in_time_order(said.ground, place)]
        return bool(ordered) and low.fits(ordered[0]) and high.fits(ordered[-1])
    return low.fits(min(cells)) and high.fits(max(cells))


def _are_end_columns(ground: Ground, low: Figure, high: Figure) -> bool:
    """The ends of a range in one row that has a column for the lowest and one for the highest."""
    cells = {}
    for place, words in enumerate(ground.column_stems):
        for end in ("min", "max"):
            if end in words and (cell := ground.number(0, place)) is not None:
                cells[end] = cell
    return len(cells) == 2 and low.fits(cells["min"]) and high.fits(cells["max"])


def _of_an_extreme(said: Said) -> bool | None:
    """`the highest count is 7`, with no name beside it."""
    if said.group.is_near or said.ground.size < 2 or said.figure.kind != "plain":
        return None
    if not said.rank_words:
        return None
    if not said.reading.is_whole:
        return False
    holds = any(
        said.figure.fits(cell)
        for place in said.columns
        for rows in extreme_rows(said, place)
        for cell in said.ground.numbers(place, sorted(rows))
    )
    return holds or (None if said.group.links else False)


def _of_a_cell(said: Said) -> bool | None:
    """A figure of the rows that it is said of; of any row only where the rows are a mere list."""
    ground = said.ground
    if said.figure.kind != "plain":
        return None
    if said.figure.bound and (counted := _counted_beside(said)):
        return ground.size > 1 and any(_of_rows(other) for other in counted)
    if not said.targets:
        if (
            re.search(r"\b(?:all|every|each)\b", said.reading.text.lower())
            and said.reading.is_whole
        ):
            columns = [set(ground.numbers(place)) for place in said.columns]
            return any(len(cells) == 1 and said.figure.fits(min(cells)) for cells in columns)
        if len(ground.result.columns) != 1 or ground.shape.form != "list":
            return False
        return any(said.figure.fits(cell) for cell in ground.numbers(0))
    return all(_holds_in(said, target) for target in said.targets)


def _counted_beside(said: Said) -> list[Said]:
    """The figures that a bound in one clause with them is a condition of: `9 are over 60`."""
    clause = said.reading.clause(said.figure.start)
    return [
        Said(said.reading, group, index)
        for group in said.reading.groups
        for index, figure in enumerate(group.figures)
        if figure.kind == "plain"
        and not figure.bound
        and said.reading.clause(figure.start) == clause
    ]


def _holds_in(said: Said, target: frozenset[int]) -> bool:
    for place in said.columns:
        cells = said.ground.numbers(place, sorted(target))
        if not cells:
            continue
        if has_change_column(said.ground) and said.words & DOWN:
            cells = [-cell for cell in cells]
        if len(cells) == 1 or len(set(cells)) == 1:
            if said.figure.fits(cells[0]):
                return True
        elif any(said.figure.fits(end) for end in _ends(said, cells)):
            return True
    return False


def _ends(said: Said, cells: Sequence[Decimal]) -> Iterator[Decimal]:
    """The extremes that the words around the figure speak of."""
    if said.rank_words & HIGH:
        yield max(cells)
    if said.rank_words & LOW:
        yield min(cells)


def _of_a_rank(said: Said) -> bool | None:
    """Ordinals are claims of rank; `superlatives` reads them."""
    return True if said.figure.kind == "ordinal" else None


_ROLES = (
    _of_a_rank,
    _of_the_question,
    _of_a_cut_result,
    _of_the_rest,
    _of_no_value,
    _of_a_part,
    of_a_ratio,
    of_a_difference,
    of_a_share,
    _of_rows,
    _of_named_rows,
    of_an_aggregate,
    _of_a_range,
    _of_an_extreme,
    _of_a_cell,
)

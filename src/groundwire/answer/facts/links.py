"""Which figure of a sentence is said of which name: lists, windows of text, links."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from groundwire.answer.facts.figures import Figure
from groundwire.answer.facts.ground import Ground
from groundwire.answer.facts.names import Mention

if TYPE_CHECKING:
    from groundwire.answer.facts.reading import Group, Reading

__all__ = ["LIST", "PARENTHESIS", "cut_windows", "figure_lists", "link_all", "mention_lists"]

LIST = r"\s*(?:,?\s*(?:and|or|&|plus|as well as)|,|/)\s*(?:both\s+)?(?:the\s+)?"
_BREAKS = re.compile(
    r"[;:—]|,|\b(?:and|while|whereas|although|though|but|versus|vs|with)\b"
    r"|\bfollowed by\b|\bcompared\b"
)
_SECOND_BREAKS = re.compile(r"\b(?:to|of|from|than|against|out of)\b")
PARENTHESIS = re.compile(r"\([^()]*\)")


def figure_lists(figures: Sequence[Figure], text: str) -> Iterator[list[Figure]]:
    """Figures joined by nothing but commas and `and`, and not by a comparison."""
    run: list[Figure] = []
    for figure in figures:
        if run:
            glue = text[run[-1].end : figure.start]
            alike = run[-1].kind == figure.kind and not figure.bound and not run[-1].bound
            alike = alike and figure.said.lower() not in ("no", "none")
            if not (alike and re.fullmatch(rf"{LIST}|\s+(?:versus|vs\.?)\s+", glue)) or _compares(
                text[figure.end :]
            ):
                yield run
                run = []
        run.append(figure)
    if run:
        yield run


def _compares(after: str) -> bool:
    return bool(re.match(r"\s*(?:[\w-]+\s+){0,2}?(?:more|fewer|less|higher|lower|times)\b", after))


def mention_lists(mentions: Sequence[Mention], text: str, ground: Ground) -> list[list[Mention]]:
    """Mentions of one column, those of one list (`A, B and C`) together."""
    runs: list[list[Mention]] = []
    for mention in mentions:
        if runs:
            glue = text[runs[-1][-1].end : mention.start]
            words = "|".join(map(re.escape, sorted(ground.column_stems[mention.axis]))) or "§"
            if re.fullmatch(rf"{LIST}(?:(?:{words})\w*\s+)*", glue, re.IGNORECASE):
                runs[-1].append(mention)
                continue
        runs.append([mention])
    return runs


def cut_windows(reading: Reading) -> None:
    """Give each group of figures its own text: the glue between two is cut where it breaks."""
    groups, text = reading.groups, reading.text
    lists = [
        (run[0].start, run[-1].end) for axis in reading.axes for run in reading.name_groups(axis)
    ]
    for number, group in enumerate(groups):
        if number == 0:
            group.left_start = 0
        if number == len(groups) - 1:
            group.right_end = len(text)
            continue
        after = groups[number + 1]
        cut = _break(text, group.end, after.start, lists)
        group.right_end = after.start if cut is None else cut
        after.left_start = group.end if cut is None else cut
    for group in groups:
        group.left = text[group.left_start : group.start]
        group.right = text[group.end : group.right_end]


def _break(text: str, start: int, end: int, lists: Sequence[tuple[int, int]]) -> int | None:
    closed = re.match(r"[^()]*\)", text[start:end])
    if closed:
        return start + closed.end()
    lists = [*lists, *(match.span() for match in PARENTHESIS.finditer(text, start, end))]
    for pattern in (_BREAKS, _SECOND_BREAKS):
        for match in pattern.finditer(text, start, end):
            if not any(begin < match.start() < stop for begin, stop in lists):
                return match.start()
    return None


def link_all(reading: Reading, before: Reading | None) -> None:
    """Say of which names each group of figures speaks, for each column that is named.

    `before` is the sentence before, whose one name "it" stands for.
    """
    carried = before.axes if before and reading.groups else []
    for axis in sorted({*reading.axes, *carried}):
        _link(reading, axis, before)


def _link(reading: Reading, axis: int, before: Reading | None) -> None:
    """Say of which mentions of one column each group of figures speaks."""
    runs = reading.name_groups(axis)
    if not runs:
        _carry(reading, axis, before)
        return
    names_first = bool(reading.groups) and runs[0][0].start < reading.groups[0].start
    previous: list[Mention] | None = None
    taken: list[list[Mention]] = []
    for group in reading.groups:
        run = _nearest(reading.text, runs, group, names_first)
        group.is_near = group.is_near or run is not None
        if run is None:
            run = previous if previous and previous[0].start < group.start else None
        if run is None:
            later = [r for r in runs if r[0].start > group.start and r not in taken]
            earlier = [r for r in runs if r[0].start < group.start]
            run = (later or [r for r in runs if r not in earlier] or earlier[-1:])[0]
        if run is not None:
            group.links[axis] = run
            taken.append(run)
            previous = run


def _nearest(
    text: str, runs: Sequence[list[Mention]], group: Group, names_first: bool
) -> list[Mention] | None:
    left = [run for run in runs if group.left_start <= run[0].start < group.start]
    left = [run for run in left if not _is_object(text, run, group)] or left
    right = [run for run in runs if group.end <= run[0].start < group.right_end]
    if left and right:
        beside = text[group.end : right[0][0].start]
        if re.fullmatch(r"\s+(?:\w+\s+){0,2}(?:in|on|for|during)\s+", beside):
            apart = text[left[-1][-1].end : group.start]
            if len(apart.split()) > 3:
                return right[0]
        return left[-1] if names_first else right[0]
    if left:
        return left[-1]
    return right[0] if right else None


def _is_object(text: str, run: Sequence[Mention], group: Group) -> bool:
    """`THEFT had more than BATTERY, with 5`: the figure is not BATTERY's."""
    compared = re.search(
        r"\b(?:than|over|behind|ahead of|against|versus|vs\.?|compared (?:with|to)|beats|tops"
        r"|exceeds|outnumbers)\s+(?:[\w-]+\s+){0,2}$",
        text[: run[0].start],
    )
    beside = re.fullmatch(r"\s*[(:]?\s*", text[run[-1].end : group.start])
    return bool(compared and not beside)


def _carry(reading: Reading, axis: int, before: Reading | None) -> None:
    """ "It had 5": the only row that the sentence before spoke of."""
    runs = before.name_groups(axis) if before else []
    pronoun = re.match(r"\s*(?:It|This|That|They|These|Those)\b", reading.raw)
    if len(runs) == 1 and pronoun:
        here = [replace(mention, start=-1, end=-1) for mention in runs[0]]
        for group in reading.groups:
            group.links[axis] = here

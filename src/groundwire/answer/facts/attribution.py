"""Whether names, dates and units are used as the rows and the question use them."""

from __future__ import annotations

import re
from itertools import pairwise

from groundwire.answer.facts.ground import columns_called, stems
from groundwire.answer.facts.moments import find_moments
from groundwire.answer.facts.names import Mention, tokens
from groundwire.answer.facts.reading import Reading

__all__ = ["check_attribution"]

_PREPOSITIONS = {
    **dict.fromkeys(("in", "during", "for", "of", "within", "on"), "in"),
    **dict.fromkeys(("until", "till", "by"), "until"),
    **dict.fromkeys(("to", "through"), "to"),
    "since": "since", "starting": "since", "from": "from", "after": "after", "before": "before",
    "between": "between",
}  # fmt: skip
_SAME_SPAN = (
    {"from", "since"}, {"from", "between"}, {"to", "until"}, {"to", "between"},
)  # fmt: skip
"""Prepositions of a date that may stand for each other."""
_RELATIVE = re.compile(
    r"\b(?:last|this|next|past|previous|current)\s+(?:year|month|week|quarter|day|decade)s?\b"
)
_UNITS = re.compile(
    r"^\s*(seconds?|minutes?|hours?|days?|weeks?|months?|years?|decades?|percent|points?)\b"
)


def check_attribution(reading: Reading) -> None:
    """Doubt names that do not belong together, dates and units that nobody gave."""
    _check_units(reading)
    _check_columns(reading)
    _check_dates(reading)
    _check_together(reading)
    _check_lists(reading)
    _check_direction(reading)


def _check_units(reading: Reading) -> None:
    """A unit comes from the question or a column's name; nobody knows it otherwise."""
    ground = reading.ground
    for figure in reading.figures:
        unit = _UNITS.match(reading.text[figure.end :].lower())
        if not unit or figure.kind != "plain":
            continue
        stem = stems(unit[1])[0]
        if stem not in ground.known and stem not in ground.row_nouns:
            reading.doubt(figure.end, f"Nothing says that the figure is in {unit[1]}.")


def _check_columns(reading: Reading) -> None:
    """`the manager is Smith`: where several columns hold names, Smith stands in that one."""
    ground = reading.ground
    labels = list(ground.shape.labels)
    if len(labels) < 2:
        return
    for mention in reading.mentions:
        for place in _columns_said(reading, mention, labels):
            if place not in mention.places:
                said = reading.raw[mention.start : mention.end]
                column = ground.result.columns[place].name
                reading.doubt(mention.start, f"{said} does not stand in the column {column}.")


def _columns_said(reading: Reading, mention: Mention, labels: list[int]) -> list[int]:
    """The label columns that the words right beside a name call it by."""
    before, after = reading.raw[: mention.start].lower(), reading.raw[mention.end :].lower()
    is_ = rf"(?:is|was|are|were|:|named|called{'|on|in' if mention.is_time else ''})"
    left = re.search(rf"([\w]+)(?:\s+(?:of|for)\s+[^,;]*?)?(?:\s*{is_})*\s+(?:the\s+)?$", before)
    right = re.match(r"\s+(?:is|was)\s+(?:the|a|an|his|her|their)\s+(?:\w+\s+)?(\w+)", after)
    words = [stem for match in (left, right) if match for stem in stems(match[1])]
    if mention.is_time:
        begin, _ = reading.clause(mention.start)
        words += [s for t in tokens(before[begin:]) for s in t.stems]
    for word in words:
        called = columns_called(reading.ground, labels, [word])
        if called:
            return called[:1] if len(called) == 1 else []
    return []


def _check_dates(reading: Reading) -> None:
    """A date of the question keeps its preposition: `since 2018` is not `in 2018`."""
    asked: dict[tuple[tuple[str, int], ...], set[str]] = {}
    for text in reading.ground.asked:
        for moment in find_moments(text):
            key = tuple(moment.parts().items())
            asked.setdefault(key, set()).add(_preposition(text[: moment.start]))
    for moment in reading.asked_dates:
        said = _preposition(reading.raw[: moment.start])
        meant = asked.get(tuple(moment.parts().items()), {""})
        spans = {"since", "after", "before", "until", "from", "to", "between"}
        clash = (said in spans and said != "between") or (said == "in" and meant <= spans)
        if clash and not any({said, word} in ({said}, *_SAME_SPAN) for word in meant):
            reading.doubt(moment.start, "The date is not used as the question uses it.")
    for match in _RELATIVE.finditer(reading.text.lower()):
        if not any(match[0] in text.lower() for text in reading.ground.asked):
            reading.doubt(match.start(), f"“{match[0]}” is not in the question.")


def _preposition(before: str) -> str:
    match = re.search(r"(\w+)\s+(?:the\s+(?:year|end|start)\s+(?:of\s+)?)?$", before.lower())
    word = match[1] if match else ""
    if word == "and" and re.search(r"\bbetween\b", before.lower()):
        return "between"
    return _PREPOSITIONS.get(word, "")


def _check_together(reading: Reading) -> None:
    """Two names in one clause stand in one row: `the manager of Smith is King`."""
    runs = sorted(
        (run for axis in reading.axes for run in reading.name_groups(axis)),
        key=lambda run: run[0].start,
    )
    for left, right in pairwise(runs):
        glue = reading.text[left[-1].end : right[0].start]
        apposed = re.fullmatch(r"\s*,\s*(?:who\s+(?:is|was)\s+)?(?:the|a|an|his|her)\s+", glue)
        if not apposed and reading.clause(left[0].start) != reading.clause(right[0].start):
            continue
        if left[0].axis == right[0].axis and not _in_several(left, right):
            continue
        if re.search(r"\bthan\b", glue):
            continue
        pairs = zip(left, right, strict=True) if len(left) == len(right) else _product(left, right)
        for first, second in pairs:
            if not _share_a_row(first, second):
                said = reading.raw[second.start : second.end]
                reading.doubt(second.start, f"No row has {said} with what it is named with.")


def _in_several(left: list[Mention], right: list[Mention]) -> bool:
    return any(len(mention.places) > 1 for mention in (*left, *right))


def _product(left: list[Mention], right: list[Mention]) -> list[tuple[Mention, Mention]]:
    return [(first, second) for first in left for second in right]


def _share_a_row(first: Mention, second: Mention) -> bool:
    return any(
        rows & others
        for place, rows in first.places.items()
        for other, others in second.places.items()
        if place != other
    )


def _check_lists(reading: Reading) -> None:
    """A name stands as often in a list as it has rows; two names side by side are one row's."""
    for axis in reading.axes:
        for run in reading.name_groups(axis):
            for number, mention in enumerate(run):
                before = sum(mention.rows == other.rows for other in run[:number])
                if before >= len(mention.rows):
                    said = reading.raw[mention.start : mention.end]
                    reading.doubt(mention.start, f"{said} stands too often in one list.")
    for first, second in pairwise(reading.mentions):
        alike = first.axis == second.axis or not first.rows & second.rows
        if alike and reading.text[first.end : second.start].isspace():
            said = reading.raw[first.start : second.end]
            reading.doubt(first.start, f"{said} is not the name of one row.")


def _check_direction(reading: Reading) -> None:
    """`Adams reports to Edwards` for those who report to Adams: the relation turned round."""
    question, text = reading.ground.question, reading.text
    entities = re.findall(r"(?<!^)(?<![.?!]\s)\b[A-Z]\w+(?:\s+[A-Z]\w+)*", question)
    verbs = {
        token.stems[0]: token
        for token in tokens(question)
        if token.text.islower() and len(token.text) > 3 and len(token.stems) == 1
    }
    for entity, token in ((e, t) for e in entities for t in tokens(text)):
        asked = verbs.get(token.stems[0]) if len(token.stems) == 1 else None
        place = text.find(entity)
        if asked is None or place < 0 or f"by {entity}" in text:
            continue
        turned = (question.find(entity) < asked.start) != (place < token.start)
        relates = re.match(r"\s+(?:to|for|with|under|from)\b", question[asked.end :])
        if turned and relates and any(m.start > token.end for m in reading.mentions):
            reading.doubt(place, f"The question does not say this of {entity}.")

"""One sentence taken apart: the rows it names, its figures, and which figure is said of whom."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from groundwire.answer.facts.figures import Figure, find_figures
from groundwire.answer.facts.ground import Ground, stems
from groundwire.answer.facts.links import (
    LIST,
    PARENTHESIS,
    cut_windows,
    figure_lists,
    link_all,
    mention_lists,
)
from groundwire.answer.facts.moments import Moment, find_moments
from groundwire.answer.facts.names import Mention, Names

__all__ = ["Doubt", "Group", "Reading", "read_sentence", "split_sentences"]

NAME, DATE, NUMBER = "§", "¶", "#"
"""What stands in the text for what was read already; none is a word or a digit."""

_CLAUSE_BREAKS = re.compile(
    r"[;:—]|,(?!\d)|\b(?:and|while|whereas|although|though|but)\b|\bfollowed by\b"
)
_QUOTED = re.compile(r"“([^”]*)”|\"([^\"]*)\"|(?<!\w)'([^']+)'(?!\w)|‘([^’]+)’(?!\w)|`([^`]+)`")
_ABBREVIATION = re.compile(r"\b(?:St|No|vs|Dr|Mr|Mrs|Ms|Ave|approx|e\.g|i\.e|Inc|Ltd|Co)\.$")


@dataclass(frozen=True, slots=True)
class Doubt:
    """A place of the sentence that the result does not support, and why."""

    start: int
    sentence: str


@dataclass(slots=True)
class Group:
    """Figures in one breath (`5, 7 and 3`) with the text around them and whom they are said of.

    `left` and `right` are the masked text that belongs to them; `links` the mentions by axis.
    `is_near` says that one of these stands in that text; else they were taken from further off.
    """

    figures: list[Figure]
    left: str = ""
    right: str = ""
    left_start: int = 0
    right_end: int = 0
    links: dict[int, list[Mention]] = field(default_factory=dict)
    is_near: bool = False

    @property
    def start(self) -> int:
        """Where the first figure begins."""
        return self.figures[0].start

    @property
    def end(self) -> int:
        """Where the last figure ends."""
        return self.figures[-1].end

    @property
    def around(self) -> str:
        """Left and right text together."""
        return f"{self.left} {NUMBER} {self.right}"


@dataclass(slots=True)
class Reading:
    """A sentence in parts. `text` is masked; places count from the start of the sentence."""

    ground: Ground
    raw: str
    text: str
    offset: int = 0
    mentions: list[Mention] = field(default_factory=list)
    asked_dates: list[Moment] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)

    @property
    def figures(self) -> Iterator[Figure]:
        """Every figure that is no label and no date."""
        for group in self.groups:
            yield from group.figures

    @property
    def is_whole(self) -> bool:
        """Claims about all rows can be checked: none is missing, or only those shown are meant."""
        meant = re.search(r"\b(?:shown|displayed|listed|these|those)\b", self.text.lower())
        return not self.ground.is_cut or bool(meant)

    def doubt(self, start: int, sentence: str) -> None:
        """Note a place that the result does not support."""
        self.doubts.append(Doubt(self.offset + start, sentence))

    def name_groups(self, axis: int) -> list[list[Mention]]:
        """The mentions of one column, those of one list together."""
        return mention_lists([m for m in self.mentions if m.axis == axis], self.text, self.ground)

    def clause(self, place: int) -> tuple[int, int]:
        """Start and end of the piece of the sentence, between breaks, that holds a place."""
        lists = [
            (run[0].start, run[-1].end) for axis in self.axes for run in self.name_groups(axis)
        ]
        lists += [match.span() for match in PARENTHESIS.finditer(self.text)]
        start, end = 0, len(self.text)
        for match in _CLAUSE_BREAKS.finditer(self.text):
            if any(begin < match.start() < stop for begin, stop in lists):
                continue
            if match.end() <= place:
                start = match.end()
            elif match.start() >= place:
                end = match.start()
                break
        return start, end

    @property
    def axes(self) -> list[int]:
        """Columns whose values the sentence names."""
        return sorted({mention.axis for mention in self.mentions})


def split_sentences(text: str, names: Names) -> list[tuple[int, str]]:
    """(offset, sentence); a stop inside a stored name ends nothing."""
    inside = [(mention.start, mention.end) for mention in names.find(text)]
    inside += [match.span() for match in _QUOTED.finditer(text)]
    pieces, start = [], 0
    for match in re.finditer(r"[.!?]+[\"”')\]]*\s+(?=[^a-z\s])|;\s+|\n+", text):
        if any(begin < match.start() < end for begin, end in inside):
            continue
        if _ABBREVIATION.search(text[: match.start() + 1]):
            continue
        pieces.append((start, text[start : match.end()]))
        start = match.end()
    pieces.append((start, text[start:]))
    return [(offset, piece) for offset, piece in pieces if piece.strip()]


def read_sentence(
    ground: Ground, names: Names, raw: str, offset: int = 0, before: Reading | None = None
) -> Reading:
    """Take one sentence apart; `before` is the sentence before it, for "it" and "they"."""
    reading = Reading(ground, raw, raw, offset)
    _read_quotes(reading, names)
    for mention in names.find(reading.text):
        _add(reading, mention)
    _read_dates(reading, names)
    for match in re.finditer(r"\(column (\d+)\)", reading.text):
        if 1 <= int(match[1]) <= len(ground.result.columns):
            _mask(reading, *match.span(), " ")
    figures = _read_labels(reading, names, find_figures(reading.text))
    for figure in figures:
        _mask(reading, figure.start, figure.end, NUMBER)
    reading.mentions.sort(key=lambda mention: mention.start)
    _join_names(reading)
    reading.groups = [Group(figures) for figures in figure_lists(figures, reading.text)]
    cut_windows(reading)
    link_all(reading, before)
    return reading


# --- mentions --------------------------------------------------------------------------------


def _mask(reading: Reading, start: int, end: int, sign: str) -> None:
    reading.text = reading.text[:start] + sign * (end - start) + reading.text[end:]


def _add(reading: Reading, mention: Mention) -> None:
    reading.mentions.append(mention)
    _mask(reading, mention.start, mention.end, NAME)


def _join_names(reading: Reading) -> None:
    """One mention for the parts of one row's name: `Neena Kochhar`, `Berlin to Hamburg`."""
    joined: list[Mention] = []
    for mention in reading.mentions:
        whole = _of_one_row(reading.text, joined[-1], mention) if joined else None
        if whole:
            _mask(reading, joined[-1].end, mention.start, NAME)
            joined[-1] = whole
        else:
            joined.append(mention)
    reading.mentions = joined


def _of_one_row(text: str, first: Mention, second: Mention) -> Mention | None:
    """Two names side by side that tell a row together; None where they are two things."""
    glue = text[first.end : second.start]
    bound = bool(re.fullmatch(r"\s*(?:to|-|→|/)\s*", glue))
    if not bound and (first.is_time or second.is_time or not glue.isspace()):
        return None
    later = sorted(place for place in second.places if place > first.last_column)
    place = second.axis if second.axis > first.last_column else later[0] if later else None
    if place is None:
        return None
    rows = first.rows & second.places[place]
    if not rows:
        return None
    places = dict.fromkeys((*first.places, *second.places), rows)
    return Mention(first.start, second.end, first.axis, places, last_column=place)


def _read_quotes(reading: Reading, names: Names) -> None:
    known = [" ".join(stems(text)) for text in reading.ground.asked]
    columns = {column.name for column in reading.ground.result.columns}
    for match in _QUOTED.finditer(reading.text):
        text = next(part for part in match.groups() if part is not None)
        mention = names.quoted(text, match.start(), match.end())
        if mention:
            _add(reading, mention)
            continue
        words = " ".join(stems(text.rstrip("…")))
        if text in columns or (words and any(words in asked for asked in known)):
            _mask(reading, match.start(), match.end(), " ")
        else:
            reading.doubt(
                match.start(), f"{match[0]} is neither in the result nor in the question."
            )
            _mask(reading, match.start(), match.end(), " ")


def _read_dates(reading: Reading, names: Names) -> None:
    for moment in find_moments(reading.text):
        mention = names.moment(moment)
        if mention:
            _add(reading, mention)
        elif _is_asked(reading.ground, moment):
            reading.asked_dates.append(moment)
            _mask(reading, moment.start, moment.end, DATE)
        elif not moment.bare_year or _reads_as_year(reading.text, moment.start):
            said = reading.raw[moment.start : moment.end]
            reading.doubt(moment.start, f"{said} is neither in the result nor in the question.")
            _mask(reading, moment.start, moment.end, DATE)


def _reads_as_year(text: str, start: int) -> bool:
    before = r"\b(?:in|since|during|for|from|until|till|by|before|after|year|between|through)\s+$"
    return bool(re.search(before, text[:start], re.IGNORECASE))


def _is_asked(ground: Ground, moment: Moment) -> bool:
    """Whether the question (or its context) names this date, or a date that it is part of."""
    told = moment.parts().items()
    return any(
        told <= asked.parts().items() for text in ground.asked for asked in find_moments(text)
    )


# --- labels that are figures -----------------------------------------------------------------


def _read_labels(reading: Reading, names: Names, figures: list[Figure]) -> list[Figure]:
    """Turn figures into mentions where they are labels: `district 7`, `the 11th district`."""
    rest: list[Figure] = []
    last: tuple[Figure, int] | None = None
    for figure in figures:
        place = _label_column(reading, figure, last)
        mention = names.numbered(figure, place) if place is not None else None
        if mention and place is not None:
            last = (figure, place)
            _add(reading, mention)
        else:
            rest.append(figure)
    return _read_listed_labels(reading, names, rest)


def _label_column(reading: Reading, figure: Figure, last: tuple[Figure, int] | None) -> int | None:
    ground, text = reading.ground, reading.text
    if figure.kind not in ("plain", "ordinal") or figure.bound:
        return None
    between = re.sub(r"\([^()]*\)", "", text[last[0].end : figure.start]) if last else ""
    if last and re.fullmatch(LIST, between):
        return last[1]
    numbered = re.search(r"\(column (\d+)\)\s+(?:about\s+)?$", reading.raw[: figure.start])
    if numbered and int(numbered[1]) - 1 in ground.shape.labels:
        return int(numbered[1]) - 1
    if figure.kind == "ordinal":
        beside = re.match(r"\s+([\w-]+)", text[figure.end :])
    else:
        beside = re.search(r"([\w-]+)\s+(?:(?:number|no\.?|about)\s+)?#?$", text[: figure.start])
    if not beside:
        return None
    words = set(stems(beside[1]))
    for place in ground.shape.labels:
        if words & ground.column_stems[place] and ground.numbers(place):
            return place
    return None


def _read_listed_labels(reading: Reading, names: Names, figures: list[Figure]) -> list[Figure]:
    """Turn `…: 11, 7 and 25` into mentions where all of them are labels and none a measure."""
    ground = reading.ground
    rest = list(figures)
    for run in figure_lists(figures, reading.text):
        opened = re.search(r"(?::|\b(?:are|were|is|was|include|includes|including|namely))\s*$",
                           reading.text[: run[0].start])  # fmt: skip
        if not opened or any(figure.kind != "plain" or figure.bound for figure in run):
            continue
        for place in ground.shape.labels:
            measured = {n for other in ground.shape.measures for n in ground.numbers(other)}
            labels = set(ground.numbers(place)) - measured
            if all(figure.value in labels for figure in run):
                for figure in run:
                    mention = names.numbered(figure, place)
                    if mention:
                        _add(reading, mention)
                        rest.remove(figure)
                break
    return rest

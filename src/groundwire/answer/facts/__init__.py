"""The check of a sentence against the rows that it is about.

Every figure and every name in it has to be in the result or follow from it: a count, a sum, an
average, a share, a difference, a rank, a change over time. A word that neither the question nor
the result brings, and that is none of narration's own, counts as a claim from outside. What
cannot be read is a doubt, and a doubt is a no: the template sentence is then used.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from groundwire.answer.facts.attribution import check_attribution
from groundwire.answer.facts.comparisons import check_comparisons
from groundwire.answer.facts.figure_roles import figure_holds
from groundwire.answer.facts.ground import Ground
from groundwire.answer.facts.names import Names
from groundwire.answer.facts.reading import Doubt, Reading, read_sentence, split_sentences
from groundwire.answer.facts.said import Said
from groundwire.answer.facts.superlatives import check_superlatives
from groundwire.answer.facts.trends import check_trends
from groundwire.answer.facts.wordings import check_wording, holds_nothing, says_a_value
from groundwire.database.result import Result
from groundwire.query.problem import Problem

__all__ = ["FactCheck", "check_sentence"]


@dataclass(frozen=True, slots=True)
class FactCheck:
    """What a check found: each problem at its place in the sentence; none = it holds.

    `says_cut` is true when the sentence itself says how many of how many rows there are.
    """

    problems: tuple[Problem, ...]
    says_cut: bool = False

    @property
    def ok(self) -> bool:
        """Everything in the sentence is borne out."""
        return not self.problems


def check_sentence(
    sentence: str,
    question: str,
    result: Result,
    total: int | None = None,
    context: Sequence[str] = (),
) -> FactCheck:
    """Check one or more sentences about a result.

    Args:
        sentence: what is claimed.
        question: what was asked; its words and its conditions may be repeated.
        result: the rows.
        total: the number of rows without the cap, where it was counted.
        context: more that is known to be true, such as how the question was read.
    """
    ground = Ground(question, result, total, tuple(context))
    plain = _plain(sentence)
    names = Names(ground)
    doubts: list[Doubt] = []
    readings: list[Reading] = []
    for offset, piece in split_sentences(plain, names):
        before = readings[-1] if readings else None
        reading = read_sentence(ground, names, piece, offset, before)
        _check(reading)
        readings.append(reading)
        doubts.extend(reading.doubts)
    if not any(says_a_value(reading) for reading in readings) and result.rows:
        doubts.append(Doubt(0, "The sentence says nothing of the result."))
    if holds_nothing(ground) and not _NOTHING.search(plain.lower()):
        doubts.append(Doubt(0, "The result holds no value, and the sentence does not say so."))
    doubts.sort(key=lambda doubt: doubt.start)
    problems = tuple(Problem.at(sentence, doubt.start, doubt.sentence) for doubt in doubts)
    return FactCheck(problems, _says_cut(plain, ground))


_NOTHING = re.compile(r"\b(?:no|null|not|empty|missing|none|unknown|zero|0)\b")
_ALIKE = str.maketrans("\u00a0\u202f\u2013\u2212\u2019§¶#", "  --'   ")
"""Signs that mean the same; the marks that `reading` puts into a text are taken out of it."""


def _plain(text: str) -> str:
    """The text in plain signs, without emphasis marks, each character in its place."""
    text = re.sub(r"\*+|(?<!\w)_+|_+(?!\w)", lambda match: " " * len(match[0]), text)
    return text.translate(_ALIKE)


def _check(reading: Reading) -> None:
    for group in reading.groups:
        for index, figure in enumerate(group.figures):
            if not figure_holds(Said(reading, group, index)):
                said = reading.raw[figure.start : figure.end].strip()
                reading.doubt(
                    figure.start, f"{said} is not in the result there and does not follow from it."
                )
    check_superlatives(reading)
    check_comparisons(reading)
    check_trends(reading)
    check_attribution(reading)
    check_wording(reading)


def _says_cut(text: str, ground: Ground) -> bool:
    """Whether the sentence tells both how many rows are shown and how many there are."""
    figures = {digits.replace(",", "") for digits in re.findall(r"\d[\d,]*", text)}
    known = str(ground.total) in figures if ground.total is not None else "more than" in text
    return ground.is_cut and str(ground.size) in figures and known

"""The fact check judges sentences as a person does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from groundwire.answer.facts import check_sentence
from tests.answer.judged import Judged, read_pairs

FILES = sorted((Path(__file__).parent / "sentences").glob("*.txt"))
PAIRS = [pair for path in FILES for pair in read_pairs(path)]


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.place)
def test_a_sentence_is_judged_as_a_person_judged_it(pair: Judged) -> None:
    check = check_sentence(pair.sentence, pair.question, pair.result, pair.total, pair.context)
    said = [problem.sentence for problem in check.problems]
    assert check.ok == pair.true, f"{pair.sentence} ({pair.reason}): {said}"


def test_there_are_enough_true_and_false_sentences() -> None:
    assert len(PAIRS) >= 120
    assert 0.4 <= sum(pair.true for pair in PAIRS) / len(PAIRS) <= 0.6


OPPOSITES = {
    "highest": "lowest", "lowest": "highest", "most": "fewest", "fewest": "most",
    "largest": "smallest", "smallest": "largest", "longest": "shortest", "rose": "fell",
    "fell": "rose", "climbed": "dropped", "declined": "increased", "increased": "decreased",
    "fewer": "more", "leads": "trails", "first": "second", "twice": "thrice",
}  # fmt: skip
STILL_TRUE = {
    "Three blocks had more than 53 thefts in 2023: 001XX N STATE ST (410), "
    "0000X W TERMINAL ST (120) and 076XX S CICERO AVE (64).",
    "Three orders are over $1,003; the largest, $2,310.50, was placed by Blau & Söhne.",
}


def mutants(sentence: str) -> Iterator[str]:
    """The sentence with one digit or one word of rank or change turned into another."""
    for match in re.finditer(r"\d", sentence):
        digit = (int(match[0]) + 3) % 10
        yield f"{sentence[: match.start()]}{digit}{sentence[match.end() :]}"
    for match in re.finditer(r"\w+", sentence):
        if match[0] in OPPOSITES:
            yield f"{sentence[: match.start()]}{OPPOSITES[match[0]]}{sentence[match.end() :]}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_true_sentence_with_one_digit_or_word_turned_is_found(path: Path) -> None:
    accepted = [
        mutant
        for pair in read_pairs(path)
        if pair.true
        for mutant in mutants(pair.sentence)
        if check_sentence(mutant, pair.question, pair.result, pair.total, pair.context).ok
    ]
    assert set(accepted) <= STILL_TRUE


def test_a_problem_names_its_place_in_the_sentence() -> None:
    pair = next(pair for pair in PAIRS if pair.reason == "wrong year")
    (problem,) = check_sentence(pair.sentence, pair.question, pair.result).problems
    assert pair.sentence[problem.offset :].startswith("2023")
    assert problem.sentence == "2023 is neither in the result nor in the question."

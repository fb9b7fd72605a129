"""The fact check judges sentences as a person does."""

from __future__ import annotations

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


def test_a_problem_names_its_place_in_the_sentence() -> None:
    pair = next(pair for pair in PAIRS if pair.reason == "wrong year")
    (problem,) = check_sentence(pair.sentence, pair.question, pair.result).problems
    assert pair.sentence[problem.offset :].startswith("2023")
    assert problem.sentence == "2023 is neither in the result nor in the question."

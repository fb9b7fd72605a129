"""The fact check judges sentences as a person does."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundwire.answer.facts import check_sentence
from tests.answer.judged import Judged, read_pairs

HERE = Path(__file__).parent
FILES = ("sentences.txt", "sentences_more.txt", "sentences_third.txt", "sentences_fourth.txt")
PAIRS = [pair for name in FILES for pair in read_pairs(HERE / name)]


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.place)
def test_a_sentence_is_judged_as_a_person_judged_it(pair: Judged) -> None:
    check = check_sentence(pair.sentence, pair.question, pair.result, pair.total, pair.context)
    said = [problem.sentence for problem in check.problems]
    assert check.ok == pair.true, f"{pair.sentence} ({pair.reason}): {said}"


def test_the_files_hold_enough_true_and_false_sentences() -> None:
    for name in FILES:
        judged = [pair.true for pair in read_pairs(HERE / name)]
        assert len(judged) >= 60
        assert 0.4 <= sum(judged) / len(judged) <= 0.6

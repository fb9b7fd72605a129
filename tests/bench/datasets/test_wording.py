"""Order is read from the words of a question; `questions.txt` holds the verdicts."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.bench.datasets.wording import asks_for_order

LINES = (Path(__file__).parent / "questions.txt").read_text(encoding="utf-8").splitlines()
QUESTIONS = [line.split(maxsplit=1) for line in LINES if line and not line.startswith("#")]


@pytest.mark.parametrize(("verdict", "question"), QUESTIONS)
def test_the_words_of_a_question_say_whether_order_matters(verdict: str, question: str) -> None:
    assert asks_for_order(question) == (verdict == "ordered")


@pytest.mark.parametrize(("verdict", "question"), QUESTIONS)
def test_case_and_blanks_do_not_matter(verdict: str, question: str) -> None:
    assert asks_for_order("  " + question.upper().replace(" ", "\n ")) == (verdict == "ordered")


@settings(deadline=None)
@given(st.text())
def test_any_text_gets_a_verdict(text: str) -> None:
    assert asks_for_order(text) in (True, False)

"""A follow-up is put into the question before it, or left alone."""

from __future__ import annotations

import pytest

from groundwire.draft.offline.follow_up import standalone

THEFTS = "How many thefts were there in Englewood in 2019?"


@pytest.mark.parametrize(
    ("previous", "question", "expected"),
    [
        (THEFTS, "and in 2020?", "How many thefts were there in Englewood in 2020?"),
        (THEFTS, "And 2020?", "How many thefts were there in Englewood in 2020?"),
        (THEFTS, "What about last year?", "How many thefts were there in Englewood last year?"),
        (THEFTS, "since 2020?", "How many thefts were there in Englewood since 2020?"),
        (THEFTS, "and in Hyde Park?", "How many thefts were there in Hyde Park in 2019?"),
        (
            THEFTS,
            "and per district?",
            "How many thefts were there in Englewood in 2019 per district?",
        ),
        ("How many thefts were there?", "and in 2020?", "How many thefts were there in 2020?"),
        ("How many thefts were there?", "and in Austin?", "How many thefts were there in Austin?"),
    ],
)
def test_the_words_decide(previous: str, question: str, expected: str) -> None:
    assert standalone(question, previous) == expected


@pytest.mark.parametrize(
    "question", ["How many robberies were there in 2020?", "and robberies?", "and", "", "why?"]
)
def test_what_the_words_do_not_decide_is_left_alone(question: str) -> None:
    assert standalone(question, THEFTS) == question


def test_two_times_are_not_chosen_from() -> None:
    previous = "How many thefts were there at night in 2019?"
    assert standalone("and in 2020?", previous) == "and in 2020?"

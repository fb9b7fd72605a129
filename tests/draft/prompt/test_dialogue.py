"""Follow-ups that are made to stand alone, and the prompt for a sentence on a result."""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from groundwire.database.result import ResultColumn
from groundwire.draft.prompts.dialogue import (
    narration_prompt,
    read_rewrite,
    read_sentence,
    rewrite_prompt,
)
from groundwire.errors import DraftError

TURNS = [
    {"question": "Thefts in 2020?", "standalone_question": "How many thefts were there in 2020?"},
    {"question": "and 2021?", "standalone_question": "How many thefts were there in 2021?"},
]


def user(messages: Any) -> str:
    return str(messages[-1].content)


def test_a_rewrite_shows_the_questions_as_they_were_understood() -> None:
    written = user(rewrite_prompt(TURNS, "and in Loop?"))
    assert (
        '- "How many thefts were there in 2020?"\n- "How many thefts were there in 2021?"'
        in written
    )
    assert "and 2021?" not in written
    assert 'The last question, as a JSON string: "and in Loop?"' in written


def test_a_rewrite_shows_the_last_six_questions() -> None:
    turns = [{"question": f"Question {n}?"} for n in range(9)]
    written = user(rewrite_prompt(turns, "and?"))
    assert "Question 2?" not in written
    assert all(f"Question {n}?" in written for n in range(3, 9))


@pytest.mark.parametrize(
    "reply",
    [
        "How many thefts were there in Loop in 2021?",
        '"How many thefts were there in Loop in 2021?"',
        "\n  How many thefts were there\n in Loop in 2021?\n",
        "<think>They mean 2021.</think>\nHow many thefts were there in Loop in 2021?",
        "```\nHow many thefts were there in Loop in 2021?\n```",
    ],
)
def test_the_rewritten_question_is_read_from_a_reply(reply: str) -> None:
    assert read_rewrite(reply, 100) == "How many thefts were there in Loop in 2021?"


@pytest.mark.parametrize("reply", ["", " ", '""', "<think>hm</think>", "x" * 101])
def test_a_reply_that_is_no_question_is_an_error(reply: str) -> None:
    with pytest.raises(DraftError):
        read_rewrite(reply, 100)


@pytest.mark.parametrize(
    "reply",
    [
        "42 crimes.",
        '"42 crimes."',
        "<think>40 + 2</think>42 crimes.\n",
        "```\n42 crimes.\n```<|im_end|>",
    ],
)
def test_the_sentence_is_read_from_a_reply(reply: str) -> None:
    assert read_sentence(reply) == "42 crimes."


# --- narration -------------------------------------------------------------------------------


def columns(*names: str) -> list[ResultColumn]:
    return [ResultColumn(name, "text") for name in names]


def lines_of_rows(messages: Any) -> list[Any]:
    return [json.loads(line) for line in user(messages).splitlines() if line.startswith("[")]


def test_a_small_result_is_shown_whole() -> None:
    rows = [("THEFT", 12, None), ("ARSON", Decimal("1.5"), date(2020, 1, 2))]
    messages = narration_prompt("What?", columns("type", "n", "day"), rows)
    assert lines_of_rows(messages) == [["THEFT", 12, None], ["ARSON", 1.5, "2020-01-02"]]
    assert "The result has 2 rows, all of them shown." in messages[0].content
    assert "profile" not in user(messages)


def test_of_a_big_result_the_first_rows_and_a_profile_are_shown() -> None:
    rows = [(f"kind {n % 3}", n if n else None) for n in range(500)]
    messages = narration_prompt("What?", columns("kind", "n"), rows, max_rows=20)
    assert len(lines_of_rows(messages)) == 20
    assert "The result has 500 rows; the first 20 are shown" in messages[0].content
    assert '- "kind": 0 missing, 3 different, most often "kind 0" 167 times' in user(messages)
    assert '- "n": 1 missing, least 1, greatest 499, sum 124750' in user(messages)


@pytest.mark.parametrize(
    ("total", "words"), [(509, "20 of 509 rows"), (None, "only the first 20 (there are more) rows")]
)
def test_a_cut_result_is_never_told_as_the_whole(total: int | None, words: str) -> None:
    messages = narration_prompt(
        "How many?", columns("id"), [(n,) for n in range(20)], truncated=True, total=total
    )
    assert words in messages[0].content
    assert "never state 20 as the number" in messages[0].content


def test_a_vector_and_a_long_text_are_not_sent() -> None:
    messages = narration_prompt("What?", columns("v", "t"), [([0.5] * 1536, "x" * 5000)])
    assert '"vector[1536]"' in user(messages)
    assert "0.5" not in user(messages)
    assert len(user(messages)) < 1000


def test_a_vector_inside_a_node_is_not_sent() -> None:
    node = {"properties": {"name": "Ann", "embedding": [0.5] * 64}, "labels": ["Person"]}
    messages = narration_prompt("What?", columns("n", "m"), [(node, [[0.5] * 64])])
    assert "0.5" not in user(messages)
    assert user(messages).count("vector[64]") == 2
    assert "Ann" in user(messages)


def test_mixed_and_odd_values_are_survived() -> None:
    rows: list[Any] = [
        (float("nan"),),
        (Decimal(2),),
        (1,),
        (True,),
        ("x",),
        (b"\x00",),
        ({"a": 1},),
    ]
    narration_prompt("What?", columns("x"), rows * 20, max_rows=3)
    narration_prompt("What?", columns("x"), [(1.5,), (Decimal(2),)] * 20, max_rows=3)


def test_the_readings_of_the_question_are_told() -> None:
    messages = narration_prompt("What?", columns("x"), [(1,)], assumptions=["Night is 22 to 6."])
    assert '- "Night is 22 to 6."' in user(messages)

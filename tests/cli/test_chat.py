"""`groundwire chat` keeps a conversation, and goes on with one that was killed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.cli.conftest import Ran

Call = Callable[..., Ran]


def test_questions_are_answered_until_an_empty_line(
    groundwire: Call, url: str, tmp_path: Path
) -> None:
    store = f"sqlite:///{tmp_path / 'sessions.sqlite'}"
    script = "How many customers are there?\nHow many customers are in Oslo?\n\n"
    ran = groundwire("chat", url, "--store", store, stdin=script)
    assert ran.code == 0, ran.err
    assert "3" in ran.out
    assert "city = 'Oslo'" in ran.out


def test_a_follow_up_knows_what_came_before_also_in_the_next_run(
    groundwire: Call, url: str, tmp_path: Path
) -> None:
    store = f"sqlite:///{tmp_path / 'sessions.sqlite'}"
    groundwire("chat", url, "--store", store, stdin="How many customers are in Oslo?\n\n")
    ran = groundwire("chat", url, "--store", store, stdin="And in London?\n\n")
    assert ran.code == 0, ran.err
    assert "Read as: How many customers are in London?" in ran.out
    assert "city = 'London'" in ran.out


def test_an_unusable_question_does_not_end_the_conversation(
    groundwire: Call, url: str, tmp_path: Path
) -> None:
    store = f"sqlite:///{tmp_path / 'sessions.sqlite'}"
    script = "???\nHow many customers are there?\n\n"
    ran = groundwire("chat", url, "--store", store, stdin=script)
    assert "The question is empty" in ran.err
    assert "3" in ran.out

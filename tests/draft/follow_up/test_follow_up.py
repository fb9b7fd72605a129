"""A follow-up becomes a question that stands alone and that the offline drafter understands."""

from __future__ import annotations

import re
from calendar import month_name
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.database.base import SqlDatabase
from groundwire.draft.offline import OfflineDrafter
from groundwire.draft.offline.follow_up import standalone
from groundwire.draft.offline.tokens import tokenize
from groundwire.packs.chicago.questions import Question, load_questions
from groundwire.packs.pack import pack_for
from tests.conftest import new_file

HERE = Path(__file__).parent
TODAY = date(2026, 11, 30)


def read_pairs() -> list[tuple[str, str, str]]:
    """(previous question, follow-up, the question that stands alone) of every block."""
    pairs: list[tuple[str, str, str]] = []
    for block in (HERE / "pairs.txt").read_text(encoding="utf-8").split("\n\n"):
        lines = [line for line in block.splitlines() if line and not line.startswith("#")]
        if lines:
            previous, follow_up, expected = lines
            pairs.append((previous, follow_up, follow_up if expected == "=" else expected))
    return pairs


PAIRS = read_pairs()
REWRITTEN = sorted({expected for _, follow_up, expected in PAIRS if expected != follow_up})


@pytest.fixture(scope="module")
def chicago(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqlDatabase]:
    """The schema of the Chicago pack with a few rows."""
    new = new_file("duckdb", tmp_path_factory.mktemp("follow_up"))
    text = (HERE.parent / "offline" / "chicago.sql").read_text(encoding="utf-8")
    new.fill(*(part for part in text.split(";\n") if part.strip()))
    database = new.connect()
    yield database
    database.close()


@pytest.mark.parametrize(("previous", "follow_up", "expected"), PAIRS)
def test_a_follow_up_stands_alone(previous: str, follow_up: str, expected: str) -> None:
    assert standalone(follow_up, previous, TODAY) == expected


@pytest.mark.parametrize("question", REWRITTEN)
def test_the_drafter_understands_the_rewritten_question(
    question: str, chicago: SqlDatabase
) -> None:
    drafter = OfflineDrafter(pack_for(chicago.catalog()), TODAY)
    assert drafter.draft(question, chicago).text.startswith(("SELECT", "WITH"))


@pytest.mark.parametrize("entry", load_questions(), ids=lambda entry: str(entry.id))
def test_a_complete_question_is_left_as_it_is(entry: Question) -> None:
    question = entry.question
    assert standalone(question, "How many thefts were there in Austin in 2019?", TODAY) == question


def test_follow_ups_can_follow_each_other() -> None:
    question = "How many thefts were there in 2019?"
    for follow_up in ("only in Austin", "and the year before?", "what about robberies?"):
        question = standalone(follow_up, question, TODAY)
    assert question == "How many robberies were there in 2018 in Austin?"


def test_the_day_of_the_call_is_today_if_none_is_given() -> None:
    rewritten = standalone("and the year before?", "How many thefts were there this year?")
    assert rewritten == f"How many thefts were there in {date.today().year - 1}?"


WORDS = st.sampled_from(
    re.findall(
        r"\S+",
        """
        and what about only in by per 2019 Austin the district 11 without year before of those night
        thefts ? , month last how many were which same for ones domestic weekends March 2020
        """,
    )
)


@given(st.lists(WORDS, max_size=8).map(" ".join) | st.text(max_size=60), st.data())
def test_no_word_is_made_up(text: str, data: st.DataObject) -> None:
    previous = data.draw(st.sampled_from(REWRITTEN) | st.text(max_size=60))
    rewritten = standalone(text, previous, TODAY)
    known = {token.word for token in (*tokenize(text), *tokenize(previous))}
    added = {token.word for token in tokenize(rewritten)} - known
    months = {name.lower() for name in month_name if name}
    assert {word for word in added if word.isalpha()} <= {"in", "on", "that"} | months

"""Conversations: follow-ups, resuming after kill -9, sessions apart; on SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import groundwire
from groundwire import Answer, Session, pending_question, resume
from groundwire.draft.model import ScriptedModel
from groundwire.errors import StorageError, Unreachable, UsageError

COUNT = "SELECT count(*) AS n FROM orders"


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "postgres":
        return str(request.getfixturevalue("postgres_url"))
    return f"sqlite:///{tmp_path / 'kept' / 'sessions.sqlite'}"


def ask(url: str, session: Session, question: str, *script: object) -> Answer:
    return groundwire.ask(url, question, ScriptedModel(list(script)), session=session)  # type: ignore[arg-type]


def test_a_follow_up_is_rewritten_into_a_question_that_stands_alone(
    shop_url: str, store: str
) -> None:
    session = Session("talk", store)
    ask(shop_url, session, "How many orders in Oslo?", COUNT, "There are 30 orders.")
    model = ScriptedModel(["How many orders in Bergen?", COUNT, "There are 30 orders."])
    answer = groundwire.ask(shop_url, "And in Bergen?", model, session=session)
    assert answer.question == "And in Bergen?"
    assert answer.standalone_question == "How many orders in Bergen?"
    assert "How many orders in Oslo?" in model.prompts[0][-1].content
    rewritten = [step for step in answer.trace.steps if step.node == "rewrite"]
    assert rewritten[0].detail["standalone_question"] == "How many orders in Bergen?"


def test_sessions_never_see_each_other(shop_url: str, store: str) -> None:
    ask(shop_url, Session("one", store), "How many orders in Oslo?", COUNT, "There are 30 orders.")
    model = ScriptedModel([COUNT, "There are 30 orders."])
    answer = groundwire.ask(shop_url, "And in Bergen?", model, session=Session("two", store))
    assert answer.standalone_question == "And in Bergen?"
    sent = [m.content for prompt in model.prompts for m in prompt]
    assert not any("How many orders in Oslo?" in text for text in sent)


def test_two_sessions_at_once_do_not_mix(shop_url: str, store: str) -> None:
    async def talk(city: str) -> list[str]:
        session = Session(city, store)
        said = []
        for turn in range(2):
            rewrite = [f"How many orders in {city} {turn}?"] if turn else []
            model = ScriptedModel([*rewrite, COUNT, "There are 30 orders."])
            question = f"How many orders in {city}?"
            answer = await groundwire.aask(shop_url, question, model, session=session)
            said.append(answer.standalone_question)
        return said

    async def both() -> list[list[str]]:
        return await asyncio.gather(talk("Oslo"), talk("Bergen"))

    for said, city in zip(asyncio.run(both()), ("Oslo", "Bergen"), strict=True):
        assert all(city in question for question in said)


STALLING = """
import sys, time, pathlib
import groundwire
from groundwire import Session
from groundwire.draft.model import ScriptedModel

url, store, flag, *replies = sys.argv[1:]

def stall(messages):
    if replies:
        return replies.pop(0)
    pathlib.Path(flag).touch()
    time.sleep(120)

groundwire.ask(url, "How many orders?", ScriptedModel(stall), session=Session("killed", store))
"""


def kill_in_the_middle(url: str, store: str, flag: Path, *replies: str) -> None:
    """Kill the process when its model is asked after these replies."""
    process = subprocess.Popen([sys.executable, "-c", STALLING, url, store, str(flag), *replies])
    deadline = time.monotonic() + 240
    while not flag.exists():
        assert process.poll() is None, "the process ended before it was killed"
        assert time.monotonic() < deadline, "the process never came to the model"
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()


def test_a_killed_process_goes_on_where_it_was(shop_url: str, store: str, tmp_path: Path) -> None:
    session = Session("killed", store)
    ask(shop_url, session, "How many orders in Oslo?", COUNT, "There are 30 orders.")
    # The stalled model is asked to rewrite first, since there is history.
    kill_in_the_middle(shop_url, store, tmp_path / "asked")
    assert pending_question(session) == "How many orders?"
    model = ScriptedModel(["How many orders are there?", COUNT, "There are 30 orders."])
    answer = resume(shop_url, session, model)
    assert answer.question == "How many orders?"
    assert answer.outcome == "admitted"
    assert answer.result is not None
    assert pending_question(session) is None


def test_what_was_done_before_the_kill_is_not_done_again(
    shop_url: str, store: str, tmp_path: Path
) -> None:
    session = Session("killed", store)
    kill_in_the_middle(shop_url, store, tmp_path / "asked")
    answer = resume(shop_url, session, ScriptedModel([COUNT, "There are 30 orders."]))
    assert [step.node for step in answer.trace.steps] == ["draft", "validate", "run", "answer"]


def test_a_repair_that_was_killed_is_asked_again_with_what_was_measured(
    shop_url: str, store: str, tmp_path: Path
) -> None:
    session = Session("killed", store)
    misspelt = "SELECT id FROM orders WHERE city LIKE 'oslo 1'"
    kill_in_the_middle(shop_url, store, tmp_path / "asked", misspelt)
    model = ScriptedModel([{"code": "ENT1", "cause": "Case.", "query": misspelt}])
    answer = resume(shop_url, session, model)
    assert "stored values that hold 'oslo' are 'Oslo'" in model.prompts[0][-1].content
    assert (answer.outcome, answer.query) == ("admitted", misspelt)
    assert answer.result is not None
    assert answer.result.rows == ()


def test_grounding_notes_are_not_kept_in_the_store(shop_url: str, tmp_path: Path) -> None:
    session = Session("talk", f"sqlite:///{tmp_path / 'sessions.sqlite'}")
    misspelt = "SELECT id FROM orders WHERE city LIKE 'erge%' OR city LIKE 'Berg'"
    again = {"code": "ENT1", "cause": "Case.", "query": misspelt}
    ask(shop_url, session, "Which orders?", misspelt, again)
    kept = b"".join(file.read_bytes() for file in tmp_path.glob("sessions.sqlite*"))
    assert b"Berg'" in kept
    assert b"Bergen" not in kept


def test_no_rows_are_kept_in_the_store(shop_url: str, tmp_path: Path) -> None:
    path = tmp_path / "sessions.sqlite"
    session = Session("talk", f"sqlite:///{path}")
    query = "SELECT city FROM orders WHERE id = 2"
    answer = ask(shop_url, session, "Which city is in order 2?", query, "It has one value.")
    assert answer.result is not None
    city = answer.result.rows[0][0]
    assert city not in answer.query
    kept = b"".join(file.read_bytes() for file in tmp_path.glob("sessions.sqlite*"))
    assert b"SELECT city" in kept
    # The sentence of the answer is part of the conversation; the rows are not.
    assert kept.count(city.encode()) <= kept.count(answer.sentence.encode())


@pytest.mark.parametrize(
    ("store", "error"),
    [
        ("redis://x", UsageError),
        ("sqlite:////proc/no/such.sqlite", StorageError),
        ("postgresql://127.0.0.1:1/none", Unreachable),
    ],
)
def test_a_store_that_cannot_keep_is_told(
    shop_url: str, store: str, error: type[Exception]
) -> None:
    with pytest.raises(error):
        ask(shop_url, Session("talk", store), "How many orders?", COUNT, "There are 30 orders.")

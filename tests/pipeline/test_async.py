"""The pipeline in an event loop: streaming, several at once, cancelling."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

import pytest

import groundwire
from groundwire import Database, Event
from groundwire.draft.model import Message, ScriptedModel


def test_steps_and_the_sentence_are_streamed_and_the_answer_comes_last(shop: Database) -> None:
    async def collect() -> list[Event]:
        model = ScriptedModel(["SELECT count(*) AS n FROM orders", "There are 30 orders."])
        return [event async for event in groundwire.astream(shop, "How many orders?", model)]

    events = asyncio.run(collect())
    steps = [event.data["node"] for event in events if event.kind == "step"]
    assert steps[-3:] == ["validate", "run", "answer"]
    assert "".join(e.data["text"] for e in events if e.kind == "text") == "There are 30 orders."
    assert events[-1].kind == "answer"
    assert events[-1].answer is not None


def test_two_questions_at_once_do_not_mix(shop_url: str) -> None:
    async def both() -> list[groundwire.Answer]:
        asked = []
        for city in ("Oslo", "Bergen"):
            query = f"SELECT city, count(*) AS n FROM orders WHERE city = '{city}' GROUP BY city"
            model = ScriptedModel([query, f"{city} has 10."])
            asked.append(groundwire.aask(shop_url, f"How many orders in {city}?", model))
        return await asyncio.gather(*asked)

    answers = asyncio.run(both())
    for answer, city in zip(answers, ("Oslo", "Bergen"), strict=True):
        assert city in answer.sentence
        assert all(city in str(step.detail) for step in answer.trace.steps if step.node == "run")


def test_ask_works_inside_an_event_loop(shop: Database) -> None:
    async def outer() -> groundwire.Answer:
        model = ScriptedModel(["SELECT 1 AS one", "One is 1."])
        return groundwire.ask(shop, "What is one?", model)

    assert asyncio.run(outer()).outcome == "admitted"


def test_cancelling_stops_the_query_on_the_database(shop: Database) -> None:
    slow = "SELECT count(*) FROM range(100000000) a, range(100000) b WHERE a.range * b.range = 7"

    async def cancelled() -> float:
        task = asyncio.create_task(groundwire.aask(shop, "How many?", ScriptedModel([slow])))
        await asyncio.sleep(2)
        started = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return time.monotonic() - started

    assert asyncio.run(cancelled()) < 5
    assert shop.execute("SELECT 1").rows == ((1,),)


def test_cancelling_stops_the_model(shop: Database) -> None:
    stopped = []

    async def stall(messages: Sequence[Message]) -> str:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            stopped.append(True)
            raise
        return "SELECT 1"

    async def cancelled() -> None:
        task = asyncio.create_task(groundwire.aask(shop, "How many?", ScriptedModel(stall)))
        await asyncio.sleep(2)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())
    assert stopped

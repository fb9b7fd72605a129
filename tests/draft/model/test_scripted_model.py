"""The scripted model keeps the contract of a real one."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from groundwire.draft.model import Ledger, Message, ScriptedModel
from groundwire.errors import ModelUnavailable, UsageError

QUESTION = [Message("user", "How many crimes?")]
SCHEMA = {"title": "draft", "properties": {"query": {"type": "string"}}, "required": ["query"]}


def test_replies_come_in_order_and_prompts_are_kept() -> None:
    model = ScriptedModel(["one", {"query": "two"}])

    async def ask() -> list[Any]:
        first = await model.complete(QUESTION)
        second = await model.complete(QUESTION, schema=SCHEMA)
        return [first.text, second.parsed]

    assert asyncio.run(ask()) == ["one", {"query": "two"}]
    assert model.prompts == [tuple(QUESTION)] * 2


def test_an_exception_in_the_script_is_raised_and_recorded() -> None:
    ledger = Ledger()
    with pytest.raises(ModelUnavailable):
        asyncio.run(ScriptedModel([ModelUnavailable("down")]).complete(QUESTION, ledger=ledger))
    assert isinstance(ledger.calls[0].error, ModelUnavailable)


def test_a_function_may_answer_from_the_prompt_and_may_wait() -> None:
    async def answer(messages: Sequence[Message]) -> str:
        await asyncio.sleep(0)
        return messages[-1].content.upper()

    reply = asyncio.run(ScriptedModel(answer).complete(QUESTION))
    assert reply.text == "HOW MANY CRIMES?"


def test_a_script_that_is_too_short_says_so() -> None:
    with pytest.raises(UsageError, match="more often than it has replies"):
        asyncio.run(ScriptedModel([]).complete(QUESTION))


def test_a_scripted_stream_ends_with_the_reply() -> None:
    async def collect() -> list[Any]:
        return [event async for event in ScriptedModel(["a b c "]).stream(QUESTION)]

    *pieces, last = asyncio.run(collect())
    assert "".join(piece.text for piece in pieces) == "a b c "
    assert last.reply.text == "a b c "

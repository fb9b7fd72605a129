"""A model asked and answered, over a real socket."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from groundwire.draft.model import Ledger, Message, Model, StreamEvent
from groundwire.errors import Cancelled, ModelUnavailable
from groundwire.trace import Trace
from tests.model_server import (
    COMPLETION_TOKENS,
    PROMPT_TOKENS,
    ModelServer,
    cuts,
    fails,
    says,
    stalls,
)

QUESTION = [Message("system", "You write SQL."), Message("user", "How many crimes?")]
SCHEMA = {
    "title": "draft",
    "description": "One query.",
    "type": "object",
    "properties": {
        "query": {"type": "string", "description": "the query"},
        "assumptions": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["query"],
    "additionalProperties": False,
}
Open = Callable[..., Model]
Run = Callable[[Any], Any]


def test_a_reply_has_text_tokens_and_time(
    model_server: ModelServer, quick_model: Open, run: Run
) -> None:
    model_server.play(says("SELECT count(*) FROM crimes"))
    reply = run(quick_model().complete(QUESTION))
    assert reply.text == "SELECT count(*) FROM crimes"
    assert reply.parsed is None
    assert (reply.prompt_tokens, reply.completion_tokens) == (PROMPT_TOKENS, COMPLETION_TOKENS)
    assert not reply.estimated
    assert reply.cost is None
    assert reply.seconds > 0
    assert reply.model == "openai:test"


def test_the_request_carries_the_messages_and_temperature_zero(
    model_server: ModelServer, quick_model: Open, run: Run
) -> None:
    model_server.play(says("SELECT 1"))
    run(quick_model().complete(QUESTION))
    (request,) = model_server.requests
    assert request["model"] == "test"
    assert request["temperature"] == 0
    assert [(m["role"], m["content"]) for m in request["messages"]] == [
        ("system", "You write SQL."),
        ("user", "How many crimes?"),
    ]


def test_tokens_are_estimated_where_the_server_counts_none(
    model_server: ModelServer, quick_model: Open, run: Run
) -> None:
    model_server.play(says("SELECT 1", usage=False))
    reply = run(quick_model().complete(QUESTION))
    assert reply.estimated
    assert reply.prompt_tokens > 0
    assert reply.completion_tokens == 2


def test_the_cost_follows_from_the_prices(
    model_server: ModelServer, quick_model: Open, run: Run
) -> None:
    model_server.play(says("SELECT 1"))
    reply = run(quick_model(price_in=1.0, price_out=10.0).complete(QUESTION))
    assert reply.cost == pytest.approx((PROMPT_TOKENS + 10 * COMPLETION_TOKENS) / 1e6)


def test_one_model_serves_several_event_loops(
    model_server: ModelServer, quick_model: Open, run: Run
) -> None:
    model_server.play(says("one"), says("two"), says("three"))
    model = quick_model()
    texts = [run(model.complete(QUESTION)).text for _ in range(3)]
    assert texts == ["one", "two", "three"]
    assert len(model_server.requests) == 3


def test_a_model_can_be_used_again_after_it_was_closed(
    model_server: ModelServer, quick_model: Open, run: Run
) -> None:
    model_server.play(says("one"), says("two"))
    model = quick_model()

    async def ask_close_ask() -> str:
        await model.complete(QUESTION)
        await model.aclose()
        await model.aclose()
        return (await model.complete(QUESTION)).text

    assert run(ask_close_ask()) == "two"


def test_two_calls_at_once_get_their_own_replies(
    model_server: ModelServer, quick_model: Open, run: Run
) -> None:
    model_server.play(*[says(str(n)) for n in range(8)])
    model = quick_model()

    async def ask_all() -> list[str]:
        replies = await asyncio.gather(*[model.complete(QUESTION) for _ in range(8)])
        return [reply.text for reply in replies]

    assert sorted(run(ask_all())) == [str(n) for n in range(8)]


# --- cancelling ------------------------------------------------------------------------------


def test_cancelling_hangs_up(model_server: ModelServer, quick_model: Open, run: Run) -> None:
    model_server.play(stalls(30))
    ledger = Ledger()

    async def ask_and_cancel() -> None:
        task = asyncio.create_task(quick_model().complete(QUESTION, ledger=ledger))
        while not model_server.requests:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    run(ask_and_cancel())
    assert model_server.gone_clients.acquire(timeout=5)
    assert isinstance(ledger.calls[0].error, Cancelled)


def test_leaving_a_stream_hangs_up(model_server: ModelServer, quick_model: Open, run: Run) -> None:
    model_server.play(stalls(30, after=["The ", "answer "]))

    async def read_one_piece() -> str:
        events = quick_model().stream(QUESTION)
        first = await anext(events)
        await events.aclose()
        return first.text

    assert run(read_one_piece()) == "The "
    assert model_server.gone_clients.acquire(timeout=5)


# --- structured output -----------------------------------------------------------------------

OBJECT = {"query": "SELECT 1", "assumptions": []}


def test_an_object_is_asked_for_by_json_schema(
    model_server: ModelServer, quick_model: Open, run: Run
) -> None:
    model_server.play(says(OBJECT))
    reply = run(quick_model().complete(QUESTION, schema=SCHEMA))
    assert reply.parsed == OBJECT
    assert reply.method == "json_schema"
    wanted = model_server.requests[0]["response_format"]
    assert wanted["type"] == "json_schema"
    assert set(wanted["json_schema"]["schema"]["properties"]) == {"query", "assumptions"}


@pytest.mark.parametrize(
    ("refused", "method"),
    [({"response_format"}, "function_calling"), ({"response_format", "tools"}, "text")],
)
def test_what_the_server_refuses_is_asked_for_in_another_way(
    refused: set[str], method: str, model_server: ModelServer, quick_model: Open, run: Run
) -> None:
    model_server.refuses = refused
    model_server.play(says(OBJECT), says(OBJECT))
    model = quick_model()
    first = run(model.complete(QUESTION, schema=SCHEMA))
    assert first.parsed == OBJECT
    assert first.method == method
    before = len(model_server.requests)
    assert run(model.complete(QUESTION, schema=SCHEMA)).parsed == OBJECT
    assert len(model_server.requests) == before + 1, "the refusal is paid once"


def test_json_mode_is_tried_with_the_keys_in_words(
    model_server: ModelServer, quick_model: Open, run: Run
) -> None:
    model_server.refuses = {"tools"}
    model_server.play(fails(400, "response_format of type json_schema is unknown"), says(OBJECT))
    reply = run(quick_model().complete(QUESTION, schema=SCHEMA))
    assert reply.method == "json_mode"
    assert model_server.requests[-1]["response_format"] == {"type": "json_object"}
    assert "- query: the query" in model_server.requests[-1]["messages"][-1]["content"]


@pytest.mark.parametrize(
    "text",
    [
        "The query is SELECT 1",
        "```sql\nSELECT 1\n```",
        '{"query": 7}',
        '{"sql": "SELECT 1"}',
        '["SELECT 1"]',
        '{"query": "SELECT 1"',
    ],
)
def test_a_text_that_does_not_keep_the_schema_is_no_object(
    text: str, model_server: ModelServer, quick_model: Open, run: Run
) -> None:
    model_server.play(says(text))
    reply = run(quick_model().complete(QUESTION, schema=SCHEMA))
    assert reply.parsed is None
    assert reply.text == text


def test_a_server_that_ignores_the_schema_is_asked_in_words_next_time(
    model_server: ModelServer, quick_model: Open, run: Run
) -> None:
    model_server.play(says("Sure! SELECT 1"), says(f'```json\n{"{"}"query": "SELECT 1"{"}"}\n```'))
    model = quick_model()
    run(model.complete(QUESTION, schema=SCHEMA))
    reply = run(model.complete(QUESTION, schema=SCHEMA))
    assert reply.parsed == {"query": "SELECT 1"}
    assert "response_format" not in model_server.requests[1]


# --- streaming -------------------------------------------------------------------------------


async def collected(model: Model, ledger: Ledger | None = None) -> list[StreamEvent]:
    return [event async for event in model.stream(QUESTION, ledger=ledger)]


def test_a_stream_gives_pieces_and_then_the_whole_reply(
    model_server: ModelServer, quick_model: Open, run: Run
) -> None:
    model_server.play(says("There were 42 crimes."))
    ledger = Ledger()
    *pieces, last = run(collected(quick_model(), ledger))
    assert len(pieces) > 1
    assert "".join(piece.text for piece in pieces) == "There were 42 crimes."
    assert last.text == ""
    assert last.reply is not None
    assert last.reply.text == "There were 42 crimes."
    assert last.reply.prompt_tokens == PROMPT_TOKENS
    assert ledger.calls[0].reply == last.reply


def test_a_stream_that_fails_before_its_first_piece_is_tried_again(
    model_server: ModelServer, quick_model: Open, run: Run
) -> None:
    model_server.play(fails(503), stalls(), says("42"))
    *pieces, last = run(collected(quick_model(read_timeout=1.0)))
    assert [piece.text for piece in pieces] == ["42"]
    assert [attempt.outcome for attempt in last.reply.attempts] == [
        "server_error",
        "timeout",
        "ok",
    ]


@pytest.mark.parametrize("fault", [cuts("There were 42 crimes."), stalls(after=["There "])])
def test_a_stream_that_breaks_off_is_not_repeated(
    fault: Any, model_server: ModelServer, quick_model: Open, run: Run
) -> None:
    model_server.play(fault, says("42"))
    with pytest.raises(ModelUnavailable):
        run(collected(quick_model(read_timeout=1.0)))
    assert len(model_server.requests) == 1


def test_a_server_without_usage_in_streams_is_asked_without(
    model_server: ModelServer, quick_model: Open, run: Run
) -> None:
    model_server.refuses = {"stream_options"}
    model_server.play(says("42"))
    *_, last = run(collected(quick_model()))
    assert last.reply.text == "42"
    assert last.reply.estimated


# --- the record ------------------------------------------------------------------------------


def test_the_ledger_adds_up(model_server: ModelServer, quick_model: Open, run: Run) -> None:
    model_server.play(says("one"), says("two"))
    ledger, model = Ledger(), quick_model(price_in=1.0, price_out=1.0)
    run(model.complete(QUESTION, purpose="draft", ledger=ledger))
    run(model.complete(QUESTION, purpose="repair", ledger=ledger))
    assert [call.purpose for call in ledger.calls] == ["draft", "repair"]
    assert ledger.prompt_tokens == 2 * PROMPT_TOKENS
    assert ledger.completion_tokens == 2 * COMPLETION_TOKENS
    assert ledger.cost == pytest.approx(2 * (PROMPT_TOKENS + COMPLETION_TOKENS) / 1e6)
    assert ledger.to_json()[0]["messages"][1]["content"] == "How many crimes?"


def test_a_call_is_a_step_of_the_trace(
    model_server: ModelServer, quick_model: Open, run: Run
) -> None:
    model_server.play(fails(500), says("SELECT 1"))
    trace = Trace()
    with trace.active():
        run(quick_model().complete(QUESTION))
    (step,) = trace.steps
    assert step.node == "model"
    assert step.detail["prompt"][1]["content"] == "How many crimes?"
    assert step.detail["reply"]["text"] == "SELECT 1"
    assert [a["outcome"] for a in step.detail["attempts"]] == ["server_error", "ok"]

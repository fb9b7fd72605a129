"""What the model edge makes of each fault of a server, over a real socket."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.draft.model import (
    ContextOverflow,
    Ledger,
    Message,
    Model,
    ModelSettings,
    Reply,
    open_model,
)
from groundwire.draft.model.faults import retry_after
from groundwire.errors import ModelUnavailable, OperatorError, QuotaExhausted
from tests.model_server import (
    ModelServer,
    cuts,
    drips,
    fails,
    has_no_quota,
    limits_rate,
    overflows,
    refuses_parameter,
    says,
    sends,
    stalls,
)

QUESTION = [Message("system", "You write SQL."), Message("user", "How many crimes?")]
Open = Callable[..., Model]
Run = Callable[[Any], Any]


def outcomes(reply: Reply) -> list[str]:
    return [attempt.outcome for attempt in reply.attempts]


@pytest.mark.parametrize(
    ("fault", "outcome"),
    [
        (fails(500), "server_error"),
        (fails(502), "server_error"),
        (fails(503), "server_error"),
        (fails(529, "overloaded"), "server_error"),
        (fails(408), "timeout"),
        (cuts("SELECT count(*) FROM crimes"), "cut"),
        (says("SELECT count(", finish="length"), "cut"),
        (says(""), "empty"),
        (says(" \n"), "empty"),
        (sends('{"id": 1, "choices": [{"mess'), "broken"),
        (sends("[1, 2]"), "broken"),
        (sends('{"choices": null}'), "broken"),
        (sends('{"choices": []}'), "broken"),
        (sends('{"choices": [{"message": "hello"}]}'), "broken"),
        (sends("<html>busy</html>", "text/html"), "broken"),
        (sends('{"error": {"message": "upstream", "code": 502}}'), "server_error"),
        (limits_rate(), "rate_limited"),
        (limits_rate(0.05), "rate_limited"),
        (sends('{"error": {"message": "slow down", "code": 429}}'), "rate_limited"),
    ],
)
def test_a_passing_fault_is_tried_again(
    fault: Any, outcome: str, model_server: ModelServer, quick_model: Open, run: Run
) -> None:
    model_server.play(fault, says("SELECT 1"))
    reply = run(quick_model().complete(QUESTION))
    assert reply.text == "SELECT 1"
    assert outcomes(reply) == [outcome, "ok"]


@pytest.mark.parametrize(
    ("fault", "limit"),
    [(stalls(), "read_timeout"), (stalls(), "call_timeout"), (drips(), "call_timeout")],
)
def test_a_silence_or_a_trickle_ends_at_its_limit(
    fault: Any, limit: str, model_server: ModelServer, quick_model: Open, run: Run
) -> None:
    model_server.play(fault, says("SELECT 1"))
    reply = run(quick_model(**{limit: 1.0}).complete(QUESTION))
    assert outcomes(reply) == ["timeout", "ok"]
    assert reply.attempts[0].seconds >= 0.9


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (fails(500), "failed"),
        (stalls(), "did not answer in time"),
        (cuts("SELECT count(*)"), "cut in the middle"),
        (says(""), "was empty"),
        (sends("{"), "could not be read"),
    ],
)
def test_a_lasting_fault_ends_after_two_further_attempts(
    fault: Any, words: str, model_server: ModelServer, quick_model: Open, run: Run
) -> None:
    model_server.play(fault, fault, fault, says("SELECT 1"))
    with pytest.raises(ModelUnavailable, match=words) as caught:
        run(quick_model(read_timeout=0.3).complete(QUESTION))
    assert len(model_server.requests) == 3
    assert caught.value.code == "MODEL_UNAVAILABLE"
    assert caught.value.who == "operator"
    assert caught.value.hint


def test_faults_of_different_kinds_share_one_budget(
    model_server: ModelServer, quick_model: Open, run: Run
) -> None:
    model_server.play(fails(500), says(""), cuts("SELECT"), says("SELECT 1"))
    with pytest.raises(ModelUnavailable):
        run(quick_model().complete(QUESTION))
    assert len(model_server.requests) == 3


@pytest.mark.parametrize(
    ("fault", "kind", "code"),
    [
        (has_no_quota(429), QuotaExhausted, "QUOTA_EXHAUSTED"),
        (has_no_quota(402), QuotaExhausted, "QUOTA_EXHAUSTED"),
        (fails(402, "Payment required"), QuotaExhausted, "QUOTA_EXHAUSTED"),
        (fails(400, "Your credit balance is too low"), QuotaExhausted, "QUOTA_EXHAUSTED"),
        (fails(401, "Incorrect API key"), OperatorError, "MODEL_ACCESS_DENIED"),
        (fails(403, "No access"), OperatorError, "MODEL_ACCESS_DENIED"),
        (fails(404, "no such model"), OperatorError, "MODEL_NOT_FOUND"),
        (fails(400, "not a chat model"), OperatorError, "MODEL_REFUSED"),
        (overflows(), ContextOverflow, "CONTEXT_OVERFLOW"),
        (fails(413, "too large"), ContextOverflow, "CONTEXT_OVERFLOW"),
        (
            fails(
                400, "the request exceeds the available context size", kind="exceed_context_size"
            ),
            ContextOverflow,
            "CONTEXT_OVERFLOW",
        ),
        (fails(400, "prompt is too long: 9 > 4"), ContextOverflow, "CONTEXT_OVERFLOW"),
    ],
)
def test_a_fault_that_waiting_does_not_mend_ends_at_once(
    fault: Any,
    kind: type[OperatorError],
    code: str,
    model_server: ModelServer,
    quick_model: Open,
    run: Run,
) -> None:
    model_server.play(fault, says("SELECT 1"))
    with pytest.raises(kind) as caught:
        run(quick_model().complete(QUESTION))
    assert type(caught.value) is kind
    assert caught.value.code == code
    assert len(model_server.requests) == 1


def test_an_unknown_model_is_named(model_server: ModelServer, quick_model: Open, run: Run) -> None:
    model_server.play(fails(404, "not found"))
    with pytest.raises(OperatorError, match="openai:test"):
        run(quick_model().complete(QUESTION))


def test_a_key_in_the_servers_words_is_masked(
    model_server: ModelServer, quick_model: Open, run: Run
) -> None:
    model_server.play(fails(401, "Incorrect API key provided: sk-abcdefgh12345678"))
    with pytest.raises(OperatorError) as caught:
        run(quick_model().complete(QUESTION))
    assert "sk-abcdefgh12345678" not in str(caught.value)


def test_no_server_at_the_url(run: Run) -> None:
    with ModelServer() as server:
        url = server.url
    model = open_model(f"openai:test@{url}", ModelSettings(backoff=0.01))
    with pytest.raises(ModelUnavailable, match="No server answers for openai:test"):
        run(model.complete(QUESTION))


# --- rate limits -----------------------------------------------------------------------------


def test_it_waits_as_long_as_the_server_says(
    model_server: ModelServer, quick_model: Open, run: Run
) -> None:
    model_server.play(limits_rate(0.3), says("SELECT 1"))
    reply = run(quick_model(max_wait=5).complete(QUESTION))
    first, second = model_server.times
    assert second - first >= 0.3
    assert reply.attempts[0].waited == pytest.approx(0.3)


def test_it_waits_until_the_date_that_the_server_says(
    model_server: ModelServer, quick_model: Open, run: Run
) -> None:
    model_server.play(limits_rate(2, as_date=True), says("SELECT 1"))
    reply = run(quick_model(max_wait=5).complete(QUESTION))
    # An HTTP date has whole seconds, so up to one of the two is lost.
    assert 0.9 <= reply.attempts[0].waited <= 2
    first, second = model_server.times
    assert second - first >= 0.9


def test_a_long_wait_is_capped(model_server: ModelServer, quick_model: Open, run: Run) -> None:
    model_server.play(limits_rate(3600), says("SELECT 1"))
    started = time.monotonic()
    reply = run(quick_model(max_wait=0.1).complete(QUESTION))
    assert reply.attempts[0].waited == pytest.approx(0.1)
    assert time.monotonic() - started < 30


def test_a_wait_beyond_the_budget_is_not_begun(
    model_server: ModelServer, quick_model: Open, run: Run
) -> None:
    model_server.play(limits_rate(3600), says("SELECT 1"))
    started = time.monotonic()
    with pytest.raises(ModelUnavailable, match="limits the rate"):
        run(quick_model(max_wait=3600, total_timeout=25).complete(QUESTION))
    assert time.monotonic() - started < 25
    assert len(model_server.requests) == 1


def test_without_a_named_wait_the_pause_doubles(
    model_server: ModelServer, quick_model: Open, run: Run
) -> None:
    model_server.play(limits_rate(), limits_rate(), limits_rate(), says("SELECT 1"))
    reply = run(quick_model(backoff=0.04, max_wait=5).complete(QUESTION))
    waits = [attempt.waited for attempt in reply.attempts[:3]]
    for wait, expected in zip(waits, (0.04, 0.08, 0.16), strict=True):
        assert 0.75 * expected <= wait <= 1.25 * expected


def test_rate_limits_have_a_number_of_tries_too(
    model_server: ModelServer, quick_model: Open, run: Run
) -> None:
    model_server.play(*[limits_rate(0)] * 9)
    with pytest.raises(ModelUnavailable, match="limits the rate"):
        run(quick_model(rate_limit_retries=4).complete(QUESTION))
    assert len(model_server.requests) == 5


def test_a_rate_limit_leaves_the_budget_of_other_faults_alone(
    model_server: ModelServer, quick_model: Open, run: Run
) -> None:
    model_server.play(*[limits_rate(0)] * 3, fails(500), fails(500), says("SELECT 1"))
    reply = run(quick_model().complete(QUESTION))
    assert outcomes(reply) == ["rate_limited"] * 3 + ["server_error"] * 2 + ["ok"]


def test_the_whole_call_ends_at_its_total_time(
    model_server: ModelServer, quick_model: Open, run: Run
) -> None:
    model_server.play(*[stalls()] * 9)
    started = time.monotonic()
    with pytest.raises(ModelUnavailable):
        run(quick_model(retries=99, read_timeout=0.3, total_timeout=0.7).complete(QUESTION))
    assert time.monotonic() - started < 10


NOW = datetime(2026, 11, 30, 12, 0, 0, tzinfo=UTC)


@given(st.integers(0, 10**6))
def test_seconds_and_dates_mean_the_same_wait(seconds: int) -> None:
    date = format_datetime(NOW + timedelta(seconds=seconds), usegmt=True)
    assert retry_after({"retry-after": str(seconds)}, NOW) == seconds
    assert retry_after({"retry-after": date}, NOW) == seconds


@given(st.text(max_size=30))
def test_any_text_in_retry_after_is_survived(text: str) -> None:
    wait = retry_after({"retry-after": text}, NOW)
    assert wait is None or wait >= 0


def test_a_wait_in_milliseconds_and_a_date_in_the_past() -> None:
    assert retry_after({"retry-after-ms": "250", "retry-after": "9"}, NOW) == 0.25
    assert retry_after({"retry-after": "Wed, 01 Jan 2020 00:00:00 GMT"}, NOW) == 0
    assert retry_after({}, NOW) is None


# --- what a server does not support ----------------------------------------------------------


def test_a_temperature_that_the_model_refuses_is_left_out_from_then_on(
    model_server: ModelServer, quick_model: Open, run: Run
) -> None:
    model_server.refuses = {"temperature"}
    model_server.play(says("SELECT 1"), says("SELECT 2"))
    model = quick_model()

    async def ask_twice() -> tuple[Reply, Reply]:
        return await model.complete(QUESTION), await model.complete(QUESTION)

    first, second = run(ask_twice())
    assert outcomes(first) == ["refused", "ok"]
    assert "temperature" in first.attempts[0].detail
    assert outcomes(second) == ["ok"]
    assert "temperature" in model_server.requests[0]
    assert "temperature" not in model_server.requests[1] | model_server.requests[2]


def test_leaving_something_out_costs_no_attempt_of_the_budget(
    model_server: ModelServer, quick_model: Open, run: Run
) -> None:
    model_server.play(refuses_parameter("temperature"), fails(500), fails(500), says("SELECT 1"))
    assert run(quick_model().complete(QUESTION)).text == "SELECT 1"


# --- the question's budget -------------------------------------------------------------------


def test_a_failed_call_stands_in_the_ledger_with_its_attempts(
    model_server: ModelServer, quick_model: Open, run: Run
) -> None:
    model_server.play(fails(500), fails(500), fails(500))
    ledger = Ledger()
    with pytest.raises(ModelUnavailable):
        run(quick_model().complete(QUESTION, ledger=ledger))
    (call,) = ledger.calls
    assert call.reply is None
    assert isinstance(call.error, ModelUnavailable)
    assert [attempt.status for attempt in call.attempts] == [500, 500, 500]


def test_a_spent_budget_lets_no_request_out(
    model_server: ModelServer, quick_model: Open, run: Run
) -> None:
    model_server.play(says("SELECT 1"), says("SELECT 2"))
    ledger, model = Ledger(max_calls=1), quick_model()
    run(model.complete(QUESTION, ledger=ledger))
    with pytest.raises(ModelUnavailable, match="budget of 1 calls") as caught:
        run(model.complete(QUESTION, ledger=ledger))
    assert caught.value.code == "MODEL_BUDGET"
    assert len(model_server.requests) == 1

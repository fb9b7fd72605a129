"""The other providers' packages, where they are installed, against their own forms of a reply."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from groundwire.draft.model import Message, Model, open_model
from groundwire.errors import OperatorError, QuotaExhausted
from tests.draft.model.conftest import QUICK
from tests.model_server import ModelServer, Step, fails, has_no_quota, limits_rate, says, sends

QUESTION = [Message("system", "You write SQL."), Message("user", "How many crimes?")]
SCHEMA = {
    "title": "draft",
    "description": "One query.",
    "type": "object",
    "properties": {"query": {"type": "string", "description": "the query"}},
    "required": ["query"],
    "additionalProperties": False,
}
OBJECT = '{"query": "SELECT 1"}'


def as_anthropic(text: str) -> Step:
    usage = {"input_tokens": 11, "output_tokens": 2}
    reply = {"id": "m", "type": "message", "role": "assistant", "model": "x", "usage": usage}
    content = [{"type": "text", "text": text}]
    return sends(json.dumps(reply | {"content": content, "stop_reason": "end_turn"}))


def as_ollama(text: str) -> Step:
    common = {"model": "x", "created_at": "2026-01-01T00:00:00Z"}
    counts = {"prompt_eval_count": 11, "eval_count": 2, "done": True, "done_reason": "stop"}
    lines = [
        common | {"message": {"role": "assistant", "content": text}, "done": False},
        common | {"message": {"role": "assistant", "content": ""}} | counts,
    ]
    return sends("".join(json.dumps(line) + "\n" for line in lines), "application/x-ndjson")


FORMS: dict[str, Callable[[str], Step]] = {
    "anthropic": as_anthropic,
    "groq": says,
    "ollama": as_ollama,
}


@pytest.fixture(params=sorted(FORMS))
def provider(request: pytest.FixtureRequest) -> str:
    """Each provider whose package is installed."""
    package = f"langchain_{request.param}"
    pytest.importorskip(package, reason=f"the extra {request.param!r} is not installed")
    return str(request.param)


@pytest.fixture
def model(provider: str, model_server: ModelServer) -> Model:
    """A model of the provider on the local server."""
    settings = replace(QUICK, url=model_server.url.removesuffix("/v1"), api_key="key")
    return open_model(f"{provider}:x", settings)


def test_a_text_and_an_object_are_read(
    provider: str, model: Model, model_server: ModelServer, run: Any
) -> None:
    model_server.play(FORMS[provider]("SELECT 1"), FORMS[provider](OBJECT))
    plain = run(model.complete(QUESTION))
    assert plain.text == "SELECT 1"
    assert not plain.estimated
    assert run(model.complete(QUESTION, schema=SCHEMA)).parsed == {"query": "SELECT 1"}


def test_a_rate_limit_and_a_5xx_are_waited_out(
    provider: str, model: Model, model_server: ModelServer, run: Any
) -> None:
    model_server.play(limits_rate(0.05), fails(500), FORMS[provider]("SELECT 1"))
    reply = run(model.complete(QUESTION))
    assert [a.outcome for a in reply.attempts] == ["rate_limited", "server_error", "ok"]


@pytest.mark.parametrize(
    ("step", "error"), [(has_no_quota(), QuotaExhausted), (fails(401, "no"), OperatorError)]
)
def test_what_waiting_does_not_mend_ends_at_once(
    step: Step, error: type[Exception], model: Model, model_server: ModelServer, run: Any
) -> None:
    model_server.play(step)
    with pytest.raises(error):
        run(model.complete(QUESTION))
    assert len(model_server.requests) == 1


def test_a_refused_temperature_is_left_out(
    provider: str, model: Model, model_server: ModelServer, run: Any
) -> None:
    refusal = fails(400, "'temperature' is not supported", kind="invalid_request_error")
    model_server.play(refusal, FORMS[provider]("SELECT 1"))
    assert run(model.complete(QUESTION)).text == "SELECT 1"
    assert "temperature" not in json.dumps(model_server.requests[-1]) or provider == "groq"

"""A model server on the loopback, and models that talk to it with short time-outs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import replace
from typing import Any

import pytest

from groundwire.draft.model import Message, Model, ModelSettings, open_model
from tests.model_server import ModelServer, says

# Long enough for a busy machine; tests of time-outs shorten what they test.
QUICK = ModelSettings(
    connect_timeout=10.0,
    read_timeout=20.0,
    call_timeout=20.0,
    total_timeout=30.0,
    backoff=0.01,
    max_wait=0.2,
)


@pytest.fixture(scope="session", autouse=True)
def warm() -> None:
    """Load what the first call loads, so that no short time-out meets it."""
    with ModelServer() as server:
        server.play(says("warm"))
        asyncio.run(open_model(f"openai:test@{server.url}", QUICK).complete([Message("user", "?")]))


@pytest.fixture
def model_server() -> Iterator[ModelServer]:
    """A running server with an empty script."""
    with ModelServer() as server:
        yield server


@pytest.fixture
def quick_model(model_server: ModelServer) -> Callable[..., Model]:
    """Open a model on the server; keyword arguments are settings."""

    def open_quick(**settings: Any) -> Model:
        return open_model(f"openai:test@{model_server.url}", replace(QUICK, **settings))

    return open_quick


@pytest.fixture
def run() -> Callable[[Coroutine[Any, Any, Any]], Any]:
    """Run a coroutine on an event loop of its own, as a command line does."""
    return asyncio.run

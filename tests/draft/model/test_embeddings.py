"""Embeddings of a server: over a real socket, with every fault that it can have."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from groundwire.draft.model import ModelSettings
from groundwire.draft.model.embeddings import ServedEmbedder, open_embedder
from groundwire.errors import (
    GroundwireError,
    ModelUnavailable,
    OperatorError,
    QuotaExhausted,
    UsageError,
)
from groundwire.trace import Trace
from tests.draft.model.conftest import QUICK
from tests.model_server import (
    ModelServer,
    Step,
    cuts,
    embeds,
    fails,
    has_no_quota,
    limits_rate,
    overflows,
    sends,
    stalls,
)

Open = Callable[..., ServedEmbedder]
Run = Callable[[Any], Any]
TEXTS = ["How many orders?", "Who bought most?", "How many orders came?"]


@pytest.fixture
def quick_embedder(
    model_server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Open:
    """Open an embedding on the server; keyword arguments are settings."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def open_quick(**settings: Any) -> ServedEmbedder:
        return open_embedder(f"openai:test@{model_server.url}", replace(QUICK, **settings))

    return open_quick


def test_texts_become_vectors_of_length_one(
    model_server: ModelServer, quick_embedder: Open, run: Run
) -> None:
    model_server.play(embeds(dimensions=64))
    vectors = run(quick_embedder().aembed(TEXTS))
    assert vectors.shape == (3, 64)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1)
    assert vectors[0] @ vectors[2] > vectors[0] @ vectors[1]


def test_the_request_names_the_model_and_asks_for_floats(
    model_server: ModelServer, quick_embedder: Open, run: Run
) -> None:
    model_server.play(embeds())
    run(quick_embedder(api_key="my-key").aembed(TEXTS))
    assert model_server.paths == ["/v1/embeddings"]
    assert model_server.requests == [{"model": "test", "input": TEXTS, "encoding_format": "float"}]
    headers = {name.lower(): value for name, value in model_server.headers[0].items()}
    assert headers["authorization"] == "Bearer my-key"


def test_vectors_are_put_in_the_order_of_the_texts(
    model_server: ModelServer, quick_embedder: Open, run: Run
) -> None:
    model_server.play(embeds(), embeds(reversed_order=True))
    embedder = quick_embedder()
    first, second = run(embedder.aembed(TEXTS)), run(embedder.aembed(TEXTS))
    assert np.array_equal(first, second)


def test_many_texts_are_sent_in_batches(
    model_server: ModelServer, quick_embedder: Open, run: Run
) -> None:
    model_server.play(embeds(), embeds(), embeds())
    vectors = run(quick_embedder().aembed([f"text {n}" for n in range(250)]))
    assert vectors.shape == (250, 64)
    assert [len(request["input"]) for request in model_server.requests] == [100, 100, 50]


def test_a_long_text_is_cut_before_it_is_sent(
    model_server: ModelServer, quick_embedder: Open, run: Run
) -> None:
    model_server.play(embeds())
    run(quick_embedder().aembed(["word " * 10_000]))
    assert len(model_server.requests[0]["input"][0]) == 2_000


NAN = '{"data": [{"index": 0, "embedding": [NaN, 1]}]}'
PASSING: dict[str, Step] = {
    "429 with Retry-After": limits_rate(0.05),
    "429 without": limits_rate(),
    "500": fails(500),
    "503": fails(503),
    "a stall": stalls(),
    "a reply cut in the middle": cuts("a" * 500),
    "no JSON": sends("{not json"),
    "HTML": sends("<html>", "text/html"),
    "no data": sends('{"object": "list"}'),
    "an empty list": sends('{"data": []}'),
    "another shape": sends('{"data": [{"index": 0, "embedding": {"a": 1}}]}'),
    "texts for numbers": sends('{"data": [{"index": 0, "embedding": ["a", "b"]}]}'),
    "an empty vector": sends('{"data": [{"index": 0, "embedding": []}]}'),
    "what is no number": sends(NAN),
    "too few vectors": embeds(missing=1),
    "vectors of other lengths": sends(
        '{"data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": [1, 2]},'
        ' {"index": 2, "embedding": [1]}]}'
    ),
}


@pytest.mark.parametrize("name", PASSING)
def test_a_passing_fault_is_survived(
    name: str, model_server: ModelServer, quick_embedder: Open, run: Run
) -> None:
    model_server.play(PASSING[name], embeds())
    vectors = run(quick_embedder(read_timeout=0.3).aembed(TEXTS))
    assert vectors.shape == (3, 64)
    assert len(model_server.requests) == 2


@pytest.mark.parametrize("name", PASSING)
def test_a_fault_that_stays_is_the_operators_within_the_budget(
    name: str, model_server: ModelServer, quick_embedder: Open, run: Run
) -> None:
    model_server.play(*[PASSING[name]] * 20)
    started = time.monotonic()
    with pytest.raises(ModelUnavailable) as raised:
        run(quick_embedder(read_timeout=0.2, total_timeout=3).aembed(TEXTS))
    assert raised.value.who == "operator"
    assert "openai:test@" in raised.value.message
    assert time.monotonic() - started < 10


@pytest.mark.parametrize(
    ("step", "kind", "code", "part"),
    [
        (fails(401, "bad key sk-abcdefghijklmnop"), OperatorError, "MODEL_ACCESS_DENIED", "401"),
        (fails(404, "no such model"), OperatorError, "MODEL_NOT_FOUND", "404"),
        (fails(400, "not for chat"), OperatorError, "MODEL_REFUSED", "model for embeddings"),
        (has_no_quota(), QuotaExhausted, "QUOTA_EXHAUSTED", "nothing left"),
        (overflows(), ModelUnavailable, "CONTEXT_OVERFLOW", "longer than"),
    ],
)
def test_a_lasting_fault_is_told_at_once(
    step: Step,
    kind: type[GroundwireError],
    code: str,
    part: str,
    model_server: ModelServer,
    quick_embedder: Open,
    run: Run,
) -> None:
    model_server.play(step)
    with pytest.raises(kind) as raised:
        run(quick_embedder().aembed(TEXTS))
    assert raised.value.code == code
    assert part in str(raised.value)
    assert "sk-abcdefghijklmnop" not in str(raised.value)
    assert len(model_server.requests) == 1


def test_vectors_of_another_length_than_before_are_refused(
    model_server: ModelServer, quick_embedder: Open, run: Run
) -> None:
    embedder = quick_embedder()
    model_server.play(embeds(dimensions=64), *[embeds(dimensions=32)] * 3)
    run(embedder.aembed(TEXTS))
    with pytest.raises(ModelUnavailable, match="different lengths came: 32, 64"):
        run(embedder.aembed(TEXTS))


def test_no_server_is_told(quick_embedder: Open, run: Run) -> None:
    embedder = open_embedder("openai:test@http://127.0.0.1:9/v1", replace(QUICK, retries=0))
    with pytest.raises(ModelUnavailable, match="No server answers"):
        run(embedder.aembed(TEXTS))


def test_cancelling_ends_the_request(model_server: ModelServer, quick_embedder: Open) -> None:
    model_server.play(stalls())

    async def cancel() -> None:
        task = asyncio.create_task(quick_embedder().aembed(TEXTS))
        while not model_server.requests:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancel())
    assert model_server.gone_clients.acquire(timeout=10)


def test_attempts_stand_in_the_trace(
    model_server: ModelServer, quick_embedder: Open, run: Run
) -> None:
    model_server.play(fails(500), embeds())
    trace = Trace()
    with trace.active():
        run(quick_embedder().aembed(TEXTS))
    (step,) = trace.to_json()
    assert step["node"] == "embed"
    assert [attempt["outcome"] for attempt in step["detail"]["attempts"]] == ["server_error", "ok"]


# --- the cache -------------------------------------------------------------------------------


def test_a_corpus_is_asked_for_once_on_a_machine(
    model_server: ModelServer, quick_embedder: Open, run: Run
) -> None:
    model_server.play(embeds())
    first = run(quick_embedder().aembed_corpus(TEXTS))
    second = run(quick_embedder().aembed_corpus(TEXTS))
    assert np.array_equal(first, second)
    assert len(model_server.requests) == 1


def test_another_corpus_is_asked_for(
    model_server: ModelServer, quick_embedder: Open, run: Run
) -> None:
    model_server.play(embeds(), embeds())
    run(quick_embedder().aembed_corpus(TEXTS))
    run(quick_embedder().aembed_corpus(TEXTS[::-1]))
    assert len(model_server.requests) == 2


def test_a_broken_cache_is_made_anew(
    model_server: ModelServer, quick_embedder: Open, run: Run, tmp_path: Path
) -> None:
    model_server.play(embeds(), embeds())
    run(quick_embedder().aembed_corpus(TEXTS))
    (kept,) = tmp_path.glob("cache/groundwire/embeddings/*.npy")
    kept.write_bytes(b"\x93NUMPY")
    assert run(quick_embedder().aembed_corpus(TEXTS)).shape == (3, 64)
    assert len(model_server.requests) == 2


def test_a_cache_of_a_former_model_is_made_anew(
    model_server: ModelServer, quick_embedder: Open, run: Run
) -> None:
    model_server.play(embeds(), embeds(dimensions=32), embeds(dimensions=32))
    run(quick_embedder().aembed_corpus(TEXTS))
    embedder = quick_embedder()
    run(embedder.aembed(["Who?"]))
    assert run(embedder.aembed_corpus(TEXTS)).shape == (3, 32)


def test_a_cache_that_cannot_be_written_spoils_nothing(
    model_server: ModelServer,
    quick_embedder: Open,
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    model_server.play(embeds())
    assert run(quick_embedder().aembed_corpus(TEXTS)).shape == (3, 64)


# --- names -----------------------------------------------------------------------------------


def test_a_provider_with_another_protocol_is_refused() -> None:
    with pytest.raises(UsageError, match="'anthropic' are not served"):
        open_embedder("anthropic:claude", ModelSettings())
    with pytest.raises(UsageError, match="not named as provider:name"):
        open_embedder("text-embedding-3-small", ModelSettings())


def test_a_missing_key_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(OperatorError) as raised:
        open_embedder("openai:text-embedding-3-small", ModelSettings())
    assert raised.value.code == "API_KEY_MISSING"


def test_a_password_in_the_url_is_not_in_the_name() -> None:
    embedder = open_embedder("openai:test@http://ann:geheim@127.0.0.1:9/v1", ModelSettings())
    assert "geheim" not in embedder.name

"""`ask --examples`: solved questions and embeddings from the command line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Ran
from tests.model_server import ModelServer, embeds, fails, says

Call = Callable[..., Ran]
QUESTION = "How many customers live in Oslo?"
DRAFT = "SELECT count(*) AS n FROM customers WHERE city = 'Oslo'"
LIKE = {
    "question": "How many customers live in London?",
    "query": "SELECT count(*) FROM customers WHERE city = 'London'",
}
UNLIKE = {"question": "Which ship is longest?", "query": "SELECT name FROM ships"}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ModelServer]:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    monkeypatch.setenv("GROUNDWIRE_MODEL_BACKOFF", "0.01")
    monkeypatch.setenv("GROUNDWIRE_MODEL_TOTAL_TIMEOUT", "5")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with ModelServer() as running:
        yield running


@pytest.fixture
def examples(tmp_path: Path) -> Path:
    path = tmp_path / "examples.jsonl"
    path.write_text("\n".join(map(json.dumps, [UNLIKE, LIKE])), "utf-8")
    return path


def replies() -> list[object]:
    return [says({"query": DRAFT, "assumptions": []}), says("2 customers live in Oslo.")]


def prompt_of(server: ModelServer, call: int) -> str:
    return "\n".join(message["content"] for message in server.requests[call]["messages"])


def test_the_nearest_examples_are_shown_to_the_model(
    groundwire: Call, url: str, server: ModelServer, examples: Path
) -> None:
    server.play(*replies())
    model = f"openai:test@{server.url}"
    ran = groundwire(
        "ask", url, QUESTION, "--model", model, "--examples", str(examples), "--json", "--trace"
    )
    assert ran.code == 0, ran.out
    assert LIKE["question"] in prompt_of(server, 0)
    assert ran.json["cost"]["embeddings"] == 1
    assert '"similarity"' in ran.out


def test_a_servers_embedding_compares_them(
    groundwire: Call, url: str, server: ModelServer, examples: Path
) -> None:
    for asked in (1, 2):
        server.play(embeds(), *([embeds()] if asked == 1 else []), *replies())
        there = f"openai:test@{server.url}"
        ran = groundwire(
            *("ask", url, QUESTION, "--model", there, "--examples", str(examples)),
            *("--embeddings", there, "--json"),
        )
        assert ran.code == 0, ran.out
        assert ran.json["cost"]["embeddings"] == 1
    embedded = [r["input"] for r in server.requests if "input" in r]
    assert embedded == [[QUESTION], [UNLIKE["question"], LIKE["question"]], [QUESTION]]
    assert LIKE["question"] in prompt_of(server, 2)


def test_an_embedding_out_of_order_is_the_operators(
    groundwire: Call, url: str, server: ModelServer, examples: Path
) -> None:
    server.play(*[fails(500)] * 9)
    there = f"openai:test@{server.url}"
    ran = groundwire(
        *("ask", url, QUESTION, "--model", there, "--examples", str(examples)),
        *("--embeddings", there, "--json"),
    )
    assert ran.code == 4
    assert ran.json["error"]["code"] == "MODEL_UNAVAILABLE"
    assert ran.json["error"]["who"] == "operator"
    assert ran.json["cost"]["model_calls"] == 0


def test_the_options_are_settings_of_the_environment_too(
    groundwire: Call,
    url: str,
    server: ModelServer,
    examples: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GROUNDWIRE_EXAMPLES", str(examples))
    monkeypatch.setenv("GROUNDWIRE_EMBEDDINGS", f"openai:test@{server.url}")
    server.play(embeds(), embeds(), *replies())
    ran = groundwire("ask", url, QUESTION, "--model", f"openai:test@{server.url}", "--json")
    assert ran.code == 0, ran.out
    assert LIKE["question"] in prompt_of(server, 2)


def test_examples_of_this_very_database_wait_to_be_asked_for(
    groundwire: Call, url: str, tmp_path: Path
) -> None:
    path = tmp_path / "own.jsonl"
    path.write_text(json.dumps({"question": QUESTION, "query": DRAFT, "database": "shop"}))
    ran = groundwire("ask", url, QUESTION, "--examples", str(path), "--json")
    assert ran.json["drafter"] == "offline"
    ran = groundwire("ask", url, QUESTION, "--examples", str(path), "--own-examples", "--json")
    assert ran.json["drafter"] == "approved"
    assert ran.json["query"] == DRAFT


def test_a_conversation_has_them_too(
    groundwire: Call, url: str, examples: Path, tmp_path: Path
) -> None:
    store = f"sqlite:///{tmp_path / 'sessions.sqlite'}"
    arguments = ("chat", url, "--store", store, "--examples", str(examples))
    ran = groundwire(*arguments, stdin=f"{LIKE['question']}\n\n")
    assert ran.code == 0
    assert "approved query" in " ".join(ran.out.split())


@pytest.mark.parametrize(
    ("content", "part"),
    [
        (None, "does not exist"),
        ('{"question": "a", "query": "b"}\n{"question": "a"}', "line 2: the query is missing"),
        ("", "holds no pair"),
    ],
)
def test_an_unusable_file_is_wrong_usage(
    content: str | None, part: str, groundwire: Call, url: str, tmp_path: Path
) -> None:
    path = tmp_path / "examples.jsonl"
    if content is not None:
        path.write_text(content)
    ran = groundwire("ask", url, QUESTION, "--examples", str(path))
    assert ran.code == 2
    assert part in " ".join(ran.err.split())


def test_an_unknown_embedding_is_wrong_usage(groundwire: Call, url: str) -> None:
    ran = groundwire("ask", url, QUESTION, "--embeddings", "minilm")
    assert ran.code == 2
    assert "provider:name" in ran.err

"""Each fault of a model, played over a real socket, gives the right answer within its budget.

`ask --json` says which: the verdict, the error's code, and who must act next.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from tests.cli.conftest import Ran, groundwire  # noqa: F401 - the fixture
from tests.model_server import (
    ModelServer,
    Step,
    cuts,
    fails,
    has_no_quota,
    limits_rate,
    overflows,
    says,
    sends,
    stalls,
)

GOOD = "SELECT count(*) AS n FROM orders"
OK = [says({"query": GOOD, "assumptions": []}), says("There are 30 orders.")]
REPAIRED = says({"code": "SYN1", "cause": "It was no query.", "query": GOOD})


@dataclass(frozen=True)
class Play:
    """A script of the server, and what `ask --json` says of it."""

    script: list[Step]
    verdict: str
    code: str = ""
    who: str = ""
    calls: int = 2
    exit: int = 0


PLAYS = {
    "a good reply": Play(OK, "admitted"),
    "429 with Retry-After": Play([limits_rate(0.05), *OK], "admitted"),
    "429 without Retry-After": Play([limits_rate(), *OK], "admitted"),
    "429 for ever": Play([limits_rate()] * 20, "failed", "", "operator", 1, 4),
    "no quota": Play([has_no_quota()], "failed", "QUOTA_EXHAUSTED", "operator", 1, 4),
    "500 once": Play([fails(500), *OK], "admitted"),
    "500 for ever": Play([fails(500)] * 10, "failed", "MODEL_UNAVAILABLE", "operator", 1, 4),
    "401": Play([fails(401, "bad key")], "failed", "", "operator", 1, 4),
    "404": Play([fails(404, "no such model")], "failed", "", "operator", 1, 4),
    "a stall": Play([stalls(), *OK], "admitted"),
    "a stall for ever": Play([stalls()] * 5, "failed", "MODEL_UNAVAILABLE", "operator", 1, 4),
    "a reply cut in the middle": Play([cuts(GOOD), *OK], "admitted"),
    "a broken envelope": Play([sends("{not json"), *OK], "admitted"),
    "a fence": Play([says(f"Here you are:\n```sql\n{GOOD};\n```\nDone."), OK[1]], "admitted"),
    "plain text": Play([says(GOOD), OK[1]], "admitted"),
    "prose, then a query": Play([says("There are many."), REPAIRED, OK[1]], "admitted", calls=3),
    "prose twice": Play(
        [says("There are many."), says("Really.")], "failed", "NO_DRAFT", "model", 2, 4
    ),
    "an empty text": Play([says(""), *OK], "admitted"),
    "nothing but empty texts": Play(
        [says("")] * 5, "failed", "MODEL_UNAVAILABLE", "operator", 1, 4
    ),
    "two statements, then one": Play(
        [says("SELECT 1; SELECT 2"), REPAIRED, OK[1]], "admitted", calls=3
    ),
    "two statements twice": Play(
        [says("SELECT 1; SELECT 2"), says("SELECT 1; SELECT 2")],
        "failed",
        "SEVERAL_STATEMENTS",
        "model",
        2,
        4,
    ),
    "a write": Play([says("DELETE FROM orders")], "refused", "NOT_READ_ONLY", "model", 1, 3),
    "wrong schema": Play([says({"sql": GOOD}), OK[1]], "admitted"),
    "INVALID_REQUEST": Play(
        [says("INVALID_REQUEST: no weather here")], "refused", "INVALID_REQUEST", "asker", 1, 3
    ),
    "context overflow once": Play([overflows(), *OK], "admitted", calls=3),
    "an unknown table for ever": Play(
        [says("SELECT * FROM a1"), *[says(f"SELECT * FROM a{i}") for i in (2, 3, 4)]],
        "failed",
        "SCH1",
        "model",
        4,
        4,
    ),
}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    quick = {
        "CONNECT_TIMEOUT": "1",
        "READ_TIMEOUT": "0.4",
        "CALL_TIMEOUT": "1",
        "TOTAL_TIMEOUT": "4",
        "BACKOFF": "0.01",
        "MAX_WAIT": "0.2",
    }
    for name, value in quick.items():
        monkeypatch.setenv(f"GROUNDWIRE_MODEL_{name}", value)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with ModelServer() as running:
        yield running


@pytest.mark.parametrize("name", PLAYS)
def test_each_fault_has_its_outcome(
    name: str,
    server: ModelServer,
    shop_url: str,
    groundwire: Callable[..., Ran],  # noqa: F811
) -> None:
    play = PLAYS[name]
    server.play(*play.script)
    started = time.monotonic()
    model = f"openai:test@{server.url}"
    ran = groundwire("ask", shop_url, "How many orders are there?", "--model", model, "--json")
    answer = ran.json
    assert answer["verdict"] == play.verdict, answer
    assert ran.code == play.exit
    assert answer["cost"]["model_calls"] == play.calls
    assert answer["drafter"] == "openai:test"
    if play.code:
        assert answer["error"]["code"] == play.code
    if play.who:
        assert answer["error"]["who"] == play.who
    if play.verdict == "admitted":
        assert answer["error"] is None
        assert answer["rows"] == [[30]]
        assert "30" in answer["answer"]
    else:
        assert answer["rows"] == []
        assert answer["query"] == ""
        assert answer["cost"]["executions"] == 0
    assert time.monotonic() - started < 20

"""A model that cannot be called from here: prompts out, replies in, until nothing is pending."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundwire.bench.runs.folder import RunFolder
from tests.bench.conftest import Ran
from tests.bench.runs.conftest import CASES, Shop

Bench = Callable[..., Ran]
GOLDS = {question: gold for _, question, gold in CASES}


@pytest.fixture
def run(shop: Shop, bench: Bench) -> Path:
    """A run whose prompts wait."""
    path = shop.folder / "run"
    ran = bench("run", shop.file, "--model", "openai:far", "--batch", "--to", path)
    assert ran.code == 0
    assert "3 prompts have no reply" in ran.err
    return path


def exported(bench: Bench, run: Path, to: Path) -> list[dict[str, Any]]:
    ran = bench("export", run, "--to", to)
    assert ran.code == 0, ran.err
    return [json.loads(line) for line in to.read_text("utf-8").splitlines()]


def answered(request: dict[str, Any], text: str, **usage: int) -> dict[str, Any]:
    choice = {"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    body = {"choices": [choice], "usage": usage}
    return {
        "custom_id": request["custom_id"],
        "response": {"status_code": 200, "body": body},
        "error": None,
    }


def test_requests_have_the_form_of_a_batch(bench: Bench, run: Path, tmp_path: Path) -> None:
    requests = exported(bench, run, tmp_path / "out.jsonl")
    assert len({request["custom_id"] for request in requests}) == 3
    for request in requests:
        assert (request["method"], request["url"]) == ("POST", "/v1/chat/completions")
        body = request["body"]
        assert (body["model"], body["temperature"]) == ("far", 0.0)
        assert body["response_format"]["json_schema"]["name"] == "draft"
        assert {message["role"] for message in body["messages"]} <= {"system", "user"}


def test_rounds_of_export_and_import_end_the_run(bench: Bench, run: Path, shop: Shop) -> None:
    """The first drafts name a table that is not there; their repairs are a second round."""
    out, replies = shop.folder / "out.jsonl", shop.folder / "in.jsonl"
    drafts = exported(bench, run, out)
    bad = json.dumps({"query": "SELECT x FROM nowhere", "assumptions": []})
    shop.write(
        "in.jsonl", [answered(one, bad, prompt_tokens=9, completion_tokens=2) for one in drafts]
    )
    assert "3 new replies" in bench("import", run, replies).out
    repairs = exported(bench, run, out)
    assert len(repairs) == 3
    assert all("nowhere" in json.dumps(one) for one in repairs)
    good = [
        answered(one, json.dumps({"code": "SCH1", "cause": "none", "query": _gold(one)}))
        for one in repairs
    ]
    shop.write("in.jsonl", good)
    bench("import", run, replies)
    assert exported(bench, run, out) == []
    records = RunFolder.open(run).records
    assert [(record.outcome, record.right) for record in records] == [("repaired", True)] * 3
    assert records[0].cost["prompt_tokens"] > 9


def _gold(request: dict[str, Any]) -> str:
    text = json.dumps(request["body"]["messages"])
    return next(gold for question, gold in GOLDS.items() if question in text)


def test_a_reply_that_cannot_be_used_is_said_and_stays_pending(
    bench: Bench, run: Path, shop: Shop
) -> None:
    out, replies = shop.folder / "out.jsonl", shop.folder / "in.jsonl"
    first, second, third = exported(bench, run, out)
    cut = answered(second, "SELECT")
    cut["response"]["body"]["choices"][0]["finish_reason"] = "length"
    lines: list[Any] = [
        {"custom_id": first["custom_id"], "response": None, "error": {"message": "expired"}},
        cut,
        answered(third, json.dumps({"query": _gold(third), "assumptions": []})),
        {"custom_id": "somebody else's", "response": {"body": {"choices": []}}},
        "no object",
    ]
    shop.write("in.jsonl", lines)
    ran = bench("import", run, replies)
    assert "1 new replies" in ran.out or "1 new reply" in ran.out
    assert ran.err.count("Not used") == 4
    assert "expired" in ran.err
    assert len(exported(bench, run, out)) == 2


def test_reading_the_same_replies_twice_changes_nothing(
    bench: Bench, run: Path, shop: Shop
) -> None:
    requests = exported(bench, run, shop.folder / "out.jsonl")
    text = json.dumps({"query": "SELECT 1", "assumptions": []})
    replies = shop.write("in.jsonl", [answered(one, text) for one in requests])
    bench("import", run, replies)
    assert "0 new replies" in bench("import", run, replies).out


def test_nothing_can_be_imported_before_it_was_exported(
    bench: Bench, run: Path, shop: Shop
) -> None:
    ran = bench("import", run, shop.write("in.jsonl", []))
    assert ran.code == 2
    assert "Export them first" in ran.err

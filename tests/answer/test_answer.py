"""The one JSON form of an answer, and its cost."""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal

from groundwire.answer.answer import Answer, Cost
from groundwire.errors import QueryTimeout
from groundwire.guard.findings import Choice, Evidence, Finding
from groundwire.trace import Trace
from tests.answer.judged import table

KEYS = [
    "question", "standalone_question", "language", "dialect", "verdict", "drafter", "draft",
    "query", "answer", "columns", "rows", "row_count", "truncated", "findings", "choices",
    "unchecked", "error", "cost",
]  # fmt: skip


def test_the_json_has_exactly_the_contract_s_keys() -> None:
    answer = Answer("How many?", "admitted", "The count is 3.", result=table(["n"], [[3]]))
    assert list(answer.to_json()) == KEYS
    assert list(answer.to_json(trace=True)) == [*KEYS, "trace"]


def test_an_answer_is_told_whole() -> None:
    trace = Trace()
    trace.note("run", "ran it")
    finding = Finding("ENT1", "spelling", "fault", (3, 5), "no theft", (Evidence("it is THEFT"),))
    answer = Answer(
        "and last year?",
        "repaired",
        "The count is 3.",
        standalone_question="How many thefts last year?",
        dialect="duckdb",
        drafter="openai:x",
        draft="SELECT 1",
        query="SELECT 2",
        result=table(["d", "n"], [[date(2024, 7, 1), Decimal("1.50")]], cut=True),
        findings=(finding,),
        cost=Cost(model_calls=1, seconds=0.5),
        trace=trace,
    )
    told = json.loads(json.dumps(answer.to_json(trace=True), allow_nan=False))
    assert told["standalone_question"] == "How many thefts last year?"
    assert told["verdict"] == "repaired"
    assert told["rows"] == [["2024-07-01", 1.5]]
    assert (told["row_count"], told["truncated"]) == (1, True)
    assert told["findings"][0]["evidence"][0]["sentence"] == "it is THEFT"
    assert told["cost"]["model_calls"] == 1
    assert told["trace"][0]["node"] == "run"
    assert answer.answered


def test_a_question_that_stands_alone_is_its_own_standalone_question() -> None:
    assert Answer("How many?", "failed", "").to_json()["standalone_question"] == "How many?"


def test_a_failed_answer_has_no_rows_and_says_who_must_act() -> None:
    error = QueryTimeout("It took over 30 s.", hint="Ask for less.")
    told = Answer("How many?", "failed", "Stopped.", error=error).to_json()
    assert (told["columns"], told["rows"], told["row_count"]) == ([], [], 0)
    assert told["error"]["who"] == "model"


def test_choices_are_told_with_their_queries() -> None:
    answer = Answer("q", "asked", "Which?", choices=(Choice("by year", "SELECT 1"),))
    assert answer.to_json()["choices"] == [{"label": "by year", "query": "SELECT 1"}]
    assert not answer.answered


def test_what_was_not_checked_is_told() -> None:
    answer = Answer("q", "admitted", "3.", unchecked=("fan_out", "join_keys"))
    assert json.loads(json.dumps(answer.to_json()))["unchecked"] == ["fan_out", "join_keys"]


def test_costs_add() -> None:
    total = Cost(model_calls=1, seconds=0.25) + Cost(probes=2, seconds=0.5)
    assert total == Cost(model_calls=1, probes=2, seconds=0.75)
    assert list(total.to_json()) == [
        "model_calls", "prompt_tokens", "completion_tokens", "embeddings", "probes",
        "executions", "seconds",
    ]  # fmt: skip

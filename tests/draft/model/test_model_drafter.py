"""A draft and a repair through a model: each kind of reply has its outcome."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from groundwire.database.catalog import Catalog, Column, Table
from groundwire.draft.model import (
    ContextOverflow,
    Ledger,
    Model,
    ModelDrafter,
    ModelSettings,
    ScriptedModel,
)
from groundwire.draft.prompt import DraftRequest, Failure
from groundwire.errors import DraftError, ModelUnavailable, NotUnderstood, QueryError
from groundwire.guard.taxonomy import TAXONOMY
from tests.model_server import ModelServer, cuts, overflows, says, sends

TABLES = tuple(
    Table("main", f"t{n}", "table", tuple(Column(f"c{k}", "text") for k in range(20)))
    for n in range(80)
)
REQUEST = DraftRequest(
    "How many crimes?",
    Catalog("duckdb", TABLES, ("main",), "ignore"),
    datetime(2026, 11, 30, tzinfo=UTC),
)
Open = Callable[..., Model]
Run = Callable[[Any], Any]


@pytest.mark.parametrize(
    ("reply", "query"),
    [
        ({"query": "SELECT 1", "assumptions": []}, "SELECT 1"),
        ({"query": "```sql\nSELECT 1;\n```", "assumptions": []}, "SELECT 1"),
        ({"sql": "SELECT 1"}, "SELECT 1"),
        ("SELECT 1", "SELECT 1"),
        ("```sql\nSELECT 1;\n```", "SELECT 1"),
        ("Sure! Here it is:\n\nSELECT 1;\n\nIt counts.", "SELECT 1"),
        ("DROP TABLE crimes;", "DROP TABLE crimes"),
    ],
)
def test_a_reply_with_one_statement_is_a_draft(
    reply: Any, query: str, model_server: ModelServer, quick_model: Open, run: Run
) -> None:
    model_server.play(says(reply))
    draft = run(ModelDrafter(quick_model()).adraft(REQUEST))
    assert draft.text == query
    assert draft.drafter == "openai:test"


@pytest.mark.parametrize(
    ("step", "error", "words"),
    [
        (says("There are 42 crimes."), DraftError, "no query"),
        (says("SELECT 1; SELECT 2"), DraftError, "2 different statements"),
        (says("```sql\nSELECT 1\n```\n```sql\nSELECT 2\n```"), DraftError, "2 different"),
        (says({"foo": 1}), DraftError, "no query"),
        (says({"query": "", "assumptions": []}), DraftError, "no query"),
        (says("INVALID_REQUEST: no weather"), NotUnderstood, '"no weather"'),
        (says({"query": "INVALID_REQUEST: none", "assumptions": []}), NotUnderstood, '"none"'),
        (says(""), ModelUnavailable, "empty"),
        (sends('{"choices": ['), ModelUnavailable, "could not be read"),
        (cuts("SELECT count(*) FROM crimes"), ModelUnavailable, "cut"),
    ],
)
def test_any_other_reply_is_an_error_in_words(
    step: Any,
    error: type[Exception],
    words: str,
    model_server: ModelServer,
    quick_model: Open,
    run: Run,
) -> None:
    model_server.play(step, step, step)
    with pytest.raises(error, match=words):
        run(ModelDrafter(quick_model()).adraft(REQUEST))


def test_assumptions_stand_beside_the_draft(run: Run) -> None:
    said = {
        "query": "SELECT 1",
        "assumptions": ["Night is\n22 to 6.", " ", "b", "c", "d", "e", "f"],
    }
    draft = run(ModelDrafter(ScriptedModel([said])).adraft(REQUEST))
    assert draft.assumptions == ("Night is 22 to 6.", "b", "c", "d", "e")


def test_the_papers_prompts_ask_for_the_query_in_words(
    model_server: ModelServer, quick_model: Open, run: Run
) -> None:
    model_server.play(says("SELECT 1"))
    run(ModelDrafter(quick_model()).adraft(replace(REQUEST, configuration="paper-v1")))
    assert "response_format" not in model_server.requests[0]
    assert "LIMIT 10" in model_server.requests[0]["messages"][0]["content"]


def test_a_prompt_that_is_too_long_is_cut_and_asked_again(
    model_server: ModelServer, quick_model: Open, run: Run
) -> None:
    model_server.play(overflows(), overflows(), says("SELECT 1"))
    ledger = Ledger()
    draft = run(ModelDrafter(quick_model()).adraft(REQUEST, ledger=ledger))
    assert draft.text == "SELECT 1"
    lengths = [len(request["messages"][-1]["content"]) for request in model_server.requests]
    assert lengths[0] > lengths[1] > lengths[2]
    assert len(ledger.calls) == 3


def test_a_prompt_that_never_fits_is_given_up(
    model_server: ModelServer, quick_model: Open, run: Run
) -> None:
    model_server.play(*[overflows()] * 9)
    with pytest.raises(ContextOverflow):
        run(ModelDrafter(quick_model()).adraft(REQUEST))
    assert len(model_server.requests) == 3


def test_the_prompt_keeps_to_the_setting(run: Run) -> None:
    model = ScriptedModel(["SELECT 1"], settings=ModelSettings(prompt_tokens=1200))
    run(ModelDrafter(model).adraft(REQUEST))
    assert sum(len(message.content) for message in model.prompts[0]) <= 4 * 1200


# --- repair ----------------------------------------------------------------------------------

FAILED = Failure("SELECT nam FROM t1", QueryError("no column nam", code="42703"))


def test_a_repair_has_code_cause_and_a_new_draft(
    model_server: ModelServer, quick_model: Open, run: Run
) -> None:
    said = {"code": "SCH3", "cause": "The column is c1.", "query": "SELECT c1 FROM t1;"}
    model_server.play(says(said))
    repaired = run(ModelDrafter(quick_model()).arepair(REQUEST, FAILED))
    assert (repaired.code, repaired.cause) == ("SCH3", "The column is c1.")
    assert repaired.draft.text == "SELECT c1 FROM t1"


def test_a_repair_in_words_alone_has_no_code(
    model_server: ModelServer, quick_model: Open, run: Run
) -> None:
    model_server.play(says("```sql\nSELECT c1 FROM t1\n```"))
    repaired = run(ModelDrafter(quick_model()).arepair(REQUEST, FAILED))
    assert (repaired.code, repaired.cause, repaired.draft.text) == ("", "", "SELECT c1 FROM t1")


def test_a_code_that_is_none_is_not_taken(
    model_server: ModelServer, quick_model: Open, run: Run
) -> None:
    model_server.play(says({"code": "XYZ9", "cause": "?", "query": "SELECT c1 FROM t1"}))
    repaired = run(ModelDrafter(quick_model()).arepair(REQUEST, FAILED))
    assert (repaired.code, repaired.draft.text) == ("", "SELECT c1 FROM t1")


def test_a_repair_prompt_holds_what_is_known(run: Run) -> None:
    model = ScriptedModel([{"code": "ENT1", "cause": "c", "query": "SELECT 1"}])
    failure = Failure("SELECT 'x'", empty=True, notes=["'x' is stored as 'X' in t1.c1."])
    run(ModelDrafter(model).arepair(REQUEST, failure))
    system, user = (message.content for message in model.prompts[0])
    assert all(f"- {code} " in system for code in TAXONOMY)
    assert len(TAXONOMY) == 32
    assert "The query that failed, as a JSON string: \"SELECT 'x'\"" in user
    assert "it ran and returned no rows" in user
    assert "'x' is stored as 'X' in t1.c1." in user
    assert "How many crimes?" in user


def test_a_repair_prompt_gives_the_servers_error(run: Run) -> None:
    model = ScriptedModel([{"code": "SCH3", "cause": "c", "query": "SELECT 1"}])
    run(ModelDrafter(model).arepair(REQUEST, FAILED))
    assert 'it failed (42703): "no column nam"' in model.prompts[0][1].content

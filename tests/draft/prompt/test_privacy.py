"""Schema-only: no stored value reaches a model, by any way into a prompt."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import pytest

from groundwire import connect
from groundwire.database import SqlDatabase
from groundwire.database.graph_catalog import GraphCatalog, Label, Property
from groundwire.draft.model import ModelDrafter, ScriptedModel
from groundwire.draft.prompt import (
    CONFIGURATIONS,
    DraftRequest,
    Exemplar,
    Failure,
    draft_prompt,
    repair_prompt,
)
from groundwire.draft.prompts.dialogue import rewrite_prompt
from groundwire.draft.values import ValueIndex
from groundwire.errors import QueryError
from groundwire.guard.findings import Evidence, Finding
from tests.draft.prompt.test_prompt import KNOWLEDGE

SENTINEL = "Zquolbrix"
NOW = datetime(2026, 11, 30, tzinfo=UTC)
QUESTION = "How many customers are called zquolbrix or live there?"


@pytest.fixture
def database(tmp_path: Path) -> Any:
    """A database in which the sentinel is stored wherever a value can be."""
    path = tmp_path / "private.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(f"CREATE TYPE kind AS ENUM ('{SENTINEL}', 'plain')")
        connection.execute("CREATE TABLE customers (id INTEGER, name TEXT, kind kind)")
        connection.execute(f"INSERT INTO customers VALUES (1, '{SENTINEL}', '{SENTINEL}')")
    with connect(f"duckdb:///{path}") as connected:
        yield connected


def request(database: SqlDatabase, schema_only: bool, **changes: Any) -> DraftRequest:
    defaults: dict[str, Any] = {
        "values": ValueIndex.build(database),
        "exemplars": (Exemplar(f"Who is {SENTINEL}?", f"SELECT '{SENTINEL}'"),),
        "schema_only": schema_only,
    }
    return DraftRequest(QUESTION, database.catalog(), NOW, **{**defaults, **changes})


def failure() -> Failure:
    """A failure whose error, finding, evidence and note all quote the sentinel."""
    stored = f"'{SENTINEL}' is stored"
    finding = Finding(
        "ENT1",
        "literal",
        "fault",
        (0, 1),
        f"The value “zquolbrix” is spelled '{SENTINEL}'.",
        (Evidence(f"The column holds {SENTINEL} once.", "SELECT 1", SENTINEL),),
    )
    error = QueryError(f'could not read "{SENTINEL}" as a number', hint=f"near '{SENTINEL}'")
    return Failure("SELECT name::INTEGER FROM customers", error, findings=[finding], notes=[stored])


def written(prompt: Any) -> str:
    return "\n".join(message.content for message in getattr(prompt, "messages", prompt))


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_a_draft_prompt_holds_no_stored_value(database: Any, configuration: str) -> None:
    prompt = draft_prompt(request(database, True, configuration=configuration))
    assert SENTINEL not in written(prompt)
    assert "kind" in written(prompt), "the schema is there"


def test_a_repair_prompt_holds_no_stored_value(database: Any) -> None:
    prompt = written(repair_prompt(request(database, True), failure()))
    assert SENTINEL not in prompt
    assert "could not read" in prompt
    assert "ENT1" in prompt


def test_without_the_mode_the_same_prompts_do_hold_it(database: Any) -> None:
    assert written(draft_prompt(request(database, False))).count(SENTINEL) >= 4
    assert written(repair_prompt(request(database, False), failure())).count(SENTINEL) >= 5


def test_names_that_a_message_quotes_stay_readable(database: Any) -> None:
    error = QueryError('column "nam" does not exist, perhaps "name"')
    failed = Failure("SELECT nam FROM customers", error)
    prompt = written(repair_prompt(request(database, True), failed))
    assert r"column \"nam\" does not exist, perhaps \"name\"" in prompt


def test_the_whole_drafter_sends_none(database: Any) -> None:
    model = ScriptedModel(["SELECT 1", {"code": "ENT1", "cause": "spelling", "query": "SELECT 2"}])
    drafter, asked = ModelDrafter(model), request(database, True)

    async def draft_and_repair() -> None:
        await drafter.adraft(asked)
        await drafter.arepair(asked, failure())

    asyncio.run(draft_and_repair())
    assert len(model.prompts) == 2
    assert not any(SENTINEL in written(prompt) for prompt in model.prompts)


def test_synonyms_that_name_a_stored_value_are_left_out(database: Any) -> None:
    knowledge = KNOWLEDGE.__class__(
        tables={},
        columns={},
        column_synonyms={},
        value_synonyms={"customers": (("customers.name", SENTINEL),)},
    )
    assert SENTINEL in written(
        draft_prompt(request(database, False, knowledge=knowledge, exemplars=(), values=None))
    )
    assert SENTINEL not in written(draft_prompt(request(database, True, knowledge=knowledge)))


def test_a_graphs_sampled_values_are_left_out() -> None:
    name = Property("name", ("STRING",), values=((SENTINEL, 3),))
    catalog = GraphCatalog("neo4j", (Label("Person", 3, (name,)),), ())
    for schema_only, there in ((True, False), (False, True)):
        asked = DraftRequest(QUESTION, catalog, NOW, schema_only=schema_only)
        assert (SENTINEL in written(draft_prompt(asked))) is there


def test_a_rewrite_sends_questions_but_no_answers() -> None:
    turn = {"question": "Who?", "standalone_question": "Who buys most?", "sentence": SENTINEL}
    prompt = written(rewrite_prompt([turn], "and least?"))
    assert SENTINEL not in prompt
    assert "Who buys most?" in prompt

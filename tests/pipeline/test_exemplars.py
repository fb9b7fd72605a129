"""Solved questions on their way into a prompt, in both languages, and approved queries."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

import groundwire
from groundwire import Answer, Database, Exemplars, Options, Settings
from groundwire.database.graph_demo import demo_graph
from groundwire.database.graph_load import load_graph
from groundwire.draft.model import ScriptedModel
from groundwire.draft.solved import Exemplar
from groundwire.packs.chicago.loading import load
from groundwire.packs.chicago.synthetic import generate
from tests.draft.prompt.test_injection import ORDERS, attacks

GOOD = "SELECT count(*) AS n FROM orders"
SQL_PAIRS = (
    Exemplar("How many orders came from Oslo?", "SELECT count(*) FROM orders WHERE city = 'Oslo'"),
    Exemplar("What is the largest total of an order?", "SELECT max(total) FROM orders", id="T1"),
    Exemplar("Which city ordered most?", "SELECT city FROM orders"),
    Exemplar("Who wrote the book?", "SELECT author FROM books"),
)
CYPHER_PAIRS = (
    Exemplar(
        "How many people know Ann?",
        "MATCH (:Person {name: 'Ann'})<-[:KNOWS]-(p) RETURN count(DISTINCT p)",
        "films",
        "cypher",
    ),
    Exemplar("Which towns are there?", "MATCH (t:Town) RETURN t.name", "", "cypher"),
)


@pytest.fixture(scope="module")
def people_url(tmp_path_factory: pytest.TempPathFactory) -> str:
    url = f"kglite:///{tmp_path_factory.mktemp('graph') / 'people.kgl'}"
    nodes, relationships = demo_graph(40)
    load_graph(nodes, relationships, url)
    return url


@pytest.fixture
def people(people_url: str) -> Iterator[Database]:
    with groundwire.connect(people_url) as database:
        yield database


def ask(
    database: Database,
    question: str,
    pairs: tuple[Exemplar, ...],
    *script: Any,
    own: bool = False,
    **options: Any,
) -> tuple[Answer, str]:
    """The answer, and the first prompt."""
    model = ScriptedModel(list(script))
    chosen = Options(exemplars=Exemplars(pairs, own=own), **options)
    answer = groundwire.ask(database, question, model, options=chosen)
    prompt = model.prompts[0] if model.prompts else []
    return answer, "\n".join(message.content for message in prompt)


def step(answer: Answer, node: str) -> dict[str, Any] | None:
    assert answer.trace is not None
    return next((one.detail for one in answer.trace.walk() if one.node == node), None)


def test_the_nearest_three_stand_in_the_prompt_for_sql(shop: Database) -> None:
    answer, prompt = ask(shop, "How many orders came from Bergen?", SQL_PAIRS, GOOD, "30.")
    assert answer.answered
    assert "query: \"SELECT count(*) FROM orders WHERE city = 'Oslo'\"" in prompt
    assert "books" not in prompt.partition("Solved questions")[2]


def test_they_stand_in_the_prompt_for_cypher(people: Database) -> None:
    draft = "MATCH (p:Person) RETURN count(p) AS n"
    pairs = (*SQL_PAIRS, *CYPHER_PAIRS)
    answer, prompt = ask(people, "How many people know Bea?", pairs, draft, "40.")
    assert answer.answered
    assert 'question: "How many people know Ann?"' in prompt
    assert "[:KNOWS]-(p) RETURN count(DISTINCT p)" in prompt.replace("\\u003c", "<")
    assert "FROM orders" not in prompt


def test_the_trace_says_which_and_how_near(shop: Database) -> None:
    answer, _ = ask(shop, "What is the biggest total of an order?", SQL_PAIRS, GOOD, "30.")
    detail = step(answer, "exemplars")
    assert detail is not None
    first = detail["nearest"][0]
    assert first["id"] == "T1"
    assert first["question"] == "What is the largest total of an order?"
    assert 0.5 < first["similarity"] < 1


def test_one_look_up_is_paid_for_a_question_whatever_becomes_of_it(shop: Database) -> None:
    wrong = [{"code": f"SCH{i}", "cause": "x", "query": f"SELECT {i} FROM no"} for i in (1, 2, 3)]
    answer, _ = ask(shop, "How many orders?", SQL_PAIRS, "SELECT 0 FROM no", *wrong)
    assert answer.outcome == "failed"
    assert answer.cost.embeddings == 1


def test_without_pairs_nothing_is_looked_up(shop: Database) -> None:
    answer, _ = ask(shop, "How many orders?", (), GOOD, "30.")
    assert answer.cost.embeddings == 0


def test_with_schema_only_no_pair_is_shown_or_looked_for(shop: Database) -> None:
    answer, prompt = ask(shop, "How many orders?", SQL_PAIRS, GOOD, schema_only=True)
    assert "Solved questions" not in prompt
    assert answer.cost.embeddings == 0


@pytest.mark.parametrize("language", ["sql", "cypher"])
def test_pairs_of_the_database_under_test_are_left_out_unless_asked_for(
    language: str, shop: Database, people: Database
) -> None:
    database, name, draft = (
        (shop, "shop", GOOD) if language == "sql" else (people, "people", "MATCH (n) RETURN 1")
    )
    pairs = (Exemplar("How many are there now?", "NOTED", name, language),)
    assert "NOTED" not in ask(database, "How many are there?", pairs, draft, "x")[1]
    assert "NOTED" in ask(database, "How many are there?", pairs, draft, "x", own=True)[1]


def test_a_pair_that_names_something_excluded_is_not_shown(shop_url: str) -> None:
    with groundwire.connect(shop_url, Settings(exclude=("orders.city",))) as database:
        _, prompt = ask(database, "How many orders came from Bergen?", SQL_PAIRS, GOOD, "30.")
    assert "city" not in prompt
    assert "SELECT max(total) FROM orders" in prompt


def test_a_pair_that_names_an_excluded_label_is_not_shown(people_url: str) -> None:
    draft = "MATCH (p:Person) RETURN count(p) AS n"
    with groundwire.connect(people_url, Settings(exclude=("Town",))) as database:
        _, prompt = ask(database, "Which people are there?", CYPHER_PAIRS, draft, "40.")
    assert "Town" not in prompt
    assert "How many people know Ann?" in prompt


@pytest.mark.parametrize("language", ["sql", "cypher"])
def test_an_order_in_a_pair_is_quoted_as_data(
    language: str, shop: Database, people: Database
) -> None:
    database, draft = (
        (shop, GOOD) if language == "sql" else (people, "MATCH (p:Person) RETURN count(p) AS n")
    )
    for order in [*ORDERS, *attacks()[::10]]:
        pair = Exemplar(f"How many are there? {order}", order, "", language)
        _, prompt = ask(database, "How many are there?", (pair,), draft, "x")
        data = prompt.rpartition("<data>\n")[2]
        assert data.count("</data>") == 1
        assert "Solved questions" in data.partition("</data>")[0] or len(order) > 2_000
        for line in order.splitlines():
            if len(line.split()) > 3:
                assert line not in prompt.splitlines()


# --- approved queries ------------------------------------------------------------------------


def test_the_very_question_gets_its_approved_query_without_a_model(shop: Database) -> None:
    answer, prompt = ask(shop, "what is the largest total of an order", SQL_PAIRS, "290 it is.")
    assert answer.query == "SELECT max(total) FROM orders"
    assert answer.drafter == "approved"
    assert answer.result is not None
    assert answer.result.rows == ((290,),)
    assert any("approved query" in sentence for sentence in answer.assumptions)
    assert "one SQL" not in prompt, "the model was asked for the sentence alone"
    assert answer.cost.embeddings == 0


def test_it_does_so_offline_too(shop: Database) -> None:
    options = Options(exemplars=Exemplars(SQL_PAIRS))
    answer = groundwire.ask(shop, "What is the largest total of an order?", options=options)
    assert answer.drafter == "approved"
    assert answer.answered


def test_an_approved_query_passes_the_guard_like_any_other(shop: Database) -> None:
    pairs = (Exemplar("Away with it!", "DELETE FROM orders"),)
    answer, _ = ask(shop, "Away with it!", pairs)
    assert answer.outcome == "refused"
    assert shop.execute("SELECT count(*) FROM orders").rows == ((30,),)


def test_an_approved_query_that_no_longer_holds_goes_to_the_model(shop: Database) -> None:
    pairs = (Exemplar("How many bills?", "SELECT count(*) FROM bills"),)
    again = {"code": "SCH1", "cause": "No such table.", "query": GOOD}
    answer, _ = ask(shop, "How many bills?", pairs, again, "There are 30 orders.")
    assert answer.query == GOOD
    assert answer.drafter == "scripted:model"


def test_a_pack_brings_its_own(tmp_path: Path) -> None:
    generate(500, 7, tmp_path / "crimes.csv", today=date(2026, 11, 1))
    url = f"duckdb:///{tmp_path / 'crimes.duckdb'}"
    load(tmp_path / "crimes.csv", url)
    model = ScriptedModel(["SELECT count(*) AS n FROM crimes", "500."])
    answer = groundwire.ask(url, "How many carjackings were there in 2019?", model)
    prompt = "\n".join(message.content for message in model.prompts[0])
    assert 'question: "How many carjackings were reported in 2021?"' in prompt
    assert answer.cost.embeddings == 1
    approved = groundwire.ask(url, "When was the most recent arson?")
    assert approved.drafter == "approved"
    assert json.loads(json.dumps(approved.to_json()))["query"].startswith("SELECT MAX(DATE)")

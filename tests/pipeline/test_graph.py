"""The pipeline on a graph: drafted by a scripted model, checked, run and worded."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import groundwire
from groundwire import Database
from groundwire.database.graph_demo import demo_graph
from groundwire.database.graph_load import load_graph
from groundwire.draft.model import ScriptedModel


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    url = f"kglite:///{tmp_path_factory.mktemp('graph') / 'people.kgl'}"
    nodes, relationships = demo_graph(40)
    load_graph(nodes, relationships, url)
    with groundwire.connect(url) as database:
        yield database


def ask(people: Database, *script: object, question: str = "How many?") -> groundwire.Answer:
    return groundwire.ask(people, question, ScriptedModel(list(script)))  # type: ignore[arg-type]


def test_a_good_draft_is_answered(people: Database) -> None:
    answer = ask(people, "MATCH (p:Person) RETURN count(p) AS people", "There are 40 people.")
    assert answer.outcome == "admitted"
    assert answer.language == "cypher"
    assert answer.sentence == "There are 40 people."


def test_a_doubled_count_is_repaired_before_it_is_run(people: Database) -> None:
    draft = "MATCH (:Person)-[:MARRIED_TO]-(:Person) RETURN count(*) AS n"
    answer = ask(people, draft, "x")
    assert answer.outcome == "repaired"
    assert [finding.code for finding in answer.findings] == ["DIR3"]
    stored = people.execute("MATCH ()-[:MARRIED_TO]->() RETURN count(*) AS n").rows
    assert answer.result is not None
    assert answer.result.rows == stored


def test_a_value_that_is_not_stored_goes_back_with_those_that_are(people: Database) -> None:
    wrong = "MATCH (t:Town) WHERE t.name STARTS WITH 'Harbor' RETURN t.region"
    right = wrong.replace("Harbor", "Harbour")
    model = ScriptedModel([wrong, {"code": "ENT1", "cause": "Spelling.", "query": right}, "x"])
    answer = groundwire.ask(people, "Where is Harbor?", model)
    assert answer.query == right
    prompt = "\n".join(message.content for message in model.prompts[1])
    assert "'Harbor' is not stored as Town.name" in prompt


def test_a_write_is_refused(people: Database) -> None:
    answer = ask(people, "MATCH (n) DETACH DELETE n")
    assert answer.outcome == "refused"
    assert people.execute("MATCH (n) RETURN count(n) AS n").rows[0][0] > 0


def test_the_prompt_names_labels_types_and_directions(people: Database) -> None:
    model = ScriptedModel(["MATCH (p:Person) RETURN count(p) AS n", "x"])
    groundwire.ask(people, "How many people live in Ostra?", model)
    prompt = "\n".join(message.content for message in model.prompts[0])
    for part in ("Person", "LIVES_IN", "Town", "name", "kglite"):
        assert part in prompt


def test_without_a_model_simple_questions_are_answered(people: Database) -> None:
    answer = groundwire.ask(people, "How many people live in Ostra?")
    assert answer.outcome == "admitted"
    assert answer.drafter == "offline"
    assert answer.result is not None
    counted = people.execute(
        "MATCH (p:Person)-[:LIVES_IN]->(t:Town) WHERE t.name = 'Ostra' RETURN count(p) AS n"
    )
    assert answer.result.rows == counted.rows

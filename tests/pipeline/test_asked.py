"""A draft with several readings is not run and not sent back: the person chooses."""

from __future__ import annotations

import groundwire
from groundwire import Answer
from groundwire.database import Database
from groundwire.draft.model import ScriptedModel
from tests.conftest import NewDatabase

DRAFT = "SELECT count(*) AS n FROM parks WHERE kind = 'Garden'"


def ask(database: Database, *script: str) -> Answer:
    return groundwire.ask(database, "How many gardens?", ScriptedModel(list(script)))


def parks(new: NewDatabase) -> Database:
    new.fill(
        "CREATE TABLE parks (id integer, kind text)",
        "INSERT INTO parks VALUES (1, 'garden'), (2, 'GARDEN'), (3, 'wood')",
    )
    return new.connect()


def test_the_person_is_asked_and_the_model_is_not(new_database: NewDatabase) -> None:
    with parks(new_database) as database:
        answer = ask(database, DRAFT)
    assert answer.outcome == "asked"
    assert answer.result is None
    assert answer.query == ""
    assert answer.cost.model_calls == 1
    assert answer.cost.executions == 0


def test_the_choices_are_told_in_words(new_database: NewDatabase) -> None:
    with parks(new_database) as database:
        answer = ask(database, DRAFT)
    assert "parks.kind is 'GARDEN' or 'garden'" in answer.sentence
    assert answer.to_json()["verdict"] == "asked"
    assert len(answer.to_json()["choices"]) == 3


def test_a_spelling_that_stands_out_needs_no_question(new_database: NewDatabase) -> None:
    with parks(new_database) as database:
        answer = ask(database, DRAFT.replace("Garden", "Wood"), "There is 1 wood.")
    assert answer.outcome == "repaired"
    assert answer.result is not None
    assert answer.result.rows == ((1,),)

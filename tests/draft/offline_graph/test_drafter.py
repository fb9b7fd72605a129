"""What the drafter for graphs does beyond the fixture pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from groundwire.database import connect
from groundwire.database.graph import GraphDatabase
from groundwire.draft.offline_graph import OfflineGraphDrafter
from groundwire.draft.offline_graph.verbs import root
from groundwire.draft.offline_graph.write_cypher import literal, spelt
from groundwire.errors import NotUnderstood
from groundwire.query import cypher
from tests.graph_fixtures import NewGraph, edge, make_graph, node

Rows = list[dict[str, Any]]
Load = Callable[[Rows, Rows], GraphDatabase]
DRAFTER = OfflineGraphDrafter(today=date(2026, 7, 1))


@pytest.fixture
def load(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Load]:
    """Makes a graph on the embedded engine."""
    opened: list[GraphDatabase] = []

    def loaded(nodes: Rows, relationships: Rows) -> GraphDatabase:
        new: NewGraph = make_graph("kglite", request, tmp_path)
        assert new.load(nodes, relationships).rejected == ()
        opened.append(new.connect())
        return opened[-1]

    yield loaded
    for database in opened:
        database.close()


def rows(graph: GraphDatabase, question: str) -> list[tuple[Any, ...]]:
    return sorted(graph.execute(DRAFTER.draft(question, graph).text).rows)


def test_a_name_with_quotes_and_a_name_in_another_case_are_found(load: Load) -> None:
    graph = load([node(1, "Person", name="Ó'Brien \\ Sons"), node(2, "Person", name="ann LEE"),
                  node(3, "Town", name="Ayr")],
                 [edge(1, "LIVES_IN", 3), edge(2, "LIVES_IN", 3)])  # fmt: skip
    assert rows(graph, "Where does Ó'Brien \\ Sons live?") == [("Ayr",)]
    assert rows(graph, "Where does Ann Lee live?") == [("Ayr",)]


def test_names_with_odd_signs_stand_in_back_ticks(load: Load) -> None:
    rep = {"id": 1, "labels": ["Sales Rep"], "properties": {"full name": "Ann"}}
    graph = load([rep, node(2, "Order", id=7)],
                 [edge(1, "PLACED", 2)])  # fmt: skip
    draft = DRAFTER.draft("Which orders did Ann place?", graph)
    assert "(s:`Sales Rep`)" in draft.text
    assert "s.`full name` = 'Ann'" in draft.text
    assert "(o:`Order`)" in draft.text
    assert cypher.parse(draft.text).ok


def test_a_marriage_stored_once_is_seen_from_both_sides(load: Load) -> None:
    graph = load([node(1, "Person", name="Ann"), node(2, "Person", name="Bob"),
                  node(3, "Person", name="Cid")], [edge(1, "MARRIED_TO", 2)])  # fmt: skip
    assert rows(graph, "Who is Ann married to?") == [("Bob",)]
    assert rows(graph, "Who is Bob married to?") == [("Ann",)]
    assert rows(graph, "people without a spouse") == [("Cid",)]


def test_two_entities_of_one_name_are_two(load: Load) -> None:
    graph = load([node(1, "Person", name="Ann"), node(2, "Person", name="Ann"),
                  node(3, "Town", name="Ayr")],
                 [edge(1, "LIVES_IN", 3), edge(1, "LIVES_IN", 3),
                  edge(2, "LIVES_IN", 3)])  # fmt: skip
    assert rows(graph, "Who lives in Ayr?") == [("Ann",), ("Ann",)]
    assert rows(graph, "How many people live in Ayr?") == [(2,)]
    assert rows(graph, "Which town has the most people?") == [("Ayr", 2)]


def test_a_given_name_and_a_family_name_belong_together(load: Load) -> None:
    graph = load([node(1, "Employee", firstName="Ann", lastName="Lee", title="Clerk"),
                  node(2, "Company", name="Acme")], [edge(1, "WORKS_AT", 2)])  # fmt: skip
    assert rows(graph, "Who works at Acme?") == [("Ann", "Lee")]
    assert rows(graph, "Which employee works at the most companies?") == [("Ann Lee", 1)]


def test_a_passive_type_is_read_by_its_grammar(load: Load) -> None:
    graph = load([node(1, "Person", name="Ann"), node(2, "Person", name="Bob")],
                 [edge(1, "MANAGED_BY", 2)])  # fmt: skip
    assert rows(graph, "Who manages Ann?") == [("Bob",)]
    assert rows(graph, "Who is managed by Bob?") == [("Ann",)]
    assert rows(graph, "Who does Bob manage?") == [("Ann",)]


def test_a_passive_type_without_an_object_is_passive(load: Load) -> None:
    graph = load([node(1, "Person", name="Ann"), node(2, "Person", name="Bob")],
                 [edge(1, "MANAGED_BY", 2)])  # fmt: skip
    assert rows(graph, "people who are managed") == [("Ann",)]
    assert rows(graph, "people who manage") == [("Bob",)]


def test_one_label_at_both_ends_needs_a_verb(load: Load) -> None:
    graph = load([node(1, "Person", name="Ann"), node(2, "Person", name="Bob")],
                 [edge(1, "PARENT", 2)])  # fmt: skip
    with pytest.raises(NotUnderstood):
        DRAFTER.draft("people of Ann", graph)


def test_a_value_on_the_thing_itself_goes_before_one_behind_a_relation(load: Load) -> None:
    graph = load([node(1, "Customer", name="Ann", city="Ayr"),
                  node(2, "Customer", name="Bob", city="Oban"),
                  node(3, "Order", id=7, shipCity="Ayr")], [edge(2, "PLACED", 3)])  # fmt: skip
    assert rows(graph, "customers from Ayr") == [("Ann",)]


def test_a_value_behind_a_guessed_relation_is_not_guessed_too(load: Load) -> None:
    graph = load([node(1, "Customer", name="Ann"), node(3, "Order", id=7, shipCity="Ayr")],
                 [edge(1, "PLACED", 3)])  # fmt: skip
    with pytest.raises(NotUnderstood):
        DRAFTER.draft("customers in Ayr", graph)


def test_a_guessed_relation_is_said(load: Load) -> None:
    graph = load([node(1, "Person", name="Ann"), node(3, "Town", name="Ayr")],
                 [edge(1, "LIVES_IN", 3)])  # fmt: skip
    draft = DRAFTER.draft("people in Ayr", graph)
    assert "LIVES_IN, the only type" in draft.assumptions[0]
    assert DRAFTER.draft("people living in Ayr", graph).assumptions == ()


def test_a_decline_says_what_was_understood_and_what_was_not(load: Load) -> None:
    graph = load([node(1, "Person", name="Ann"), node(3, "Town", name="Ayr")],
                 [edge(1, "LIVES_IN", 3)])  # fmt: skip
    with pytest.raises(NotUnderstood) as caught:
        DRAFTER.draft("Which people in Ayr juggle?", graph)
    assert "“people” (Person)" in str(caught.value)
    assert "“Ayr” (a name of Town)" in str(caught.value)
    assert "Not understood: “juggle”." in str(caught.value)
    assert caught.value.hint


def test_few_probes_whose_values_are_parameters(
    load: Load, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = load([node(1, "Person", name="Ann", nick="a"), node(3, "Town", name="Ayr")],
                 [edge(1, "LIVES_IN", 3)])  # fmt: skip
    graph.catalog()
    asked: list[tuple[str, Any]] = []
    run = graph.execute

    def counted(statement: str, parameters: Any = None, **limits: Any) -> Any:
        asked.append((statement, parameters))
        return run(statement, parameters, **limits)

    monkeypatch.setattr(graph, "execute", counted)
    with pytest.raises(NotUnderstood):
        DRAFTER.draft("Who lives in Zyx' OR 1=1?", graph)
    assert 1 <= len(asked) <= 4
    assert all("Zyx" not in statement and parameters for statement, parameters in asked)


@pytest.mark.parametrize(
    "question", ["", "?", "谁导演了这部电影", "a " * 60, "'", "who", "how many"]
)
def test_what_is_no_question_is_declined(load: Load, question: str) -> None:
    graph = load([node(1, "Person", name="Ann")], [])
    with pytest.raises(NotUnderstood):
        DRAFTER.draft(question, graph)


@pytest.mark.parametrize("part", ["people who know someone ", "who know people and ", "Ann "])
def test_a_long_tangle_is_declined_at_once(load: Load, part: str) -> None:
    graph = load([node(1, "Person", name="Ann"), node(2, "Person", name="Bob")],
                 [edge(1, "KNOWS", 2)])  # fmt: skip
    with pytest.raises(NotUnderstood):
        DRAFTER.draft("people " + part * (48 // len(part.split())), graph)


def test_a_table_database_is_not_for_this_drafter() -> None:
    with connect("sqlite://") as database, pytest.raises(NotUnderstood):
        DRAFTER.draft("How many people are there?", database)


VERBS = """act acted acting acts; direct directed directs directing; marry married marries;
live lived lives living; write wrote written; pass passed passes passing; stop stopped stopping;
manage managed manages managing"""


@pytest.mark.parametrize("forms", VERBS.split(";"))
def test_all_forms_of_a_verb_have_one_root(forms: str) -> None:
    assert len({root(form) for form in forms.split()}) == 1


def test_literals_and_names_are_written_as_cypher_reads_them() -> None:
    assert literal("it's \\ \n") == "'it\\'s \\\\ \\n'"
    assert literal(date(2020, 1, 2)) == "date('2020-01-02')"
    assert literal(True) == "true"
    assert spelt("name") == "name"
    assert spelt("Order") == "`Order`"
    assert spelt("a`b") == "`a``b`"

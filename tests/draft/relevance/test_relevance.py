"""Only a clear miss is turned away, and never a question that the database could answer."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.database.base import SqlDatabase
from groundwire.draft import relevance
from groundwire.draft.relevance import Relevance, check_relevance
from groundwire.draft.values import ValueIndex
from groundwire.errors import ConnectionLost
from groundwire.packs.chicago.questions import load_questions
from groundwire.packs.pack import Pack
from tests.conftest import NewDatabase, new_file
from tests.draft.relevance.conftest import labelled
from tests.graph_fixtures import NewGraph, edge, node

HALVES = ("calibration", "held_out")


@pytest.fixture(autouse=True)
def _embedder(request: pytest.FixtureRequest) -> None:
    if "without_embedder" not in request.fixturenames:
        pytest.importorskip("wordllama", reason="the extra `embed` is not installed")


@pytest.fixture
def without_embedder(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the extra `embed` were not installed."""
    monkeypatch.setattr(relevance, "default_embedder", lambda: None)


def judge_all(questions: list[str], chicago: SqlDatabase, pack: Pack) -> list[str]:
    """The questions that are turned away."""
    return [q for q in questions if not check_relevance(q, chicago, pack).is_relevant]


@pytest.mark.parametrize("half", HALVES)
def test_at_most_one_percent_of_the_in_domain_wordings_is_turned_away(
    half: str, chicago: SqlDatabase, pack: Pack
) -> None:
    questions = labelled(f"{half}/in_domain.txt")
    away = judge_all(questions, chicago, pack)
    assert len(away) <= len(questions) / 100, away


@pytest.mark.parametrize("half", HALVES)
def test_more_than_half_of_the_off_topic_questions_is_turned_away(
    half: str, chicago: SqlDatabase, pack: Pack
) -> None:
    questions = labelled(f"{half}/off_topic.txt")
    assert len(judge_all(questions, chicago, pack)) > len(questions) / 2


@pytest.mark.parametrize("label", ["in_domain", "off_topic"])
def test_the_labelled_lists_are_large_and_share_no_question(label: str) -> None:
    questions = [q for half in HALVES for q in labelled(f"{half}/{label}.txt")]
    assert len(questions) >= 150
    assert len({q.casefold() for q in questions}) == len(questions)


def test_every_question_of_the_pack_goes_on(chicago: SqlDatabase, pack: Pack) -> None:
    questions = [entry.question for entry in load_questions()]
    assert judge_all(questions, chicago, pack) == []


def test_no_labelled_question_is_an_example_of_the_pack(pack: Pack) -> None:
    known = {question.casefold() for question in (*pack.questions, *pack.off_topic)}
    asked = {q.casefold() for half in HALVES for q in labelled(f"{half}/in_domain.txt")}
    assert not known & asked


def test_orders_that_speak_of_the_database_are_left_to_the_guard(
    chicago: SqlDatabase, pack: Pack
) -> None:
    assert judge_all(labelled("goes_on.txt"), chicago, pack) == []


@pytest.mark.parametrize(
    "question",
    [
        "Which blocks had burglaries?",
        "what is the distribution of crimes by ward",
        "What is the median number of thefts?",
    ],
)
def test_a_name_of_the_database_is_enough_without_comparing(
    question: str, chicago: SqlDatabase, pack: Pack, without_embedder: None
) -> None:
    assert check_relevance(question, chicago, pack).path == "words"


@pytest.mark.parametrize("question", ["robberys", "how many homocides", "burglry by distrct"])
def test_a_typing_error_in_a_name_is_forgiven(
    question: str, chicago: SqlDatabase, pack: Pack, without_embedder: None
) -> None:
    assert check_relevance(question, chicago, pack).path == "words"


def test_a_name_does_not_save_a_wish_for_something_else(chicago: SqlDatabase, pack: Pack) -> None:
    judged = check_relevance("Write me a poem about crime", chicago, pack)
    assert (judged.is_relevant, judged.path) == (False, "similarity")


def test_a_wish_in_words_that_asks_for_data_goes_on(chicago: SqlDatabase, pack: Pack) -> None:
    assert check_relevance("Write a list of thefts per ward", chicago, pack).is_relevant


@pytest.mark.parametrize(
    "question", ["Wie viele Morde gab es?", "去年有多少起抢劫案？", "Cuántos robos hubo en 2020"]
)
def test_another_language_is_a_doubt(question: str, chicago: SqlDatabase, pack: Pack) -> None:
    judged = check_relevance(question, chicago, pack)
    assert judged.is_relevant
    assert judged.path in {"doubt", "words"}


@pytest.mark.parametrize("question", ["and in 2019?", "only at night", "what about the others?"])
def test_a_follow_up_is_a_doubt(question: str, chicago: SqlDatabase, pack: Pack) -> None:
    assert check_relevance(question, chicago, pack).is_relevant


def test_without_a_pack_nothing_is_turned_away(chicago: SqlDatabase) -> None:
    judged = check_relevance("Write a poem about spring.", chicago, None)
    assert (judged.is_relevant, judged.path) == (True, "doubt")


def test_without_an_embedder_nothing_is_turned_away(
    chicago: SqlDatabase, pack: Pack, without_embedder: None
) -> None:
    judged = check_relevance("Write a poem about spring.", chicago, pack)
    assert (judged.is_relevant, judged.path) == (True, "doubt")


def test_a_stored_value_is_a_name_once_the_index_is_built(
    tmp_path_factory: pytest.TempPathFactory, pack: Pack
) -> None:
    new: NewDatabase = new_file("duckdb", tmp_path_factory.mktemp("values"))
    new.fill("CREATE TABLE gadget (maker TEXT)", "INSERT INTO gadget VALUES ('Zyxwell')")
    database = new.connect()
    question = "When did Zyxwell last come up in what they made?"
    assert check_relevance(question, database, pack).path != "words"
    ValueIndex.build(database)
    assert check_relevance(question, database, pack).path == "words"
    database.close()


def test_the_catalogs_own_names_count(tmp_path_factory: pytest.TempPathFactory, pack: Pack) -> None:
    new: NewDatabase = new_file("duckdb", tmp_path_factory.mktemp("names"))
    new.fill("CREATE TABLE spare_wheel (rimDiameter INTEGER)")
    database = new.connect()
    for question in ("any spare wheels there?", "what of the rim diameter then?"):
        assert check_relevance(question, database, pack).path == "words"
    database.close()


@pytest.mark.parametrize("graph_engine", ["kglite"], indirect=False)
def test_a_graphs_names_count(new_graph: NewGraph, graph_engine: str, pack: Pack) -> None:
    new_graph.load(
        [node(1, "SpareWheel", rimDiameter=17), node(2, "Axle")], [edge(1, "MOUNTED_ON", 2)]
    )
    graph = new_graph.connect()
    for question in (
        "any spare wheels there?",
        "what is mounted on those?",
        "what of the rim diameter then?",
    ):
        assert check_relevance(question, graph, pack).path == "words"
    graph.close()


def test_a_catalog_that_cannot_be_read_is_a_doubt(
    chicago: SqlDatabase, pack: Pack, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails() -> None:
        raise ConnectionLost("The server went away.")

    monkeypatch.setattr(chicago, "catalog", fails)
    judged = check_relevance("Write a poem about spring.", chicago, pack)
    assert (judged.is_relevant, judged.path) == (True, "doubt")


def test_another_pack_is_not_judged_with_the_names_of_the_first(
    chicago: SqlDatabase, pack: Pack
) -> None:
    question = "How are the flumps distributed?"
    other = replace(pack, column_synonyms={"flump": "CRIMES.WARD"})
    assert check_relevance(question, chicago, pack).path != "words"
    assert check_relevance(question, chicago, other).path == "words"


def test_a_refusal_says_what_can_be_asked(chicago: SqlDatabase, pack: Pack) -> None:
    error = check_relevance("What is the capital of Illinois?", chicago, pack).error()
    assert error.code == "OFF_TOPIC"
    assert all(question in error.hint for question in pack.questions[:3])


def test_the_trace_of_a_judgement_is_short() -> None:
    judged = Relevance(True, "words", "It names 'theft'.", 0.123456, ("How many?",))
    assert judged.to_json() == {
        "is_relevant": True,
        "path": "words",
        "reason": "It names 'theft'.",
        "score": 0.1235,
    }


@given(st.text(max_size=200))
def test_any_text_is_judged(chicago: SqlDatabase, pack: Pack, text: str) -> None:
    judged = check_relevance(text, chicago, pack)
    assert judged.is_relevant or judged.path == "similarity"

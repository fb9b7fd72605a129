"""Each set in the form in which it is published (`published/`, a few lines each, written by us)."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from groundwire.bench.case import Case, Malformed
from groundwire.bench.datasets import DATASETS, dataset
from groundwire.errors import UsageError

PUBLISHED = Path(__file__).parent / "published"


def load(name: str, *path: str) -> list[Case | Malformed]:
    return DATASETS[name].load(PUBLISHED.joinpath(*path))


def cases(loaded: list[Case | Malformed]) -> list[Case]:
    return [case for case in loaded if isinstance(case, Case)]


def reasons(loaded: list[Case | Malformed]) -> list[tuple[int, str, str, str]]:
    return [
        (line.number, line.id, line.kind, line.reason)
        for line in loaded
        if isinstance(line, Malformed)
    ]


def fields(case: Case) -> dict[str, Any]:
    """What differs from a case of SQL without anything else."""
    plain = Case(case.id, case.database, "sql", case.question, case.queries)
    return {key: value for key, value in case.to_json().items() if plain.to_json()[key] != value}


def test_cypherbench() -> None:
    loaded = load("cypherbench", "cypherbench")
    first, second = cases(loaded)
    assert (first.id, first.database) == ("q-1", "zoo")
    assert first.question == "Which animals live in the north cage?"
    assert first.queries[0].startswith("MATCH (n:Animal)-[r0:livesIn]->")
    assert fields(first) == {"language": "cypher", "tags": ["basic_(n)-(m0*)", "n_name"]}
    assert second.order_matters is True
    assert reasons(loaded) == [
        (3, "q-3", "malformed", '"nl_question" must be a text'),
        (4, "", "malformed", "an object is expected"),
    ]


def test_neo4j_text2cypher() -> None:
    loaded = load("neo4j-text2cypher", "neo4j-text2cypher")
    first, second = cases(loaded)
    assert (first.id, first.database) == ("instance_id_7", "films")
    assert first.queries == ("MATCH (f:Film {year: 1999}) RETURN f.title",)
    assert fields(first) == {"language": "cypher", "tags": ["neo4jLabs_synthetic_gpt4o"]}
    assert second.database == "", "no database was published for it"
    assert reasons(loaded) == [
        (6, "instance_id_9", "malformed", '"question" must be a text'),
        (7, "", "malformed", "it has 3 cells, the header 6"),
    ]


def test_neo4j_text2cypher_as_parquet_and_as_json_lines(tmp_path: Path) -> None:
    import duckdb

    source = str(PUBLISHED / "neo4j-text2cypher" / "test.csv")
    (tmp_path / "data").mkdir()
    rows = f"SELECT * FROM read_csv('{source}', ignore_errors = true) WHERE question IS NOT NULL"
    duckdb.execute(f"COPY ({rows}) TO '{tmp_path}/data/test-00000-of-00001.parquet'")
    duckdb.execute(f"COPY ({rows}) TO '{tmp_path}/lines.json'")
    expected = cases(load("neo4j-text2cypher", "neo4j-text2cypher"))
    assert DATASETS["neo4j-text2cypher"].load(tmp_path) == expected
    assert DATASETS["neo4j-text2cypher"].load(tmp_path / "lines.json") == expected


def test_neo4j_text2cypher_is_asked_on_the_demo_server() -> None:
    where = DATASETS["neo4j-text2cypher"].where(PUBLISHED)
    assert where.replace("{database}", "films") == (
        "neo4j+s://films:films@demo.neo4jlabs.com:7687/films"
    )


def test_mind_the_query() -> None:
    (case,) = cases(load("mind-the-query", "mind-the-query"))
    assert (case.id, case.database) == ("zoo_chunk_1_Simple_Retrieval_0", "zoo")
    assert fields(case) == {"language": "cypher", "tier": "Simple_Retrieval"}


def test_what_people_judged_wrong_in_mind_the_query_is_no_case() -> None:
    loaded = load("mind-the-query", "mind-the-query", "Complex_Retrieval_manual_validation.json")
    assert [case.tags for case in cases(loaded)] == [("judged right",), ()]
    assert reasons(loaded) == [
        (
            1,
            "zoo_1_Complex_Retrieval_0",
            "judged_wrong",
            "a person judged its gold wrong: one lion is enough for it",
        )
    ]


def test_zograscope() -> None:
    (case,) = cases(load("zograscope", "zograscope"))
    assert (case.id, case.database) == ("41", "pole")
    assert case.queries[0].startswith('MATCH (x0:Officer WHERE x0.name = "Ann")\nRETURN')
    assert fields(case) == {"language": "cypher", "tier": "1 nodes", "tags": ["count", "iid"]}


def test_spider() -> None:
    first, second, third = cases(load("spider", "spider"))
    assert (first.id, second.id, third.id) == ("0", "1", "2")
    assert (first.database, first.queries) == ("pets", ("SELECT count(*) FROM pet",))
    assert second.order_matters is True
    assert third.order_matters is False, "an ORDER BY that serves a LIMIT is no wish for an order"


def test_spider_in_postgresql_lacks_some_golds(tmp_path: Path) -> None:
    lines = [
        {"idx": 7, "db_id": "pets", "question": "?", "gold_sqlite": "SELECT 1", "gold_pg": None},
        {"idx": 9, "db_id": "pets", "question": "?", "gold_sqlite": "a", "gold_pg": "SELECT 2"},
    ]
    file = tmp_path / "dev_questions.jsonl.gz"
    file.write_bytes(gzip.compress("\n".join(map(json.dumps, lines)).encode()))
    loaded = DATASETS["spider-postgres"].load(tmp_path)
    assert [(case.id, case.queries) for case in cases(loaded)] == [("9", ("SELECT 2",))]
    assert reasons(loaded) == [(1, "7", "no_gold", "it has no gold query")]
    assert [case.id for case in cases(DATASETS["spider"].load(tmp_path))] == ["7", "9"]


def test_bird() -> None:
    loaded = load("bird", "bird")
    first, second = cases(loaded)
    assert first.question == "What is the rate of returns?\nrate = returned / sold"
    assert (first.id, first.database, first.tier) == ("5", "shop", "simple")
    assert (second.question, second.tier) == ("Name the shops.", "challenging")
    assert reasons(loaded) == [(3, "5", "duplicate_id", "the id 5 stands twice")]


def test_bird_mini_dev_in_each_dialect() -> None:
    (sqlite,) = cases(load("bird-mini-dev", "mini-dev"))
    (postgres,) = cases(load("bird-mini-dev-postgres", "mini-dev"))
    assert sqlite.queries == ("SELECT STRFTIME('%Y', opened) FROM shop",)
    assert postgres.queries == ("SELECT EXTRACT(YEAR FROM opened) FROM shop",)
    assert sqlite.order_matters is False, "the words of the evidence ask for nothing"


def test_kaggle_dbqa_without_its_parts() -> None:
    loaded = load("kaggle-dbqa", "kaggle-dbqa")
    assert [case.id for case in cases(loaded)] == ["Plants-0", "Plants-1"]
    assert reasons(loaded) == []
    part = load("kaggle-dbqa", "kaggle-dbqa", "examples", "Plants_test.json")
    assert [case.id for case in cases(part)] == ["Plants_test-0"]


def test_defog() -> None:
    loaded = cases(load("defog", "defog"))
    visits, ordered, instructed, unanswerable = loaded
    assert [case.id for case in loaded] == [
        "questions_gen_postgres-0",
        "questions_gen_postgres-1",
        "instruct_basic_postgres-0",
        "idk-0",
    ]
    joined = "FROM animal a JOIN visit v ON v.animal = a.id GROUP BY"
    assert visits.queries == (
        f"SELECT a.id, a.name, count(*) AS n {joined} a.id, a.name",
        f"SELECT a.id, count(*) AS n {joined} a.id",
        f"SELECT a.name, count(*) AS n {joined} a.name",
        "SELECT a.name, v.n FROM animal a, visits v WHERE v.word = ';{x}'",
    )
    assert visits.tags == ("questions_gen_postgres", "group_by")
    assert ordered.order_matters is True
    assert instructed.question == "What is the AAA?\nAAA = average age of animals"
    assert unanswerable.question == "What is the meaning of life?"
    assert (unanswerable.answerable, unanswerable.queries) == (False, ())


def test_ones_own_as_csv() -> None:
    loaded = load("own", "own")
    first, second, third, sixth = cases(loaded)
    assert first.queries == ("SELECT count(*) FROM animal", "SELECT count(id) FROM animal")
    assert fields(first) == {"tier": "easy", "tags": ["count", "animals"]}
    assert second.order_matters == ("age", "name")
    assert (third.answerable, third.queries) == (False, ())
    assert (sixth.id, sixth.order_matters) == ("6", False)
    assert reasons(loaded) == [
        (5, "4", "malformed", '"language" must be sql or cypher'),
        (6, "5", "malformed", '"answerable" must be true or false'),
        (8, "7", "no_gold", "it has no gold query"),
        (9, "", "malformed", '"id" must be a text or a number'),
    ]


def test_ones_own_as_json_lines() -> None:
    loaded = load("own", "own", "more.jsonl")
    first, second = cases(loaded)
    assert first.order_matters == ("age",)
    assert second.order_matters is False, "the line of a case says so by saying nothing"
    assert [(number, id) for number, id, _, _ in reasons(loaded)] == [(4, "3"), (5, "4"), (6, "")]
    assert reasons(loaded)[2][3].startswith("it is not JSON: ")


def test_chicago() -> None:
    loaded = {case.id: case for case in cases(DATASETS["chicago"].load(Path()))}
    assert len(loaded) == 100
    assert loaded["E01"].queries == ("SELECT COUNT(*) AS crimes FROM CRIMES",)
    whole, without_count = loaded["E03"].queries
    assert without_count == f"SELECT district FROM ({whole}) AS answer"
    ordered = [case for case in loaded.values() if case.order_matters]
    assert ordered
    assert all(isinstance(case.order_matters, tuple) for case in ordered)
    assert {case.tier for case in loaded.values()} == {"easy", "medium", "hard"}


def test_the_examples_that_drafters_are_shown_are_a_set_of_their_own() -> None:
    shown = cases(DATASETS["chicago-solved"].load(Path()))
    asked = {case.question for case in cases(DATASETS["chicago"].load(Path()))}
    assert shown
    assert not asked & {case.question for case in shown}


@pytest.mark.parametrize("name", DATASETS)
def test_every_set_says_what_it_is(name: str) -> None:
    known = DATASETS[name]
    assert known.name == name
    assert all((known.title, known.needs, known.source, known.licence))
    assert known.databases or known.prepared, "where are its databases?"


@pytest.mark.parametrize("name", [name for name in DATASETS if not name.startswith("chicago")])
def test_what_is_not_there_is_told_with_what_is_needed(name: str, tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(UsageError) as error:
            DATASETS[name].load(folder)
        assert str(folder) in error.value.message
        assert DATASETS[name].needs in error.value.hint


def test_there_is_no_set_of_an_unknown_name() -> None:
    assert dataset("spider") is DATASETS["spider"]
    with pytest.raises(UsageError, match="no data set 'spyder'"):
        dataset("spyder")


def test_databases_are_looked_for_beside_the_questions(tmp_path: Path) -> None:
    spider = DATASETS["spider"]
    assert spider.where(tmp_path) == ""
    (tmp_path / "sqlite").mkdir()
    assert spider.where(tmp_path) == str(tmp_path / "sqlite")
    (tmp_path / "database").mkdir()
    (tmp_path / "dev.json").write_text("[]")
    assert spider.where(tmp_path / "dev.json") == str(tmp_path / "database")

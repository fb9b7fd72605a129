"""The pack's solved questions: each is one of its example questions, and its query holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from groundwire.database import SqlDatabase, connect
from groundwire.draft.exemplars import same_question
from groundwire.draft.solved import Exemplar
from groundwire.guard import Guard
from groundwire.packs.chicago.loading import load
from groundwire.packs.chicago.questions import load_questions
from groundwire.packs.chicago.synthetic import generate
from groundwire.packs.pack import load_pack, pack_for
from tests.postgres_server import PostgresServer

pytestmark = pytest.mark.xdist_group("chicago-solved")
SOLVED = load_pack("chicago").solved


@pytest.fixture(scope="module")
def export(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("solved") / "crimes.csv"
    generate(4_000, 7, file, today=date(2026, 11, 1))
    return file


@pytest.fixture(scope="module", params=["duckdb", "postgres"])
def crimes(
    request: pytest.FixtureRequest, export: Path, postgres_server: PostgresServer
) -> Iterator[SqlDatabase]:
    url = f"duckdb:///{export.with_suffix('.duckdb')}"
    if request.param == "postgres":
        url = postgres_server.create_database()
    load(export, url)
    with connect(url) as database:
        assert isinstance(database, SqlDatabase)
        yield database
    if request.param == "postgres":
        postgres_server.drop_database(url)


def test_they_are_example_questions_of_the_pack() -> None:
    assert len(SOLVED) >= 12
    assert {pair.question for pair in SOLVED} <= set(load_pack("chicago").questions)


def test_no_test_question_and_no_gold_is_among_them() -> None:
    asked = {same_question(question.question) for question in load_questions()}
    golds = {" ".join(gold.sql.split()) for q in load_questions() for gold in q.golds}
    for pair in SOLVED:
        assert same_question(pair.question) not in asked
        assert " ".join(pair.query.split()) not in golds


@pytest.mark.parametrize("pair", SOLVED, ids=lambda pair: pair.id)
def test_each_query_is_admitted_as_it_is_and_runs(pair: Exemplar, crimes: SqlDatabase) -> None:
    verdict = Guard(crimes).check(pair.query, pair.question)
    assert verdict.outcome == "admitted", verdict.findings
    assert verdict.query == pair.query
    assert crimes.execute(pair.query).columns


def test_a_database_without_a_column_gets_the_pairs_that_do_without_it(
    crimes: SqlDatabase, export: Path
) -> None:
    whole = pack_for(crimes.catalog())
    assert whole is not None
    assert whole.solved == SOLVED
    if crimes.dialect == "duckdb":
        settings = replace(crimes.settings, exclude=("crimes.ward", "community_areas"))
        with connect(crimes.url, settings) as less:
            assert isinstance(less, SqlDatabase)
            cut = pack_for(less.catalog())
        assert cut is not None
        left_out = {pair.question for pair in set(SOLVED) - set(cut.solved)}
        assert "Which wards have more than a thousand narcotics cases?" in left_out
        assert "Rank the community areas by violent crime in 2015." in left_out
        assert "When was the most recent arson?" not in left_out

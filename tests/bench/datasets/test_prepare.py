"""Databases made from the files in which sets publish them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from groundwire import connect
from groundwire.bench.datasets import make_chicago
from groundwire.bench.datasets.prepare import prepare
from groundwire.bench.running import Databases
from groundwire.database import SqlDatabase
from groundwire.errors import QueryError, UsageError
from tests.postgres_server import PostgresServer

DUMP = """--
-- A dump as pg_dump writes it.
--
\\connect zoo
CREATE SCHEMA care;
CREATE TABLE public."Animal" (id integer NOT NULL, name text);
CREATE TABLE care.visit (animal integer, note text);
COPY public."Animal" (id, name) FROM stdin;
1\tLion; the old one
2\t\\N
\\.

COPY care.visit (animal, note) FROM stdin;
\\.

INSERT INTO care.visit VALUES (1, 'fine; 100%');
"""


def write_graph(folder: Path, suffix: str = ".jsonl") -> None:
    folder.mkdir()
    (folder / f"nodes{suffix}").write_text(
        '{"id": 1, "labels": ["Animal"], "properties": {"name": "Lion"}}\n'
        '{"id": 2, "labels": ["Cage"], "properties": {"name": "North"}}\n'
    )
    (folder / f"relationships{suffix}").write_text(
        '{"type": "LIVES_IN", "start": 1, "end": 2, "properties": {}}\n'
    )


def test_a_dump_is_loaded_into_a_database_that_is_made(
    postgres_server: PostgresServer, tmp_path: Path
) -> None:
    (tmp_path / "Zoo_prepared").mkdir()
    (tmp_path / "Zoo_prepared" / "Zoo_prepared.sql").write_text(DUMP)
    template = postgres_server.url("DATABASE").replace("DATABASE", "{database}")
    urls = prepare(tmp_path, template)
    try:
        assert list(urls) == ["Zoo_prepared"]
        with connect(urls["Zoo_prepared"]) as database:
            named = database.execute('SELECT id, name FROM "Animal" ORDER BY id')
            assert named.rows == ((1, "Lion; the old one"), (2, None))
            assert database.execute("SELECT note FROM visit").rows == (("fine; 100%",),)
        assert prepare(tmp_path, template) == urls, "what is there is left alone"
        with connect(urls["Zoo_prepared"]) as database:
            assert database.execute("SELECT count(*) FROM visit").rows == ((1,),)
    finally:
        postgres_server.run('DROP DATABASE "Zoo_prepared" WITH (FORCE)')


def test_a_dump_that_fails_leaves_no_tables(
    postgres_server: PostgresServer, tmp_path: Path
) -> None:
    (tmp_path / "broken_prepared.sql").write_text("CREATE TABLE a (b int); SELECT nothing;")
    template = postgres_server.url("DATABASE").replace("DATABASE", "{database}")
    try:
        with pytest.raises(QueryError):
            prepare(tmp_path, template)
        with connect(template.replace("{database}", "broken_prepared")) as database:
            assert isinstance(database, SqlDatabase)
            assert database.catalog().tables == ()
    finally:
        postgres_server.run("DROP DATABASE broken_prepared WITH (FORCE)")


def test_graphs_are_loaded_each_into_its_own_file(tmp_path: Path) -> None:
    for name in ("zoo", "wwc2019"):
        write_graph(tmp_path / name)
    urls = prepare(tmp_path, f"kglite:///{tmp_path}/{{database}}.kgl")
    assert urls == {name: f"kglite:///{tmp_path}/{name}.kgl" for name in ("wwc", "zoo")}
    with Databases(str(tmp_path)) as databases:
        outcome = databases.run("wwc", "MATCH (a)-[:LIVES_IN]->(c) RETURN a.name, c.name")
    assert outcome.rows == (("Lion", "North"),)
    written = (tmp_path / "zoo.kgl").stat().st_mtime_ns
    prepare(tmp_path, f"kglite:///{tmp_path}/{{database}}.kgl")
    assert (tmp_path / "zoo.kgl").stat().st_mtime_ns == written, "it is left alone"


def test_only_the_wanted_databases_are_made(tmp_path: Path) -> None:
    for name in ("zoo", "farm"):
        write_graph(tmp_path / name)
    assert list(prepare(tmp_path, f"kglite:///{tmp_path}/one.kgl", {"farm"})) == ["farm"]


def test_a_graph_of_cypherbench_is_loaded_with_dates_as_dates(tmp_path: Path) -> None:
    graph = {
        "schema": {
            "name": "zoo",
            "entities": [{"label": "Animal", "properties": {"born": "date", "names": "list[str]"}}],
            "relations": [
                {
                    "label": "likes",
                    "subj_label": "Animal",
                    "obj_label": "Animal",
                    "properties": {"since": "date", "often": "int"},
                }
            ],
        },
        "entities": [
            {
                "eid": f"Animal#{name}",
                "label": "Animal",
                "name": name,
                "aliases": [],
                "description": None,
                "properties": {"born": born, "names": ["x", "y"]},
                "provenance": [],
            }
            for name, born in (("Lion", "2010-05-01"), ("Bear", None))
        ],
        "relations": [
            {
                "rid": "0",
                "label": "likes",
                "subj_id": "Animal#Lion",
                "obj_id": "Animal#Bear",
                "properties": {"since": "2020-01-31", "often": 3},
                "provenance": [],
            }
        ],
    }
    (tmp_path / "zoo_simplekg.json").write_text(json.dumps(graph))
    assert list(prepare(tmp_path, f"kglite:///{tmp_path}/{{database}}.kgl")) == ["zoo"]
    with Databases(str(tmp_path)) as databases:
        outcome = databases.run(
            "zoo",
            "MATCH (a:Animal)-[r:likes]->(b) WHERE a.born < date('2011-01-01')"
            " RETURN a.name, b.name, b.born, r.often, r.since.year",
        )
    assert outcome.rows == (("Lion", "Bear", None, 3, 2020),)


def test_several_databases_do_not_go_into_one(tmp_path: Path) -> None:
    for name in ("zoo", "farm"):
        write_graph(tmp_path / name)
    with pytest.raises(UsageError, match="2 databases cannot") as error:
        prepare(tmp_path, f"kglite:///{tmp_path}/one.kgl")
    assert "{database}" in error.value.hint


def test_a_folder_without_databases_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nothing to load") as error:
        prepare(tmp_path, "kglite:///{database}.kgl", {"zoo"})
    assert "zoo" in error.value.hint


def test_synthetic_crimes_answer_the_questions_of_the_pack(tmp_path: Path) -> None:
    make_chicago(f"duckdb:///{tmp_path}/chicago.duckdb", rows=300)
    with Databases(str(tmp_path)) as databases:
        assert databases.run("chicago", "SELECT COUNT(*) FROM CRIMES").rows == ((300,),)

"""The databases of cases: found by name, opened once, and what a query gives on them."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest

from groundwire.bench import Databases
from groundwire.bench.running import (
    MAX_ROWS,
    OPEN_AT_ONCE,
    RECENT,
    RECENT_ROWS,
    Outcome,
    resolve,
)
from groundwire.database import Database
from groundwire.database.sqlite import SQLite
from groundwire.database.writing import open_for_writing
from groundwire.errors import ConnectionLost, QueryError, QueryTimeout, StorageError, UsageError
from groundwire.settings import Settings

FOREVER = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t"
TEN_MILLION = (
    "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t LIMIT 10000000) SELECT n FROM t"
)


def make(path: Path, value: int = 1) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    engine = "duckdb" if path.suffix == ".duckdb" else "sqlite"
    with open_for_writing(f"{engine}:///{path}") as connection:
        connection.execute("CREATE TABLE t (a INTEGER)")
        connection.execute(f"INSERT INTO t VALUES ({value})")
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make(tmp_path / "shop.sqlite", 1)
    make(tmp_path / "world" / "world.sqlite", 2)
    make(tmp_path / "old.db", 3)
    make(tmp_path / "crime.duckdb", 4)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "value"),
    [("shop", 1), ("world", 2), ("old", 3), ("crime", 4), ("shop.sqlite", 1)],
)
def test_a_database_is_found_by_its_name(folder: Path, name: str, value: int) -> None:
    with Databases(str(folder)) as databases:
        assert databases.run(name, "SELECT a FROM t").rows == ((value,),)


def test_a_url_is_taken_as_it_is_and_fills_a_pattern() -> None:
    assert resolve("neo4j://host/x", "/data") == "neo4j://host/x"
    assert resolve("crime", "postgresql://host/{database}") == "postgresql://host/crime"
    assert resolve("crime", "bolt://host") == "bolt://host"


def test_a_folder_with_the_name_in_it(folder: Path) -> None:
    where = str(folder / "{database}")
    assert resolve("world", where) == f"sqlite:///{(folder / 'world' / 'world.sqlite').resolve()}"


def test_a_missing_database_is_said_with_what_was_looked_for(folder: Path) -> None:
    with pytest.raises(UsageError, match=r"There is no database 'nowhere' in .*nowhere\.sqlite"):
        resolve("nowhere", str(folder))
    with pytest.raises(UsageError, match=r"'shop' is not a URL.*--databases FOLDER"):
        resolve("shop")
    with pytest.raises(UsageError, match="There is no database 'x"):
        resolve("x" * 300, str(folder))


def test_a_file_that_is_no_database_is_an_error_of_the_set_up(folder: Path) -> None:
    (folder / "broken.sqlite").write_text("this is no database at all, but long enough" * 50)
    with Databases(str(folder)) as databases, pytest.raises(StorageError):
        databases.run("broken", "SELECT 1")


def test_what_a_query_does_wrong_is_kept(folder: Path) -> None:
    with Databases(str(folder)) as databases:
        for query in ("SELECT nothing FROM t", "DELETE FROM t", "SELEC 1", "SELECT 1; SELECT 2"):
            found = databases.run("shop", query)
            assert isinstance(found.error, QueryError)
            assert (found.result, found.rows, found.columns) == (None, (), ())
            assert not found.whole
            assert not found.empty


def test_no_query_gives_neither_result_nor_error(folder: Path) -> None:
    with Databases(str(folder)) as databases:
        assert databases.run("shop", " \n") == Outcome(" \n")


def test_a_query_that_hangs_is_stopped(folder: Path) -> None:
    settings = replace(Settings(), query_timeout=0.2)
    with Databases(str(folder), settings) as databases:
        started = time.monotonic()
        found = databases.run("shop", FOREVER)
        assert isinstance(found.error, QueryTimeout)
        assert time.monotonic() - started < 20
        assert databases.run("shop", "SELECT a FROM t").rows == ((1,),)


def test_ten_million_rows_are_cut_and_marked(folder: Path) -> None:
    with Databases(str(folder)) as databases:
        found = databases.run("shop", TEN_MILLION)
        assert found.error is None
        assert found.result is not None
        assert found.result.truncated
        assert len(found.rows) == MAX_ROWS
        assert not found.whole


def test_a_lost_connection_is_opened_anew_and_the_query_run_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Databases(str(folder)) as databases:
        first = databases.database("shop")
        monkeypatch.setattr(first, "execute", _loses_the_connection)
        assert databases.run("shop", "SELECT a FROM t").rows == ((1,),)
        assert databases.database("shop") is not first


def test_a_query_that_loses_the_connection_twice_has_that_error(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Databases(str(folder)) as databases:
        monkeypatch.setattr(SQLite, "execute", _loses_the_connection)
        found = databases.run("shop", "SELECT a FROM t")
        assert isinstance(found.error, ConnectionLost)
        monkeypatch.undo()
        assert databases.run("shop", "SELECT a FROM t").rows == ((1,),)


def _loses_the_connection(*_: object, **__: object) -> None:
    raise ConnectionLost("The server went away.")


def test_a_recent_query_is_run_once_and_another_database_has_its_own(folder: Path) -> None:
    chance = "SELECT a, random() FROM t"
    with Databases(str(folder)) as databases:
        first = databases.recall("shop", chance)
        assert databases.recall("shop", chance) is first
        assert databases.run("shop", chance).rows != first.rows
        assert databases.recall("world", chance).rows[0][0] == 2
        for number in range(RECENT):
            databases.recall("shop", f"SELECT {number}")
        assert databases.recall("shop", chance).rows != first.rows


def test_a_failure_is_kept_but_no_lost_connection_and_no_large_result(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    large = TEN_MILLION.replace("10000000", str(RECENT_ROWS + 1))
    with Databases(str(folder)) as databases:
        assert databases.recall("shop", large) is not databases.recall("shop", large)
        failure = databases.recall("shop", "SELECT nothing FROM t")
        assert databases.recall("shop", "SELECT nothing FROM t") is failure

        def lose(self: Database, query: str) -> None:
            raise ConnectionLost("gone")

        with monkeypatch.context() as patch:
            patch.setattr(type(databases.database("shop")), "execute", lose)
            assert isinstance(databases.recall("shop", "SELECT a FROM t").error, ConnectionLost)
        assert databases.recall("shop", "SELECT a FROM t").rows == ((1,),)


def test_a_database_is_opened_once_and_few_stay_open(tmp_path: Path) -> None:
    for number in range(OPEN_AT_ONCE + 2):
        make(tmp_path / f"d{number}.sqlite", number)
    with Databases(str(tmp_path)) as databases:
        first = databases.database("d0")
        assert databases.database("d0") is first
        for number in range(1, OPEN_AT_ONCE + 2):
            assert databases.run(f"d{number}", "SELECT a FROM t").rows == ((number,),)
        assert databases.database("d0") is not first
        assert databases.run("d0", "SELECT a FROM t").rows == ((0,),)


def test_copies_are_made_once_and_closed(folder: Path) -> None:
    made: list[str] = []

    def copies(url: str, settings: Settings) -> list[Database]:
        made.append(url)
        return []

    with Databases(str(folder), copies=copies) as databases:
        assert databases.copies("shop") == databases.copies("shop") == []
        assert databases.copies("world") == []
    assert len(made) == 2
    with Databases(str(folder)) as databases:
        assert databases.copies("shop") == []

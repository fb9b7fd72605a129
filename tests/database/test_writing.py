"""The door for loaders: what was begun is committed whole or not at all, and errors are clear."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from groundwire.database import connect
from groundwire.database.writing import open_for_writing
from groundwire.errors import (
    AccessDenied,
    DriverMissing,
    QueryError,
    StorageError,
    Unreachable,
    UsageError,
)
from tests.conftest import NewDatabase
from tests.postgres_server import LOCKED_ROLE, PostgresServer


def test_what_was_written_can_be_read(new_database: NewDatabase):
    new_database.fill("CREATE TABLE t (a INTEGER)", "INSERT INTO t VALUES (1)")
    with new_database.connect() as database:
        assert database.execute("SELECT a FROM t").rows == ((1,),)


def test_a_wrong_statement_is_a_query_error(new_database: NewDatabase):
    with pytest.raises(QueryError):
        new_database.fill("CREATE TABLE t (a INTEGER)", "INSERT INTO missing VALUES (1)")


def test_what_fails_in_the_middle_of_a_transaction_is_rolled_back(new_database: NewDatabase):
    new_database.fill("CREATE TABLE t (a INTEGER)")

    def write() -> None:
        with open_for_writing(new_database.url) as connection:
            if new_database.engine == "duckdb":
                connection.execute("BEGIN")
            connection.execute("INSERT INTO t VALUES (1)")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write()
    with new_database.connect() as database:
        assert database.execute("SELECT count(*) FROM t").rows == ((0,),)


@pytest.mark.parametrize("engine", ["duckdb", "sqlite"])
class TestFiles:
    def test_a_missing_file_is_made(self, engine, tmp_path: Path):
        url = f"{engine}:///{tmp_path}/new"
        with open_for_writing(url) as connection:
            connection.execute("CREATE TABLE t (a INTEGER)")
        with connect(url) as database:
            assert database.execute("SELECT count(*) FROM t").rows == ((0,),)

    def test_a_missing_folder_is_a_storage_error(self, engine, tmp_path: Path):
        with (
            pytest.raises(StorageError, match="does not exist"),
            open_for_writing(f"{engine}:///{tmp_path}/missing/new"),
        ):
            pass

    def test_a_folder_is_a_storage_error(self, engine, tmp_path: Path):
        with (
            pytest.raises(StorageError, match="cannot be written"),
            open_for_writing(f"{engine}:///{tmp_path}"),
        ):
            pass

    def test_a_file_of_another_kind_is_a_storage_error_and_stays(self, engine, tmp_path: Path):
        file = tmp_path / "crimes.csv"
        file.write_text("ID,Case Number\n" * 1000)
        with pytest.raises(StorageError), open_for_writing(f"{engine}:///{file}"):
            pass
        assert file.read_text() == "ID,Case Number\n" * 1000

    def test_a_full_disk_is_a_storage_error(self, engine, tmp_path: Path):
        rows = "range(2000000) AS r(i)" if engine == "duckdb" else "r"
        script = f"""
import resource, signal
from groundwire.database.writing import open_for_writing
from groundwire.errors import StorageError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (3_000_000, 3_000_000))
numbers = "" if {engine == "duckdb"} else (
    "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 200000) ")
try:
    with open_for_writing("{engine}:///{tmp_path}/new") as connection:
        connection.execute(
            "CREATE TABLE t AS " + numbers + "SELECT 'xyz ' || (i * 7919) AS a, i FROM {rows}")
except StorageError as error:
    print(error.hint)
"""
        if sys.platform == "win32":
            pytest.skip("the test limits a file's size as only POSIX can")
        printed = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True
        ).stdout
        assert "disk" in printed


class TestPostgres:
    def test_no_server_is_unreachable(self):
        with pytest.raises(Unreachable), open_for_writing("postgresql://me@127.0.0.1:1/d"):
            pass

    def test_a_wrong_password_is_access_denied(self, postgres_server: PostgresServer):
        url = postgres_server.url("postgres", LOCKED_ROLE, "wrong")
        with pytest.raises(AccessDenied), open_for_writing(url):
            pass

    def test_a_role_without_the_right_is_access_denied(self, postgres_server: PostgresServer):
        url = postgres_server.url("postgres", LOCKED_ROLE, "open sesame")
        with pytest.raises(AccessDenied), open_for_writing(url) as connection:
            connection.execute("CREATE TABLE t (a INTEGER)")

    def test_a_full_disk_of_the_server_is_a_storage_error(self, postgres_url: str):
        with pytest.raises(StorageError) as caught, open_for_writing(postgres_url) as connection:
            connection.execute("DO $$BEGIN RAISE 'no room' USING ERRCODE = 'disk_full'; END$$")
        assert caught.value.code == "53100"

    def test_a_missing_driver_names_its_extra(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "psycopg", None)
        with pytest.raises(DriverMissing, match="postgres"), open_for_writing("postgresql://h/d"):
            pass


@pytest.mark.parametrize("url", ["neo4j://host", "kglite:///file", "oracle://host"])
def test_other_kinds_of_databases_are_a_usage_error(url):
    with pytest.raises(UsageError, match="Nothing is loaded"), open_for_writing(url):
        pass

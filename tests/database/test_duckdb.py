"""What only DuckDB has: a file that one process writes, and doors to close."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from groundwire.database import SqlDatabase, connect
from groundwire.errors import QueryError, ReadOnlyError, StorageError, UnknownName
from groundwire.settings import Settings


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "shop.duckdb"
    make(path, "CREATE TABLE item (id INTEGER)", "INSERT INTO item VALUES (1), (2)")
    return path


def make(path: Path, *statements: str) -> None:
    with duckdb.connect(str(path)) as connection:
        for statement in statements:
            connection.execute(statement)


def open_file(path: Path) -> SqlDatabase:
    database = connect(f"duckdb:///{path}", Settings(max_rows=10))
    assert isinstance(database, SqlDatabase)
    return database


class TestFile:
    def test_a_file_that_was_replaced_is_opened_anew(self, file: Path):
        with open_file(file) as database:
            before = database.catalog()
            new = file.with_suffix(".new")
            make(new, "CREATE TABLE other (a INTEGER)")
            os.replace(new, file)
            after = database.catalog()
            assert [table.name for table in after.tables] == ["other"]
            assert after.version != before.version
            with pytest.raises(UnknownName):
                database.execute("SELECT * FROM item")

    def test_a_file_that_was_removed_can_still_be_read(self, file: Path):
        with open_file(file) as database:
            file.unlink()
            assert database.execute("SELECT count(*) FROM item").rows == ((2,),)

    def test_two_databases_may_read_one_file(self, file: Path):
        with open_file(file) as one, open_file(file) as other:
            assert one.execute("SELECT 1").rows == other.execute("SELECT 1").rows

    def test_a_file_that_another_process_writes_is_a_storage_error(self, file: Path):
        script = (
            "import duckdb, sys; c = duckdb.connect(sys.argv[1]); "
            "print('ready', flush=True); input()"
        )
        with subprocess.Popen(
            [sys.executable, "-c", script, str(file)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as writer:
            assert writer.stdout is not None
            writer.stdout.readline()
            with pytest.raises(StorageError, match="open for writing") as caught:
                open_file(file)
            writer.communicate("\n")
        assert "Wait" in caught.value.hint

    def test_a_file_that_this_process_writes_is_a_storage_error(self, file: Path):
        with duckdb.connect(str(file)), pytest.raises(StorageError, match="in another mode"):
            open_file(file)

    def test_a_sqlite_file_is_told(self, tmp_path: Path):
        import sqlite3

        path = tmp_path / "file.db"
        with sqlite3.connect(path) as connection:
            connection.execute("CREATE TABLE t (a)")
        with pytest.raises(StorageError) as caught:
            open_file(path)
        assert "sqlite:///" in caught.value.hint


class TestDoors:
    @pytest.mark.parametrize(
        "text",
        [
            "SELECT * FROM read_csv('/etc/passwd')",
            "SELECT * FROM '/etc/passwd'",
            "SELECT * FROM read_text('/etc/passwd')",
            "SELECT * FROM glob('/*')",
            "SELECT * FROM read_parquet('https://127.0.0.1:1/x.parquet')",
            "SELECT * FROM sqlite_scan('/tmp/x.db', 't')",
            "SELECT nextval('numbers')",
        ],
    )
    def test_a_select_reaches_nothing_but_the_tables(self, file: Path, text):
        make(file, "CREATE SEQUENCE numbers")
        with open_file(file) as database, pytest.raises(QueryError):
            database.execute(text)

    @pytest.mark.parametrize(
        "text",
        [
            "ATTACH '/tmp/groundwire-new.duckdb' AS x",
            "COPY item TO '/tmp/groundwire-was-here.csv'",
            "EXPORT DATABASE '/tmp/groundwire-was-here'",
            "INSTALL json",
            "LOAD json",
            "SET threads = 1",
            "RESET lock_configuration",
            "PRAGMA database_list",
            "CALL pragma_version()",
            "USE memory",
            "SET VARIABLE a = 1",
            "CREATE TEMP MACRO m(a) AS a",
            "PREPARE p AS SELECT 1",
            "CHECKPOINT",
            "EXPLAIN ANALYZE SELECT 1",
        ],
    )
    def test_a_statement_that_is_no_select_is_refused(self, file: Path, text):
        with open_file(file) as database, pytest.raises(ReadOnlyError):
            database.execute(text)
        assert not list(Path("/tmp").glob("groundwire-was-here*"))

    def test_variables_of_python_are_no_tables(self, file: Path):
        secret = duckdb.sql("SELECT 42 AS answer")
        with open_file(file) as database, pytest.raises(UnknownName):
            database.execute("SELECT * FROM secret")
        assert secret.fetchall() == [(42,)]

    def test_the_configuration_cannot_be_changed(self, file: Path):
        with open_file(file) as database:
            text = "SELECT value FROM duckdb_settings() WHERE name = 'enable_external_access'"
            assert database.execute(text).rows == (("false",),)

    def test_descriptions_are_reads(self, file: Path):
        with open_file(file) as database:
            assert database.execute("DESCRIBE item").rows[0][:2] == ("id", "INTEGER")
            assert database.execute("FROM item ORDER BY id LIMIT 1").rows == ((1,),)


class TestCatalog:
    def test_a_view_whose_table_is_gone_does_not_break_it(self, file: Path):
        make(file, "CREATE VIEW broken AS SELECT * FROM item", "DROP TABLE item")
        with open_file(file) as database:
            assert [table.name for table in database.catalog().tables] == ["broken"]

    def test_an_index_on_an_expression_is_no_key(self, file: Path):
        make(
            file,
            'CREATE TABLE t ("my col" INTEGER, b VARCHAR)',
            'CREATE UNIQUE INDEX i ON t ("my col")',
            "CREATE UNIQUE INDEX j ON t (lower(b))",
        )
        with open_file(file) as database:
            table = database.catalog().find("t")
        assert table is not None
        assert table.unique_keys == (("my col",),)


def test_interval_columns_are_whole_beside_others_and_with_parameters(file: Path):
    with open_file(file) as database:
        result = database.execute(
            "SELECT id, INTERVAL '1 month' AS span, id AS span FROM item WHERE id < $1 "
            "ORDER BY id DESC",
            [9],
        )
    assert result.to_json()["rows"] == [[2, "P1M", 2], [1, "P1M", 1]]
    assert [column.type for column in result.columns] == ["INTEGER", "INTERVAL", "INTEGER"]

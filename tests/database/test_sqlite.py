"""What only SQLite has: dynamic types, virtual tables, and statements that act when compiled."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from groundwire.database import SqlDatabase, connect
from groundwire.errors import QueryError, ReadOnlyError, StorageError
from groundwire.settings import Settings


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a b.db"
    make(
        path, "CREATE TABLE item (id INTEGER PRIMARY KEY, note)", "INSERT INTO item VALUES (1, 'x')"
    )
    return path


def make(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def open_file(path: Path, **settings: object) -> SqlDatabase:
    database = connect(f"sqlite:///{path}", Settings(**settings))  # type: ignore[arg-type]
    assert isinstance(database, SqlDatabase)
    return database


class TestDoors:
    @pytest.mark.parametrize(
        "text",
        [
            "ATTACH '{folder}/new.db' AS x",
            "VACUUM INTO '{folder}/new.db'",
            "PRAGMA user_version = 3",
            "PRAGMA writable_schema = ON",
            "EXPLAIN PRAGMA user_version = 3",
            "PRAGMA table_info(item)",
            "SELECT * FROM pragma_table_info('item')",
            "SELECT load_extension('x')",
            "SELECT fts3_tokenizer('simple')",
            "REINDEX",
            "DETACH main",
            "CREATE TEMP TRIGGER t AFTER INSERT ON item BEGIN SELECT 1; END",
            "CREATE VIRTUAL TABLE v USING fts5(x)",
            "UPDATE sqlite_master SET sql = ''",
        ],
    )
    def test_a_statement_that_does_more_than_read_is_refused(self, file: Path, text):
        content = file.read_bytes()
        with open_file(file) as database:
            with pytest.raises(ReadOnlyError):
                database.execute(text.format(folder=file.parent))
            assert database.execute("SELECT id FROM item").rows == ((1,),)
            assert len(database.catalog(refresh=True).tables) == 1
        assert file.read_bytes() == content
        assert list(file.parent.iterdir()) == [file]

    def test_a_value_cannot_fill_the_memory(self, file: Path):
        with open_file(file) as database, pytest.raises(QueryError, match="too big"):
            database.execute("SELECT zeroblob(900000000)")


class TestVirtualTables:
    @pytest.fixture
    def virtual(self, file: Path) -> Path:
        make(
            file,
            "CREATE VIRTUAL TABLE words USING fts5(word)",
            "INSERT INTO words VALUES ('hello world')",
            "CREATE VIRTUAL TABLE old_words USING fts4(word)",
            "INSERT INTO old_words VALUES ('hello world')",
            "CREATE VIRTUAL TABLE boxes USING rtree(id, low, high)",
            "INSERT INTO boxes VALUES (1, 0, 5)",
        )
        return file

    @pytest.mark.parametrize(
        "text",
        [
            "SELECT count(*) FROM words WHERE words MATCH 'hello'",
            "SELECT count(*) FROM old_words WHERE old_words MATCH 'hello'",
            "SELECT count(*) FROM boxes WHERE low <= 1 AND high >= 1",
            "SELECT count(*) FROM json_each('[7]')",
        ],
    )
    def test_they_can_be_read_also_after_an_error(self, virtual: Path, text):
        with open_file(virtual) as database:
            assert database.execute(text).rows == ((1,),)
            with pytest.raises(ReadOnlyError):
                database.execute("VACUUM INTO 'x'")
            assert database.execute(text).rows == ((1,),)

    def test_their_inner_tables_are_not_in_the_catalog(self, virtual: Path):
        with open_file(virtual) as database:
            names = [table.name for table in database.catalog().tables]
        assert names == ["boxes", "item", "old_words", "words"]


class TestCatalog:
    def test_generated_columns_and_declared_types_are_shown(self, file: Path):
        make(
            file,
            "CREATE TABLE t (a DECIMAL(10,2), b, c AS (a * 2), d TEXT GENERATED ALWAYS AS (b))",
        )
        with open_file(file) as database:
            table = database.catalog().find("t")
        assert table is not None
        assert [(c.name, c.type.split(" ")[0]) for c in table.columns] == [
            ("a", "DECIMAL(10,2)"),
            ("b", ""),
            ("c", ""),
            ("d", "TEXT"),
        ]

    def test_a_foreign_key_without_columns_means_the_primary_key(self, file: Path):
        make(file, "CREATE TABLE part (of INTEGER REFERENCES Item)")
        with open_file(file) as database:
            part = database.catalog().find("part")
        assert part is not None
        (key,) = part.foreign_keys
        assert (key.target_table, key.target_columns) == ("item", ("id",))

    def test_a_view_over_something_gone_does_not_break_it(self, file: Path):
        make(
            file, "CREATE TABLE gone (a)", "CREATE VIEW v AS SELECT * FROM gone", "DROP TABLE gone"
        )
        with open_file(file) as database:
            assert [table.name for table in database.catalog().tables] == ["item"]


class TestFile:
    def test_a_file_in_wal_mode_can_be_read_while_it_is_written(self, file: Path):
        writer = sqlite3.connect(file, isolation_level=None)
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("INSERT INTO item VALUES (2, 'y')")
        with open_file(file) as database:
            assert database.execute("SELECT count(*) FROM item").rows == ((2,),)
            writer.execute("INSERT INTO item VALUES (3, 'z')")
            assert database.execute("SELECT count(*) FROM item").rows == ((3,),)
        writer.close()

    def test_a_file_that_is_locked_is_a_storage_error(self, file: Path):
        writer = sqlite3.connect(file, isolation_level=None)
        with open_file(file, connect_timeout=0.1) as database:
            writer.execute("BEGIN EXCLUSIVE")
            with pytest.raises(StorageError, match="Another process"):
                database.execute("SELECT * FROM item")
            writer.execute("ROLLBACK")
            assert database.execute("SELECT count(*) FROM item").rows == ((1,),)
        writer.close()


def test_the_types_of_a_result_are_its_storage_classes(file: Path):
    with open_file(file) as database:
        result = database.execute(
            "SELECT 1, 1.5, 'x', x'00', NULL UNION ALL SELECT 1.5, 2, 3, x'01', 5"
        )
    assert [column.type for column in result.columns] == ["REAL", "REAL", "", "BLOB", "INTEGER"]


def test_named_and_nameless_parameters_are_taken(file: Path):
    with open_file(file) as database:
        assert database.execute("SELECT ?, ?", [1, "a"]).rows == ((1, "a"),)
        assert database.execute("SELECT $a, :b", {"a": 1, "b": 2}).rows == ((1, 2),)
        with pytest.raises(QueryError):
            database.execute("SELECT $1", [2**70])

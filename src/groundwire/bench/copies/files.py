"""Reading the tables of a database file, and writing a copy of it with other rows."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from groundwire.bench.copies.tables import Stored
from groundwire.database import SqlDatabase
from groundwire.database.writing import open_for_writing

if TYPE_CHECKING:
    import duckdb

__all__ = ["read_tables", "write_copy"]

BATCH = 2_048
"""Rows that DuckDB is given at once: a row a statement takes it a millisecond each."""


def read_tables(database: SqlDatabase, path: Path, most_rows: int) -> list[Stored] | None:
    """The stored tables with their rows; None where there are more rows than `most_rows`."""
    found: list[Stored] = []
    writable = _writable(database, path)
    for table in database.catalog().tables:
        every = [column.name for column in table.columns]
        columns = tuple(writable.get(table.name, ()) if writable else every)
        if table.kind != "table" or not columns:
            continue
        listed = ", ".join(database.quote(column) for column in columns)
        result = database.execute(
            f"SELECT {listed} FROM {database.source(table)}", max_rows=most_rows
        )
        most_rows -= len(result.rows)
        if result.truncated or most_rows < 0:
            return None
        found.append(Stored(table, columns, [list(row) for row in result.rows]))
    return found


def write_copy(
    database: SqlDatabase, original: Path, target: Path, tables: Sequence[Stored]
) -> str:
    """Write a copy of a database file that holds these rows, and give its URL.

    A row that the database does not take (a CHECK, a type) is left out.

    Raises:
        StorageError, QueryError: the copy cannot be written.
    """
    write = _write_sqlite if database.dialect == "sqlite" else _write_duckdb
    url = f"{database.dialect}:///{quote(str(target))}"
    write(database, original, target, url, tables)
    return url


def _writable(database: SqlDatabase, path: Path) -> dict[str, list[str]]:
    """The columns of each table that can be written: none that are generated.

    Of SQLite, whose catalog does not tell, and without its virtual tables. {} = all.
    """
    if database.dialect != "sqlite":
        return {}
    found: dict[str, list[str]] = {}
    with closing(_open_sqlite(path)) as connection:
        for table, column in connection.execute(
            "SELECT t.name, c.name FROM pragma_table_list AS t, pragma_table_xinfo(t.name) AS c"
            " WHERE t.type = 'table' AND c.hidden = 0 ORDER BY t.name, c.cid"
        ):
            found.setdefault(table, []).append(column)
    return found


def _open_sqlite(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)


def _write_sqlite(
    database: SqlDatabase, original: Path, target: Path, url: str, tables: Sequence[Stored]
) -> None:
    with closing(_open_sqlite(original)) as stored, closing(sqlite3.connect(target)) as copy:
        stored.backup(copy)
    with open_for_writing(url) as connection:
        triggers = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        for (name,) in triggers.fetchall():
            connection.execute(f"DROP TRIGGER {database.quote(name)}")
        for table in reversed(tables):
            connection.execute(f"DELETE FROM {database.source(table.table)}")
        for table in tables:
            connection.executemany(_insert(database, table, "INSERT OR IGNORE"), table.rows)


def _write_duckdb(
    database: SqlDatabase, original: Path, target: Path, url: str, tables: Sequence[Stored]
) -> None:
    source = target.with_suffix(".original")  # two connections of one process cannot differ
    shutil.copyfile(original, source)
    try:
        with open_for_writing(url) as connection:
            connection.execute(f"ATTACH '{str(source).replace(chr(39), chr(39) * 2)}' AS original")
            connection.execute(
                f"COPY FROM DATABASE original TO {database.quote(target.stem)} (SCHEMA)"
            )
            connection.execute("DETACH original")
            for table in tables:
                _fill_duckdb(connection, database, table)
    finally:
        source.unlink(missing_ok=True)


def _fill_duckdb(
    connection: duckdb.DuckDBPyConnection, database: SqlDatabase, table: Stored
) -> None:
    """Many rows at once, column by column; where one is refused, one by one without it."""
    import duckdb

    refusals = (duckdb.ConstraintException, duckdb.ConversionException)
    columns = ", ".join(database.quote(column) for column in table.columns)
    lists = ", ".join("unnest(?)" for _ in table.columns)
    at_once = f"INSERT INTO {database.source(table.table)} ({columns}) SELECT {lists}"
    one_by_one = _insert(database, table, "INSERT")
    for start in range(0, len(table.rows), BATCH):
        rows = table.rows[start : start + BATCH]
        try:
            connection.execute(at_once, [list(values) for values in zip(*rows, strict=True)])
            continue
        except duckdb.Error:  # a row is refused, or values of one column have several types
            pass
        for row in rows:
            try:
                connection.execute(one_by_one, row)
            except refusals:
                continue


def _insert(database: SqlDatabase, table: Stored, verb: str) -> str:
    columns = ", ".join(database.quote(column) for column in table.columns)
    places = ", ".join("?" for _ in table.columns)
    return f"{verb} INTO {database.source(table.table)} ({columns}) VALUES ({places})"

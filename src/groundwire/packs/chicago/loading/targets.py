"""The three kinds of databases that are loaded into, as far as they differ."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from groundwire.database.url import parse
from groundwire.database.writing import open_for_writing
from groundwire.errors import StorageError, UsageError
from groundwire.packs.chicago.loading.schema import COLUMNS, TABLES

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

__all__ = ["WORK", "Target", "open_target"]

# Bounds what DuckDB holds, whatever the file's size; the rest of the process needs some 200 MB.
_ENGINE_MEMORY = "900MB"
_RECEIVED = {
    "incoming": COLUMNS,
    "changed": {
        "ID": "BIGINT",
        "COLUMN_NAME": "TEXT",
        "OLD_VALUE": "TEXT",
        "NEW_VALUE": "TEXT",
        "RULE": "TEXT",
    },
    "refused": {"LINE": "BIGINT", "REASON": "TEXT", "ORIGINAL": "TEXT"},
}
_BLOCK = 1 << 20
WORK = ("work_0", "work_1")
"""The DuckDBs in memory that are attached to the engine: one for the piece that is being cleaned,
one for the piece that is being merged."""


class Target(ABC):
    """A database that is loaded into.

    `engine` is the DuckDB in which pieces are cleaned; `folder` is a temporary folder. The names
    `incoming`, `changed` and `refused` mean the rows of the work tables after `receive()`.

    Where the databases' words differ, the class says them: whether there are schemas and comments,
    the midnight of a time, the first day of a year, a number rounded to some decimals.
    """

    schemas: ClassVar[bool] = True
    day: ClassVar[str] = "date_trunc('day', {0})"
    new_year: ClassVar[str] = "CAST(CAST({0} AS TEXT) || '-01-01' AS TIMESTAMP)"
    rounded: ClassVar[str] = "round({0}, {1})"

    def __init__(self, connection: Any, engine: DuckDBPyConnection, folder: Path) -> None:
        self.connection = connection
        self.engine = engine
        self.folder = folder

    @abstractmethod
    def execute(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Run one statement with `?` for each value; returns its rows, if any."""

    @abstractmethod
    def columns(self, table: str) -> list[str]:
        """The names of a table's columns."""

    @abstractmethod
    def receive(self, work: str) -> None:
        """Make the work tables of a DuckDB attached to the engine known here, until `release()`."""

    @abstractmethod
    def release(self) -> None:
        """Forget the rows again."""

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing."""
        self.execute("BEGIN")
        try:
            yield
        except BaseException:
            self._roll_back()
            raise
        self.execute("COMMIT")

    @abstractmethod
    def _roll_back(self) -> None: ...

    def claim(self) -> None:
        """Keep a second load away while this one runs. Files have locks of their own."""
        return

    def tidy(self) -> None:
        """After a load: fresh statistics for the planner."""
        for table in TABLES:
            self.execute(f"ANALYZE {table}")


class _DuckDbTarget(Target):
    """The engine is the target's own connection: nothing is copied between them."""

    def __init__(self, connection: Any, folder: Path) -> None:
        super().__init__(connection, connection, folder)
        # A commit writes its rows at once; the checkpoints that would rewrite them wait.
        connection.execute("SET wal_autocheckpoint = '1GB'")

    def execute(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        return list(self.connection.execute(sql, values or None).fetchall())

    def columns(self, table: str) -> list[str]:
        return [row[0] for row in self.connection.execute(f"DESCRIBE {table}").fetchall()]

    def receive(self, work: str) -> None:
        for name in _RECEIVED:
            self.execute(f"CREATE OR REPLACE TEMP VIEW {name} AS FROM {work}.{name}")

    def release(self) -> None:
        for name in _RECEIVED:
            self.execute(f"DROP VIEW {name}")

    def _roll_back(self) -> None:
        import duckdb

        with suppress(duckdb.Error):  # a failed COMMIT has already rolled back
            self.connection.rollback()

    def tidy(self) -> None:
        super().tidy()
        self.execute("CHECKPOINT")


class _PostgresTarget(Target):
    """Rows arrive by COPY in temporary tables."""

    rounded = "CAST(round(CAST({0} AS NUMERIC), {1}) AS DOUBLE PRECISION)"

    def __init__(self, connection: Any, engine: DuckDBPyConnection, folder: Path) -> None:
        super().__init__(connection, engine, folder)
        connection.autocommit = True

    def execute(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        if values:
            sql = sql.replace("?", "%s")
        cursor = self.connection.execute(sql, values or None)
        return cursor.fetchall() if cursor.description else []

    def columns(self, table: str) -> list[str]:
        cursor = self.connection.execute(f"SELECT * FROM {table} LIMIT 0")
        return [column.name for column in cursor.description]

    def claim(self) -> None:
        if self.execute("SELECT pg_try_advisory_lock(hashtext('chicago_load'))") != [(True,)]:
            raise UsageError(
                "Another load into this database is running.", hint="Wait until it has finished."
            )

    def receive(self, work: str) -> None:
        for name, columns in _RECEIVED.items():
            definition = ", ".join(f"{column} {kind}" for column, kind in columns.items())
            self.execute(f"CREATE TEMP TABLE {name} ({definition})")
            self._copy(work, name)
        self.execute("ANALYZE incoming (ID)")

    def _copy(self, work: str, name: str) -> None:
        path = self.folder / "copy.csv"
        quoted = str(path).replace("'", "''")
        self.engine.execute(f"COPY {work}.{name} TO '{quoted}' (FORMAT csv, HEADER false)")
        with (
            path.open("rb") as source,
            self.connection.cursor() as cursor,
            cursor.copy(f"COPY {name} FROM STDIN (FORMAT csv)") as copy,
        ):
            while block := source.read(_BLOCK):
                copy.write(block)
        path.unlink()

    def release(self) -> None:
        for name in _RECEIVED:
            self.execute(f"DROP TABLE {name}")

    def _roll_back(self) -> None:
        import psycopg

        with suppress(psycopg.Error):  # the connection may be gone, and the transaction with it
            self.connection.execute("ROLLBACK")


class _SqliteTarget(Target):
    """SQLite has no schemas: the bookkeeping is in an attached file beside the database."""

    schemas = False
    day = "date({0}) || ' 00:00:00'"
    new_year = "{0} || '-01-01 00:00:00'"

    def __init__(
        self, connection: Any, engine: DuckDBPyConnection, folder: Path, file: Path
    ) -> None:
        super().__init__(connection, engine, folder)
        connection.isolation_level = None
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute(
            "ATTACH ? AS CHICAGO_LOAD", (str(file.with_name(file.name + ".chicago_load")),)
        )

    def execute(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        return list(self.connection.execute(sql, values).fetchall())

    def columns(self, table: str) -> list[str]:
        cursor = self.connection.execute(f"SELECT * FROM {table} LIMIT 0")
        return [column[0] for column in cursor.description]

    def receive(self, work: str) -> None:
        for name, columns in _RECEIVED.items():
            self.execute(f"CREATE TEMP TABLE {name} ({', '.join(columns)})")
            texts = (
                f"strftime({column}, '%Y-%m-%d %H:%M:%S')" if kind == "TIMESTAMP" else column
                for column, kind in columns.items()
            )
            rows = self.engine.execute(f"SELECT {', '.join(texts)} FROM {work}.{name}")
            places = ", ".join("?" * len(columns))
            while block := rows.fetchmany(10_000):
                self.connection.executemany(f"INSERT INTO {name} VALUES ({places})", block)

    def release(self) -> None:
        for name in _RECEIVED:
            self.execute(f"DROP TABLE {name}")

    def _roll_back(self) -> None:
        with suppress(sqlite3.Error):  # a full disk has already rolled back
            self.connection.execute("ROLLBACK")


@contextmanager
def open_target(url: str) -> Iterator[Target]:
    """The database to load into, with an engine and a temporary folder of its own.

    Raises:
        UsageError: a database in memory, of another kind, or with a load under way.
        StorageError: the disk is full or not writable.
        OperatorError: as `open_for_writing`.
    """
    parsed = parse(url)
    file = parsed.path() if parsed.scheme in ("duckdb", "sqlite") else None
    if parsed.scheme in ("duckdb", "sqlite") and file is None:
        raise UsageError(
            "A database in memory would be gone after the load.",
            hint=f"Name a file: {parsed.scheme}:///crimes.{parsed.scheme}",
        )
    with (
        _storage_errors(),
        tempfile.TemporaryDirectory(prefix="groundwire-") as name,
        open_for_writing(url) as connection,
    ):
        folder = Path(name)
        with _engine(connection if parsed.scheme == "duckdb" else None, folder) as engine:
            target = _target(parsed.scheme, connection, engine, folder, file)
            target.claim()
            yield target


def _target(
    scheme: str, connection: Any, engine: DuckDBPyConnection, folder: Path, file: Path | None
) -> Target:
    if scheme == "duckdb":
        return _DuckDbTarget(engine, folder)
    if file is not None:
        return _SqliteTarget(connection, engine, folder, file)
    return _PostgresTarget(connection, engine, folder)


@contextmanager
def _engine(connection: DuckDBPyConnection | None, folder: Path) -> Iterator[DuckDBPyConnection]:
    import duckdb

    own = duckdb.connect(":memory:") if connection is None else nullcontext(connection)
    with own as engine:
        engine.execute(f"SET memory_limit = '{_ENGINE_MEMORY}'")
        # One piece is cleaned while another is merged: each gets half of the processors.
        engine.execute(f"SET threads = {max(1, (os.cpu_count() or 1) // 2)}")
        engine.execute("SET temp_directory = ?", [str(folder)])
        engine.execute("SET enable_progress_bar = false")
        for work in WORK:
            engine.execute(f"ATTACH ':memory:' AS {work}")
        yield engine


@contextmanager
def _storage_errors() -> Iterator[None]:
    """What goes wrong with files on this machine while loading."""
    import duckdb

    try:
        yield
    except (OSError, duckdb.IOException, duckdb.OutOfMemoryException) as error:
        raise StorageError(
            f"The load had to stop: {error}",
            hint="Make room on the disk and start again; what was committed is kept.",
        ) from error

"""SQLite. `mode=ro` alone still lets ATTACH and VACUUM INTO create files, and merely compiling
`EXPLAIN PRAGMA …` can take effect: an authorizer, asked while a statement is compiled, holds
the session to reading.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, ClassVar, Literal, TypeVar
from urllib.parse import quote

from groundwire.database.base import Parameters, Plan
from groundwire.database.catalog import Table
from groundwire.database.ceiling import within
from groundwire.database.functions import SQLiteFunctions
from groundwire.database.measuring import ServerFacts
from groundwire.database.result import ResultColumn
from groundwire.database.session import Session, Watch
from groundwire.database.sqlite_catalog import read_tables
from groundwire.database.sqlite_errors import no_rows, translate, translate_opening
from groundwire.database.sqlite_statistics import SQLiteStatistics, read_server_facts
from groundwire.errors import QueryError
from groundwire.settings import Settings

__all__ = ["SQLite"]

READS = (
    sqlite3.SQLITE_SELECT,
    sqlite3.SQLITE_READ,
    sqlite3.SQLITE_RECURSIVE,
)
FORBIDDEN_FUNCTIONS = frozenset({"load_extension", "fts3_tokenizer", "writefile", "readfile"})
SAFE_PRAGMAS = frozenset({"data_version", "page_size"})
"""The full-text indexes ask for them while they are read."""

UNREADABLE = (
    *("syntax error", "incomplete input", "unrecognized token"),
    *("stack overflow", "too large", "too many"),
)
"""Words of SQLite's errors that are about the text itself."""

LONGEST_VALUE = 20_000_000
"""Bytes of one text or blob that a query may build (SQLite's own limit is 1,000,000,000). A single
call of a function cannot be interrupted: its time goes with the length of what it builds."""
LONGEST_PATTERN = 5_000
"""Bytes of a pattern of LIKE or GLOB, whose time goes with its length times that of the text."""

STORAGE_CLASSES = {int: "INTEGER", float: "REAL", str: "TEXT", bytes: "BLOB"}


T = TypeVar("T")


class SQLite(Session, SQLiteFunctions, SQLiteStatistics):
    """A SQLite file, or an empty database in memory (`sqlite://`)."""

    dialect = "sqlite"
    null_order = "smallest"
    zero_divisor = "null"
    has_dates = False
    like_folds_case = True
    takes_bare_columns = True
    view_text = "SELECT sql FROM sqlite_master WHERE type = 'view' AND $1 = 'main' AND name = $2"
    folds: ClassVar[Literal["lower", "ignore"]] = "ignore"

    def __init__(self, url: str, settings: Settings) -> None:
        super().__init__(url, settings)
        self._path = self._url.existing_file()
        self._connection: sqlite3.Connection | None = None
        self._opened_version = -1
        self._connect()

    def server_version(self) -> str:
        return f"SQLite {sqlite3.sqlite_version}"

    def _plan(self, statement: str, parameters: Parameters, watch: Watch) -> Plan:
        with self._locked_down(watch) as connection:
            cursor = connection.execute(*_bound(f"EXPLAIN QUERY PLAN {statement}", parameters))
            depth = {0: -1}
            lines = []
            for node, parent, _, detail in cursor:
                depth[node] = depth[parent] + 1
                lines.append("  " * depth[node] + detail)
        return Plan("\n".join(lines))

    def _parse(self, statement: str, watch: Watch) -> None:
        with self._locked_down(watch) as connection:
            connection.execute(f"EXPLAIN {statement}").close()

    def _is_syntax(self, error: QueryError) -> bool:
        return any(words in error.message for words in UNREADABLE)

    def server_facts(self, table: Table, column: str) -> ServerFacts | None:
        def work(connection: sqlite3.Connection) -> ServerFacts | None:
            return read_server_facts(connection, table, column)

        return self._do(self.settings.probe_timeout, lambda watch: self._internal(watch, work))

    def _connect(self) -> sqlite3.Connection:
        name = ":memory:" if self._path is None else f"file:{quote(str(self._path))}?mode=ro"
        try:
            connection = sqlite3.connect(
                name,
                timeout=self.settings.connect_timeout,
                isolation_level=None,
                check_same_thread=False,
                uri=True,
            )
            connection.text_factory = _text
            connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
            connection.setlimit(sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, LONGEST_PATTERN)
            connection.execute("PRAGMA query_only = ON")
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
        except sqlite3.Error as error:
            raise translate_opening(error, str(self._path)) from error
        self._connection, self._opened_version = connection, -1
        return connection

    def _run(
        self, statement: str, parameters: Parameters, rows: int, watch: Watch
    ) -> tuple[tuple[ResultColumn, ...], list[tuple[Any, ...]]]:
        with self._locked_down(watch) as connection:
            cursor = connection.execute(*_bound(statement, parameters))
            if cursor.description is None:
                raise no_rows()
            found = within(cursor, rows, self.settings.max_bytes)
            names = [item[0] for item in cursor.description]
            cursor.close()
        columns = (
            ResultColumn(name, _storage_class(row[i] for row in found))
            for i, name in enumerate(names)
        )
        return tuple(columns), found

    @contextmanager
    def _locked_down(self, watch: Watch) -> Iterator[sqlite3.Connection]:
        """The connection while its authorizer allows nothing but reading."""
        connection = self._connection or self._connect()
        try:
            self._open_virtual_tables(connection)
            connection.set_authorizer(_authorize)
            yield connection
        except (sqlite3.Error, sqlite3.Warning, OverflowError) as error:
            self._disconnect()  # a refused VACUUM, for one, leaves the connection changed
            raise translate(error, watch) from error
        finally:
            if self._connection is not None:
                connection.set_authorizer(None)

    def _open_virtual_tables(self, connection: sqlite3.Connection) -> None:
        """The first use of a virtual table after a change of the schema builds it, which asks
        for rights to write that no query gets: it is done here, once.
        """
        (version,) = connection.execute("PRAGMA schema_version").fetchone()
        if version == self._opened_version:
            return
        virtual = connection.execute("SELECT name FROM pragma_table_list WHERE type = 'virtual'")
        for (name,) in virtual.fetchall():
            with suppress(sqlite3.OperationalError):  # a module that is not there
                connection.execute(f"SELECT 1 FROM {self.quote(name)} LIMIT 0")
        for function in ("json_each", "json_tree"):
            connection.execute(f"SELECT 1 FROM {function}('[]')")
        self._opened_version = version

    def _stop(self, attempt: int) -> None:
        connection = self._connection
        if connection is not None:
            connection.interrupt()

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _fingerprint(self, watch: Watch) -> str:
        return str(self._internal(watch, lambda c: c.execute("PRAGMA schema_version").fetchone()))

    def _read_tables(self, watch: Watch) -> tuple[list[Table], tuple[str, ...]]:
        return self._internal(watch, read_tables), ("main",)

    def _internal(self, watch: Watch, work: Callable[[sqlite3.Connection], T]) -> T:
        try:
            return work(self._connection or self._connect())
        except sqlite3.Error as error:
            raise translate(error, watch) from error


def _authorize(
    action: int, first: str | None, second: str | None, database: str | None, origin: str | None
) -> int:
    """https://www.sqlite.org/c3ref/c_alter_table.html says what the arguments are."""
    if action in READS:
        return sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_FUNCTION and (second or "").lower() not in FORBIDDEN_FUNCTIONS:
        return sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_PRAGMA and (first or "").lower() in SAFE_PRAGMAS and not second:
        return sqlite3.SQLITE_OK
    return sqlite3.SQLITE_DENY


def _bound(statement: str, parameters: Parameters) -> tuple[str, Mapping[str, Any] | Sequence[Any]]:
    """`$1` is a named placeholder to SQLite: its value goes under the name "1"."""
    if parameters is None:
        return statement, ()
    if not isinstance(parameters, Mapping) and re.search(r"\$1\b", statement):
        return statement, {str(i): value for i, value in enumerate(parameters, 1)}
    return statement, parameters


def _text(raw: bytes) -> str | bytes:
    """SQLite keeps any bytes as text; what is not UTF-8 stays bytes."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw


def _storage_class(values: Iterator[Any]) -> str:
    """The one storage class of a column's values, "" where they differ or are all NULL."""
    classes = {STORAGE_CLASSES[type(value)] for value in values if value is not None}
    if classes == {"INTEGER", "REAL"}:
        return "REAL"
    return classes.pop() if len(classes) == 1 else ""

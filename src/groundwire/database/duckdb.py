"""DuckDB: the embedded default. The file is opened read-only and every door is locked.

Traps that this module closes (DuckDB 2.0):

* There is no time limit of its own: a watch interrupts the query.
* The Python client reads variables of its caller as tables, and opens files of other formats
  by loading an extension for them.
* The driver gives months as 30 days, nanoseconds cut to microseconds, geometry as bytes and an
  infinite date as the year 1 or 9999: such columns are asked for as text.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from groundwire.database.base import Parameters, Plan
from groundwire.database.catalog import Table
from groundwire.database.ceiling import within
from groundwire.database.duckdb_catalog import read_tables
from groundwire.database.duckdb_errors import several, translate, translate_opening, wrong_kind
from groundwire.database.duckdb_plan import read_plan
from groundwire.database.duckdb_statistics import DuckDBStatistics
from groundwire.database.duckdb_text import from_text
from groundwire.database.functions import DuckDBFunctions
from groundwire.database.result import ResultColumn
from groundwire.database.session import Session, Watch
from groundwire.errors import QueryError
from groundwire.settings import Settings

if TYPE_CHECKING:
    import duckdb

__all__ = ["DuckDB"]

LOCKED: dict[str, str | bool | int | float | list[str]] = {
    "enable_external_access": "false",
    "autoload_known_extensions": "false",
    "autoinstall_known_extensions": "false",
    "python_enable_replacements": "false",
    "lock_configuration": "true",
}
"""https://duckdb.org/docs/stable/operations_manual/securing_duckdb/overview"""

CHUNK = 25
"""Rows that are taken from the engine at once."""
LOSSY_TYPES = ("INTERVAL", "TIMESTAMP_NS", "GEOMETRY")
CLAMPED = (date.min, date.max)


class DuckDB(Session, DuckDBFunctions, DuckDBStatistics):
    """A DuckDB file, or an empty database in memory (`duckdb://`)."""

    dialect = "duckdb"
    null_order = "last"
    zero_divisor = "infinity"
    folds: ClassVar[Literal["lower", "ignore"]] = "ignore"

    def __init__(self, url: str, settings: Settings) -> None:
        super().__init__(url, settings)
        self._path = self._url.existing_file()
        self._stamp = "memory"
        self._instance: duckdb.DuckDBPyConnection | None = None
        self._cursor: duckdb.DuckDBPyConnection | None = None
        self._connect()

    def server_version(self) -> str:
        import duckdb

        return f"DuckDB {duckdb.__version__}"

    def _plan(self, statement: str, parameters: Parameters, watch: Watch) -> Plan:
        with self._session(watch) as cursor:
            _admit(cursor, statement)
            rows = cursor.execute("EXPLAIN (FORMAT json) " + statement, parameters).fetchall()
        return read_plan(rows[0][1])

    def _parse(self, statement: str, watch: Watch) -> None:
        with self._session(watch) as cursor:
            _admit(cursor, statement)

    def _is_syntax(self, error: QueryError) -> bool:
        return error.code == "ParserException"

    def _run(
        self, statement: str, parameters: Parameters, rows: int, watch: Watch
    ) -> tuple[tuple[ResultColumn, ...], list[tuple[Any, ...]]]:
        with self._session(watch) as cursor:
            admitted = _admit(cursor, statement)
            return _fetch(cursor, admitted, parameters, rows, self.settings.max_bytes)

    @contextmanager
    def _session(self, watch: Watch) -> Iterator[duckdb.DuckDBPyConnection]:
        """A new session in a read-only transaction; it ends with the block."""
        import duckdb

        cursor = self._current_instance().cursor()
        self._cursor = cursor
        try:
            cursor.execute("BEGIN TRANSACTION READ ONLY")
            yield cursor
        except duckdb.Error as error:
            if isinstance(error, duckdb.FatalException):
                self._disconnect()  # DuckDB refuses everything after a fatal error
            raise translate(error, watch) from error
        finally:
            self._cursor = None
            cursor.close()

    def _stop(self, attempt: int) -> None:
        cursor = self._cursor
        if cursor is not None:
            cursor.interrupt()

    def _current_instance(self) -> duckdb.DuckDBPyConnection:
        """The open file; the new file where it was replaced meanwhile."""
        if self._instance is not None and self._file_stamp() != self._stamp:
            self._disconnect()
        return self._instance or self._connect()

    def _connect(self) -> duckdb.DuckDBPyConnection:
        import duckdb

        self._stamp = self._file_stamp()
        name = ":memory:" if self._path is None else str(self._path)
        try:
            self._instance = duckdb.connect(name, self._path is not None, LOCKED)
        except duckdb.Error as error:
            raise translate_opening(error, name) from error
        return self._instance

    def _disconnect(self) -> None:
        if self._instance is not None:
            self._instance.close()
            self._instance = None

    def _file_stamp(self) -> str:
        if self._path is None:
            return self._stamp
        try:
            status = os.stat(self._path)
        except FileNotFoundError:
            return self._stamp  # removed under us: what is open stays readable
        return f"{status.st_dev}-{status.st_ino}-{status.st_mtime_ns}-{status.st_size}"

    def _fingerprint(self, watch: Watch) -> str:
        return self._file_stamp()

    def _read_tables(self, watch: Watch) -> tuple[list[Table], tuple[str, ...]]:
        with self._session(watch) as cursor:
            return read_tables(cursor)


def _admit(cursor: duckdb.DuckDBPyConnection, statement: str) -> Any:
    """The parsed statement, if the text is exactly one SELECT (DESCRIBE and SHOW are too).

    Raises:
        ReadOnlyError: it is none, or more than one, or of another kind.
    """
    import duckdb

    parsed = cursor.extract_statements(statement)
    if len(parsed) != 1:
        raise several(len(parsed))
    if parsed[0].type != duckdb.StatementType.SELECT:
        raise wrong_kind(parsed[0].type.name)
    return parsed[0]


def _fetch(
    cursor: duckdb.DuckDBPyConnection,
    statement: Any,
    parameters: Parameters,
    rows: int,
    max_bytes: int,
) -> tuple[tuple[ResultColumn, ...], list[tuple[Any, ...]]]:
    relation = cursor.sql(statement, params=parameters)
    types = [str(kind) for kind in relation.types]
    columns = tuple(ResultColumn(n, t) for n, t in zip(relation.columns, types, strict=True))
    as_text = {
        i
        for i, kind in enumerate(types)
        if kind == "JSON" or any(word in kind for word in LOSSY_TYPES)
    }
    found = _fetch_rows(cursor, statement, parameters, rows, max_bytes, types, as_text)
    clamped = {i for i in range(len(types)) if any(_is_clamped(row[i]) for row in found)}
    if clamped:
        as_text |= clamped
        found = _fetch_rows(cursor, statement, parameters, rows, max_bytes, types, as_text)
    return columns, found


def _fetch_rows(
    cursor: duckdb.DuckDBPyConnection,
    statement: Any,
    parameters: Parameters,
    rows: int,
    max_bytes: int,
    types: Sequence[str],
    as_text: set[int],
) -> list[tuple[Any, ...]]:
    if not as_text:
        return within(_each_row(cursor.execute(statement, parameters)), rows, max_bytes)
    wanted = ", ".join(
        f"#{i + 1}::VARCHAR" if i in as_text else f"#{i + 1}" for i in range(len(types))
    )
    relation = cursor.sql(statement, params=parameters)
    found = within(relation.project(wanted).limit(rows).fetchall(), rows, max_bytes)
    return [_read_row(row, types, as_text) for row in found]


def _each_row(cursor: duckdb.DuckDBPyConnection) -> Iterator[tuple[Any, ...]]:
    while rows := cursor.fetchmany(CHUNK):
        yield from rows


def _read_row(row: Sequence[Any], types: Sequence[str], as_text: set[int]) -> tuple[Any, ...]:
    return tuple(
        from_text(value, types[i]) if i in as_text and value is not None else value
        for i, value in enumerate(row)
    )


def _is_clamped(value: Any) -> bool:
    """A date or timestamp that may stand for an infinite one."""
    if isinstance(value, datetime):
        value = value.date()
    return isinstance(value, date) and value in CLAMPED

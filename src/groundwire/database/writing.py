"""The one door through which Groundwire writes: loaders of packs, and fixtures of tests.

Everything else connects read-only. Here the raw connection of the driver is given out, and its
exceptions come back as errors of the tree.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from groundwire.database.url import DatabaseUrl, parse
from groundwire.errors import DriverMissing, GroundwireError, QueryError, StorageError, UsageError

__all__ = ["open_for_writing"]

MEMORY = ":memory:"
FULL = ("No space left on device", "disk is full", "Disk quota", "Could not write all bytes")
SQLITE_STORAGE = ("SQLITE_FULL", "SQLITE_IOERR", "SQLITE_READONLY", "SQLITE_CANTOPEN")


@contextmanager
def open_for_writing(url: str) -> Iterator[Any]:
    """The raw connection of the driver to a database; a missing file is created.

    Yields a `duckdb.DuckDBPyConnection`, a `sqlite3.Connection` or a `psycopg.Connection`, the
    last two with a transaction under way that is committed at the end of the block and rolled
    back when it fails. DuckDB commits each statement unless told otherwise.

    Raises:
        UsageError: the URL is of a kind that Groundwire does not load into.
        DriverMissing: the extra with the driver is not installed.
        Unreachable, AccessDenied: as `groundwire.connect`.
        StorageError: the disk is full, or the file cannot be written or is no database.
        QueryError: the database refused a statement.
    """
    parsed = parse(url)
    if parsed.scheme == "duckdb":
        manager = _duckdb(parsed)
    elif parsed.scheme == "sqlite":
        manager = _sqlite(parsed)
    elif parsed.scheme in ("postgresql", "postgres"):
        manager = _postgres(parsed)
    else:
        raise UsageError(
            f"Nothing is loaded into databases of the kind {parsed.scheme}://.",
            hint="Load into duckdb://, sqlite:// or postgresql://.",
        )
    with manager as connection:
        yield connection


@contextmanager
def _duckdb(url: DatabaseUrl) -> Iterator[Any]:
    import duckdb

    from groundwire.database.duckdb_errors import no_database, translate_opening

    name = _writable_file(url)
    try:
        connection = duckdb.connect(name)
    except duckdb.Error as error:
        raise translate_opening(error, name) from error
    with connection:
        opened = "SELECT path FROM duckdb_databases() WHERE database_name = current_database()"
        if name != MEMORY and connection.execute(opened).fetchone() == (None,):
            raise no_database(name)
        try:
            yield connection
        except duckdb.Error as error:
            raise _failed(error, type(error).__name__, _is_storage_trouble(error)) from error


@contextmanager
def _sqlite(url: DatabaseUrl) -> Iterator[Any]:
    from groundwire.database.sqlite_errors import translate_opening

    name = _writable_file(url)
    try:
        connection = sqlite3.connect(name)
        connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
    except sqlite3.Error as error:
        raise translate_opening(error, name) from error
    try:
        with closing(connection), connection:
            yield connection
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorname", "")
        raise _failed(error, code, code.startswith(SQLITE_STORAGE)) from error


@contextmanager
def _postgres(url: DatabaseUrl) -> Iterator[Any]:
    url.check_password()
    try:
        import psycopg
    except ImportError as error:
        raise DriverMissing(
            f"The driver for {url.scheme}:// is not installed ({error}).",
            hint="Install it: pip install 'groundwire[postgres]'",
        ) from error

    from groundwire.database.postgres_errors import translate_connecting, translate_writing

    try:
        connection = psycopg.connect(url.text, client_encoding="utf8", connect_timeout=10)
    except psycopg.Error as error:
        raise translate_connecting(error, url.masked) from error
    try:
        with connection:
            yield connection
    except psycopg.Error as error:
        raise translate_writing(error) from error


def _writable_file(url: DatabaseUrl) -> str:
    path = url.path()
    if path is None:
        return MEMORY
    folder = path.parent
    if not folder.is_dir():
        raise StorageError(
            f"The folder {folder} does not exist.", hint=f"Make it first: mkdir -p {folder}"
        )
    try:
        existed = path.exists()
        with Path(path).open("ab"):
            pass
        if not existed:
            path.unlink()
    except OSError as error:
        raise StorageError(
            f"{path} cannot be written: {error.strerror}.",
            hint="Choose another folder, or give the user that runs Groundwire the right to write.",
        ) from error
    return str(path)


def _is_storage_trouble(error: Exception) -> bool:
    import duckdb

    return isinstance(error, duckdb.IOException | duckdb.FatalException | duckdb.InternalException)


def _failed(error: Exception, code: str, storage: bool) -> GroundwireError:
    message = str(error)
    if any(words in message for words in FULL):
        return StorageError(
            f"The disk is full: {message}.",
            hint="Make room and start again; what was committed is kept.",
            code=code,
        )
    if storage:
        return StorageError(
            f"The database cannot be written: {message}.",
            hint="Check the disk, and the rights of the file and of its folder.",
            code=code,
        )
    return QueryError(message, code=code)

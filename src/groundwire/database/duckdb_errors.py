"""DuckDB's exceptions as errors of the tree. DuckDB has no codes: its words are the code."""

from __future__ import annotations

from groundwire.database.watch import Watch, stopped
from groundwire.errors import (
    ConnectionLost,
    GroundwireError,
    QueryError,
    ReadOnlyError,
    StorageError,
    UnknownName,
)

__all__ = ["no_database", "several", "translate", "translate_opening", "wrong_kind"]

UNKNOWN_NAME = (
    "does not exist",
    "not found in FROM clause",
    "not found!",
    "does not have a column",
)


def several(count: int) -> ReadOnlyError:
    """The text holds no statement, or more than one."""
    what = "is empty" if count == 0 else f"holds {count} statements"
    return ReadOnlyError(f"The query {what}.", hint="Send exactly one SELECT statement.")


def wrong_kind(kind: str) -> ReadOnlyError:
    """The statement is of a kind that does not only read."""
    return ReadOnlyError(
        f"A statement of the kind {kind} is not a read.", hint="Send one SELECT statement."
    )


def translate(error: Exception, watch: Watch) -> GroundwireError:
    """The error of the tree for an exception of a running query."""
    import duckdb

    message = str(error)
    code = _code(error)
    if isinstance(error, duckdb.InterruptException):
        return stopped(watch, "DuckDB interrupted it.", code) or QueryError(message, code=code)
    if isinstance(error, duckdb.CatalogException | duckdb.BinderException) and any(
        words in message for words in UNKNOWN_NAME
    ):
        return UnknownName(message, hint="Check the name against the schema.", code=code)
    if isinstance(error, duckdb.PermissionException) or "read-only mode" in message:
        return ReadOnlyError(
            message,
            hint="Only the tables of this database can be read: no files, no network, no changes.",
            code=code,
        )
    if isinstance(error, duckdb.OutOfMemoryException):
        return QueryError(
            message, hint="Ask for less at once, or give the process more memory.", code=code
        )
    if isinstance(error, duckdb.FatalException | duckdb.ConnectionException):
        return ConnectionLost(message, hint="Connect again.", code=code)
    if isinstance(error, duckdb.IOException):
        return StorageError(message, hint="Check the disk and the database file.", code=code)
    return QueryError(message, code=code)


def translate_opening(error: Exception, name: str) -> GroundwireError:
    """The error of the tree for a file that could not be opened or created."""
    import duckdb

    message, code = str(error), _code(error)
    if "lock" in message:
        return StorageError(
            f"Another process has {name} open for writing: {message}",
            hint="Wait until it has finished, or close it.",
            code=code,
        )
    if isinstance(error, duckdb.ConnectionException):
        return StorageError(
            f"This process already has {name} open in another mode: {message}",
            hint="Close the other connection first.",
            code=code,
        )
    if isinstance(error, duckdb.PermissionException):
        return StorageError(
            f"{name} is a file of another format than DuckDB's: {message}",
            hint="A SQLite file is opened as sqlite:///file.",
            code=code,
        )
    if "not a valid DuckDB database file" in message or "in-memory database" in message:
        return no_database(name, code)
    return StorageError(
        f"{name} cannot be opened: {message}",
        hint="Check the path, the rights, and that this DuckDB is not older than the file.",
        code=code,
    )


def no_database(name: str, code: str = "") -> StorageError:
    """The file is of another format. DuckDB itself opens a CSV file as a view in memory."""
    return StorageError(
        f"{name} is not a DuckDB database.",
        hint="Check the path; a CSV file is loaded, not opened.",
        code=code,
    )


def _code(error: Exception) -> str:
    return type(error).__name__

"""SQLite's exceptions as errors of the tree, by its result code."""

from __future__ import annotations

from groundwire.database.ceiling import TOO_LARGE
from groundwire.database.watch import Watch, stopped
from groundwire.errors import (
    GroundwireError,
    QueryError,
    ReadOnlyError,
    StorageError,
    UnknownName,
)

__all__ = ["no_rows", "translate", "translate_opening"]

UNKNOWN_NAME = ("no such table", "no such column", "no such function", "no such module")
SEVERAL = "You can only execute one statement at a time"


def no_rows() -> ReadOnlyError:
    """The text is empty or a statement without a result."""
    return ReadOnlyError("The query returns no rows.", hint="Send exactly one SELECT statement.")


def translate(error: Exception, watch: Watch) -> GroundwireError:
    """The error of the tree for an exception of a running query."""
    message = str(error)
    code = getattr(error, "sqlite_errorname", "")
    if code == "SQLITE_INTERRUPT":
        return stopped(watch, "SQLite interrupted it.", code) or QueryError(message, code=code)
    if code == "SQLITE_TOOBIG" or "pattern too complex" in message:
        return QueryError(
            f"The query was stopped at a ceiling of the session: {message}.",
            hint="Build shorter texts, blobs or patterns.",
            code=TOO_LARGE,
        )
    if SEVERAL in message:
        return ReadOnlyError(
            "The query holds several statements.", hint="Send exactly one SELECT statement."
        )
    if code in ("SQLITE_AUTH", "SQLITE_READONLY") or any(
        words in message for words in ("not authorized", "may not be modified")
    ):
        return ReadOnlyError(
            f"SQLite refused the statement: {message}.",
            hint="Only reading is allowed: one SELECT over the tables of this file.",
            code=code,
        )
    if message.startswith(UNKNOWN_NAME):
        return UnknownName(message, hint="Check the name against the schema.", code=code)
    if code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return StorageError(
            f"Another process holds the file: {message}.",
            hint="Try again when it has finished writing.",
            code=code,
        )
    if code.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_IOERR", "SQLITE_CANTOPEN")):
        return StorageError(message, hint="Check the disk and the database file.", code=code)
    return QueryError(message, code=code)


def translate_opening(error: Exception, name: str) -> StorageError:
    """The error of the tree for a file that could not be opened."""
    code = getattr(error, "sqlite_errorname", "")
    if code == "SQLITE_NOTADB":
        return StorageError(
            f"{name} is not a SQLite database.",
            hint="Check the path; a DuckDB file is opened as duckdb:///file.",
            code=code,
        )
    return StorageError(
        f"{name} cannot be opened: {error}.",
        hint="Check the path and the rights; a database in WAL mode also needs its folder "
        "writable or its -wal file.",
        code=code,
    )

"""psycopg's exceptions as errors of the tree, by SQLSTATE.

https://www.postgresql.org/docs/current/errcodes-appendix.html lists the codes. A server's
message may be in any language: only where a failed connection brings no code are words read.
"""

from __future__ import annotations

import re

import psycopg

from groundwire.database.watch import Watch, stopped, timed_out
from groundwire.errors import (
    AccessDenied,
    Cancelled,
    ConnectionLost,
    GroundwireError,
    QueryError,
    ReadOnlyError,
    StorageError,
    UnknownName,
    Unreachable,
    UsageError,
)

__all__ = [
    "no_named_parameters",
    "not_a_read",
    "translate",
    "translate_connecting",
    "translate_writing",
]

UNKNOWN_NAME = {"42P01", "42703", "42883", "3F000", "42704"}
LOST = {"57P01", "57P02", "57P03", "57P05"}
WRITES = {"25006", "25001", "2F002", "2F003", "2F004", "38002", "38003", "38004"}
DENIED = re.compile(
    r"password authentication failed|no password supplied|pg_hba\.conf|authentication failed"
    r'|role ".*" does not exist|role ".*" is not permitted to log in|permission denied for database'
)


def not_a_read(message: str) -> ReadOnlyError:
    """The text is not one SELECT."""
    return ReadOnlyError(message, hint="Send exactly one SELECT statement.")


def no_named_parameters() -> UsageError:
    """The server knows placeholders by their number only."""
    return UsageError(
        "PostgreSQL takes no named parameters.",
        hint="Write $1, $2, … and give the values as a list.",
    )


def translate(error: psycopg.Error, watch: Watch) -> GroundwireError:
    """The error of the tree for an exception of a running statement."""
    code = error.sqlstate or ""
    message = _message(error)
    if code == "57014" or _lost(error):
        by_watch = stopped(watch, message, code)
        if by_watch is not None:
            return by_watch
    if code == "57014":
        # The code says "cancelled" of the server's own time limit too.
        if watch.elapsed >= watch.seconds:
            return timed_out(watch, message, code)
        return Cancelled(f"The query was cancelled on the server: {message}", code=code)
    return translate_writing(error)


def translate_writing(error: psycopg.Error) -> GroundwireError:
    """The error of the tree for an exception that no watch has caused."""
    code, message = error.sqlstate or "", _message(error)
    if _lost(error):
        return ConnectionLost(
            f"The database went away: {message}",
            hint="Check that the server runs, then ask again: the connection is made anew.",
            code=code,
        )
    hint = error.diag.message_hint or ""
    if code in UNKNOWN_NAME:
        return UnknownName(message, hint=hint or "Check the name against the schema.", code=code)
    if code in WRITES:
        return ReadOnlyError(message, hint="Send one SELECT statement that only reads.", code=code)
    if code == "42501":
        return AccessDenied(message, hint=hint or "GRANT SELECT on it to this role.", code=code)
    if code == "53100":
        return StorageError(message, hint=hint or "The server's disk is full.", code=code)
    if code == "53300":
        return Unreachable(message, hint=hint or "Close other connections.", code=code)
    return QueryError(message, hint=hint, code=code)


def translate_connecting(error: Exception, url: str) -> GroundwireError:
    """The error of the tree for a connection that was not made."""
    message = str(error).strip()
    code = getattr(error, "sqlstate", None) or ""
    if isinstance(error, psycopg.ProgrammingError | UnicodeError):
        return UsageError(
            f"{url} is not a PostgreSQL URL: {message}",
            hint="Write postgresql://user:password@host:5432/database; "
            "escape special characters in a password (@ is %40).",
        )
    pgconn = getattr(error, "pgconn", None)
    asked_for_password = pgconn is not None and (pgconn.needs_password or pgconn.used_password)
    if asked_for_password or DENIED.search(message):
        return AccessDenied(
            f"The database at {url} refuses the user or the password: {message}",
            hint="Check user and password; escape special characters in a password (@ is %40).",
            code=code,
        )
    if re.search(r'database ".*" does not exist', message):
        return Unreachable(
            f"There is no such database at {url}: {message}",
            hint="Check the name behind the last slash; `psql -l` lists the databases.",
            code=code,
        )
    return Unreachable(
        f"No database answers at {url}: {message}",
        hint="Check host and port, that the server runs, and that a firewall lets you through.",
        code=code,
    )


def _message(error: psycopg.Error) -> str:
    primary, detail = error.diag.message_primary, error.diag.message_detail
    if primary is None:
        return str(error).strip()
    return f"{primary}. {detail}" if detail else primary


def _lost(error: psycopg.Error) -> bool:
    code = error.sqlstate
    if code is None:
        return isinstance(error, psycopg.OperationalError)
    # 08P01 is a wrong number of parameters, among other things that lose no connection.
    return code in LOST or (code.startswith("08") and code != "08P01")

"""The errors of the Neo4j driver as errors of Groundwire.

Codes: https://neo4j.com/docs/status-codes/5/errors/all-errors/.
"""

from __future__ import annotations

import re

from groundwire.database.watch import Watch, stopped, timed_out
from groundwire.errors import (
    AccessDenied,
    ConnectionLost,
    GroundwireError,
    OperatorError,
    QueryError,
    ReadOnlyError,
    UnknownName,
    Unreachable,
    UsageError,
)

__all__ = ["translate", "translate_opening"]

PLACE = re.compile(r"\(line (\d+), column (\d+) \(offset: (\d+)\)\)")


def translate_opening(error: Exception, url: str, database: str | None) -> GroundwireError:
    """The error of a driver that could not connect."""
    from neo4j.exceptions import ConfigurationError, Neo4jError

    if isinstance(error, Neo4jError):
        code, message = error.code or "", error.message or str(error)
        if ".Security." in code:
            return _denied(code, message, url)
        if code.endswith("DatabaseNotFound"):
            return UsageError(
                f"{url} has no database {database!r}.",
                hint="Put the name of an existing database behind the host: neo4j://host/name.",
                code=code,
            )
    if isinstance(error, (ConfigurationError, ValueError)):
        return UsageError(
            f"The URL {url} is not one that the Neo4j driver takes: {error}",
            hint="Write neo4j://user:password@host:7687/database (neo4j+s:// with encryption).",
        )
    return Unreachable(
        f"No Neo4j server answers at {url}: {_first_line(error)}",
        hint="Start the server, or check host and port (Bolt listens on 7687 by default).",
    )


def translate(error: Exception, watch: Watch, url: str, shift: int = 0) -> GroundwireError:
    """The error of a statement that was sent with `shift` characters of ours before it."""
    from neo4j.exceptions import Neo4jError

    if not isinstance(error, Neo4jError):
        return stopped(watch, "the connection was closed") or ConnectionLost(
            f"The connection to {url} broke: {_first_line(error)}", hint="Is the server running?"
        )
    code, message = error.code or "", _message(error.message or str(error), shift)
    if "TransactionTimedOut" in code:
        return timed_out(watch, "its time limit passed.", code)
    if ".Security." in code:
        return _denied(code, message, url)
    if code.endswith("DatabaseUnavailable"):
        return ConnectionLost(message, hint="Start the database again.", code=code)
    if "Terminated" in code or "LockClientStopped" in code:
        return stopped(watch, message, code) or QueryError(
            "Somebody else terminated the query.", hint="Run it again.", code=code
        )
    return _refused(code, message)


def _refused(code: str, message: str) -> GroundwireError:
    if code.endswith("AccessMode"):
        return ReadOnlyError(message, hint="Only statements that read can be run.", code=code)
    if "OutOfMemory" in code or "StackOverFlow" in code:
        return QueryError(
            f"The query needs more memory than the server gives it: {message}",
            hint="Ask for less: fewer rows, a shorter path, no collect() of everything.",
            code=code,
        )
    if code.endswith("ProcedureNotFound") or message.startswith("Unknown function"):
        return UnknownName(message, hint="Use what this server's version has.", code=code)
    if code.endswith("ParameterMissing"):
        return QueryError(message, hint="Give every $parameter a value.", code=code)
    if code.endswith("SemanticError") and message.startswith("Variable"):
        return UnknownName(message, hint="Bind the variable in a MATCH or WITH first.", code=code)
    return QueryError(message, code=code)


def _denied(code: str, message: str, url: str) -> OperatorError:
    return AccessDenied(
        f"{url} refuses the user or the password: {message}",
        hint="Put them into the URL: neo4j://user:password@host (percent-encode @, : and /).",
        code=code,
    )


def _message(text: str, shift: int) -> str:
    """The server's message without its picture of the place; the place counts our text only."""
    text, _, _ = text.partition('\n"')

    def moved(place: re.Match[str]) -> str:
        line, column, offset = (int(number) for number in place.groups())
        column -= shift if line == 1 else 0
        return f"(line {line}, column {max(column, 1)} (offset: {max(offset - shift, 0)}))"

    return PLACE.sub(moved, text)


def _first_line(error: Exception) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]

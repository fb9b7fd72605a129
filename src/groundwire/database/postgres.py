"""PostgreSQL through psycopg 3.

How a statement is held to reading (measured on PostgreSQL 15 and 18):

1. It is parsed by the server as `DECLARE … CURSOR FOR <statement>`, and not run: the server's
   own grammar and analysis take exactly one SELECT there, without INTO and without a
   data-modifying WITH.
2. It then runs alone, in the extended protocol, which takes one statement only, inside a
   read-only transaction that already has a snapshot, so that nothing can make it writable.
3. It ends in ROLLBACK and DISCARD ALL; after an error of the connection, a time-out or a
   cancellation the session is replaced.

Nothing is run through a cursor, which would cost the parallel plans.
"""

from __future__ import annotations

import math
import os
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import psycopg
from psycopg.pq import ExecStatus, TransactionStatus

from groundwire.database.base import CanReportRights, Parameters, Plan, Rights
from groundwire.database.catalog import Table
from groundwire.database.ceiling import within
from groundwire.database.postgres_catalog import read_tables
from groundwire.database.postgres_errors import (
    no_named_parameters,
    not_a_read,
    translate,
    translate_connecting,
)
from groundwire.database.postgres_functions import LISTED, PostgresFunctions
from groundwire.database.postgres_hidden import Hidden, read_hidden
from groundwire.database.postgres_plan import read_plan
from groundwire.database.postgres_rights import read_rights
from groundwire.database.postgres_state import MOMENT, State, read_state
from groundwire.database.postgres_statistics import PostgresStatistics
from groundwire.database.postgres_types import TypeBook
from groundwire.database.result import ResultColumn
from groundwire.database.session import Session, Watch
from groundwire.errors import QueryError
from groundwire.settings import Settings

if TYPE_CHECKING:
    from psycopg.pq.abc import PGresult

__all__ = ["PostgreSQL"]

BEGIN = """
BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY;
SELECT set_config('statement_timeout', '{milliseconds}', true),
       set_config('DateStyle', 'ISO', true), set_config('IntervalStyle', 'iso_8601', true),
       set_config('standard_conforming_strings', 'on', true)
"""
SYNTAX_ERROR = "42601"
CHUNK = 25
"""Rows that are received at once, and so beyond the ceiling of a result's bytes at most."""


class PostgreSQL(Session, PostgresFunctions, PostgresStatistics, CanReportRights):
    """A PostgreSQL server, 13 or newer."""

    dialect = "postgres"
    null_order = "largest"
    zero_divisor = "error"
    sums_bigints_exactly = True
    folds: ClassVar[Literal["lower", "ignore"]] = "lower"
    pause = 1.0
    grace = 1.0

    def __init__(self, url: str, settings: Settings) -> None:
        super().__init__(url, settings)
        self._url.check_password()
        self._types = TypeBook()
        self._connection: psycopg.Connection[Any] | None = None
        self._known: Hidden | None = None
        self._stood: State | None = None
        self._connect()

    def server_version(self) -> str:
        def work(watch: Watch) -> str:
            with self._asking(watch) as ask:
                return f"PostgreSQL {ask('SHOW server_version')[0][0].split()[0]}"

        return self._do(self.settings.probe_timeout, work)

    def _plan(self, statement: str, parameters: Parameters, watch: Watch) -> Plan:
        with self._transaction(watch) as connection:
            _admit(connection, statement)
            text = "EXPLAIN (FORMAT JSON) " + statement
            cursor = psycopg.RawCursor(connection)
            rows = list(cursor.stream(text.encode(), _positional(parameters)))
        return read_plan(rows[0][0][0]["Plan"])

    def _parse(self, statement: str, watch: Watch) -> None:
        with self._transaction(watch) as connection:
            _admit(connection, statement)

    def _is_syntax(self, error: QueryError) -> bool:
        return error.code == SYNTAX_ERROR

    def rights(self) -> Rights:
        def work(watch: Watch) -> Rights:
            with self._asking(watch) as ask:
                return read_rights(ask)

        return self._do(self.settings.query_timeout, work)

    def _hidden(self) -> Hidden:
        def work(watch: Watch) -> Hidden:
            version = self._state(watch).hidden
            if self._known is None or self._known.version != version:
                with self._asking(watch) as ask:
                    self._known = read_hidden(ask, version, LISTED)
            return self._known

        return self._do(self.settings.query_timeout, work)

    def _run(
        self, statement: str, parameters: Parameters, rows: int, watch: Watch
    ) -> tuple[tuple[ResultColumn, ...], list[tuple[Any, ...]]]:
        with self._transaction(watch) as connection:
            _admit(connection, statement)
            cursor = psycopg.RawCursor(connection)
            stream = cursor.stream(statement.encode(), _positional(parameters), size=CHUNK)
            with closing(stream):  # type: ignore[type-var]  # it is a generator
                found = within(stream, rows, self.settings.max_bytes)
            if connection.info.transaction_status == TransactionStatus.INERROR:
                connection.execute("ROLLBACK AND CHAIN")  # the rest of the rows was cancelled
            result = cursor.pgresult or _describe(connection, statement)
            return self._types.read(connection, result, found)

    @contextmanager
    def _asking(self, watch: Watch) -> Iterator[Callable[..., list[tuple[Any, ...]]]]:
        """A function for statements of our own, all in one transaction."""
        with self._transaction(watch) as connection:
            cursor = psycopg.RawCursor(connection)
            yield lambda text, *values: cursor.execute(text.encode(), *values).fetchall()

    @contextmanager
    def _transaction(self, watch: Watch) -> Iterator[psycopg.Connection[Any]]:
        """A read-only transaction with a time limit, in a session that is fresh afterwards."""
        try:
            connection = self._begin(watch)
            try:
                yield connection
            finally:
                self._reset(connection, watch)
        except psycopg.Error as error:
            raise translate(error, watch) from error

    def _begin(self, watch: Watch) -> psycopg.Connection[Any]:
        """Begin a transaction; on a new connection where the old one went away while idle."""
        reused = self._connection
        connection = reused or self._connect()
        try:
            _begin(connection, watch.seconds)
        except psycopg.OperationalError:
            self._disconnect()
            if reused is None or watch.reason:
                raise
            connection = self._connect()
            _begin(connection, watch.seconds)
        return connection

    def _reset(self, connection: psycopg.Connection[Any], watch: Watch) -> None:
        """Undo whatever the transaction did to its session, or give the session up."""
        try:
            if watch.reason or connection.closed:
                raise psycopg.OperationalError("the session is replaced")
            connection.execute("ROLLBACK")
            connection.execute("DISCARD ALL")
        except psycopg.Error:
            self._disconnect()

    def _connect(self) -> psycopg.Connection[Any]:
        try:
            self._connection = psycopg.connect(
                self._url.text,
                autocommit=True,
                prepare_threshold=None,
                context=self._types,
                client_encoding="utf8",
                connect_timeout=max(2, math.ceil(self.settings.connect_timeout)),
                application_name="groundwire",
            )
        except (psycopg.Error, UnicodeError) as error:
            raise translate_connecting(error, self.url) from error
        return self._connection

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = self._stood = None

    def _stop(self, attempt: int) -> None:
        """Ask the server to cancel; then end its process; then hang up from our side."""
        connection = self._connection
        if connection is None or connection.closed:
            return
        with suppress(psycopg.Error, OSError):
            if attempt == 0:
                connection.cancel_safe(timeout=2)
            elif attempt == 1:
                self._terminate(connection.info.backend_pid)
            else:
                with socket.socket(fileno=os.dup(connection.fileno())) as line:
                    line.shutdown(socket.SHUT_RDWR)

    def _terminate(self, process: int) -> None:
        with psycopg.connect(self._url.text, autocommit=True, connect_timeout=2) as other:
            other.execute("SET statement_timeout = '2s'")
            other.execute("SELECT pg_terminate_backend(%s)", [process])

    def _fingerprint(self, watch: Watch) -> str:
        return self._state(watch).tables

    def moment(self) -> str:
        return self._do(self.settings.probe_timeout, lambda watch: self._state(watch).moment)

    def _state(self, watch: Watch) -> State:
        """What is remembered stands while this does; one statement where nothing was written."""
        if self._stood is None or self._stood.moment != self._moment(watch):
            with self._asking(watch) as ask:
                self._stood = read_state(ask)
        return self._stood

    def _moment(self, watch: Watch) -> str | None:
        """The moment of the session; None where it is over, and another one has to be begun.

        It is a constant statement of our own that leaves no trace, so it needs no transaction.
        """
        if self._connection is None:
            return None
        try:
            ((moment,),) = self._connection.execute(MOMENT.encode()).fetchall()
        except psycopg.Error as error:
            self._disconnect()
            if watch.reason:
                raise translate(error, watch) from error
            return None
        return str(moment)

    def _read_tables(self, watch: Watch) -> tuple[list[Table], tuple[str, ...]]:
        with self._asking(watch) as ask:
            return read_tables(ask)


def _begin(connection: psycopg.Connection[Any], seconds: float) -> None:
    connection.execute(BEGIN.format(milliseconds=max(1, math.ceil(seconds * 1000))).encode())


def _admit(connection: psycopg.Connection[Any], statement: str) -> None:
    """Have the server parse the statement where only one SELECT may stand.

    Raises:
        ReadOnlyError: it is several statements, or one of another kind.
        psycopg.Error: it is wrong SQL.
    """
    from psycopg import errors

    try:
        _parse(connection, "DECLARE groundwire NO SCROLL CURSOR FOR\n" + statement)
    except errors.SyntaxError as as_select:
        connection.execute("ROLLBACK AND CHAIN")
        try:
            _parse(connection, statement)
        except errors.SyntaxError as error:
            if error.diag.source_function == "exec_parse_message":
                raise not_a_read("The text holds several statements.") from error
            raise
        raise not_a_read("The statement is not a SELECT.") from as_select
    except psycopg.Error as error:
        if error.diag.source_function == "transformDeclareCursorStmt":
            raise not_a_read("A part of the statement changes data or locks rows.") from error
        raise


def _parse(connection: psycopg.Connection[Any], text: str) -> None:
    """Let the server parse and analyse a text without running it."""
    from psycopg.generators import execute

    connection.pgconn.send_prepare(b"", text.encode())
    (result,) = connection.wait(execute(connection.pgconn))
    if result.status == ExecStatus.FATAL_ERROR:
        raise psycopg.errors.error_from_result(result)


def _describe(connection: psycopg.Connection[Any], statement: str) -> PGresult:
    """The columns of a statement, which a result without rows does not tell."""
    from psycopg.generators import execute

    _parse(connection, statement)
    connection.pgconn.send_describe_prepared(b"")
    result: PGresult
    (result,) = connection.wait(execute(connection.pgconn))
    return result


def _positional(parameters: Parameters) -> list[Any] | None:
    if isinstance(parameters, Mapping):
        raise no_named_parameters()
    return None if parameters is None else list(parameters)

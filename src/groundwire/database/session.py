"""What the SQL drivers share: one statement at a time, a way to stop it, a cached catalog."""

from __future__ import annotations

import threading
import time
from abc import abstractmethod
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar, Literal, TypeVar

from groundwire.database.base import CanExplain, CanParse, Parameters, Plan, SqlDatabase
from groundwire.database.catalog import Catalog, Table
from groundwire.database.result import Result, ResultColumn
from groundwire.database.scope import Scope
from groundwire.database.url import DatabaseUrl, parse
from groundwire.database.watch import Watch
from groundwire.errors import AccessDenied, QueryError, QueryTimeout, ReadOnlyError, UsageError
from groundwire.settings import Settings

__all__ = ["Session", "Watch", "check_text"]

T = TypeVar("T")


class Session(SqlDatabase, CanExplain, CanParse):
    """A SQL database behind one connection. A driver gives the abstract methods.

    The work is done in a thread of the session while the caller's thread watches over it: a
    time limit, `cancel()` and Ctrl-C reach it there, whatever the driver is busy with.
    """

    folds: ClassVar[Literal["lower", "ignore"]]
    pause: ClassVar[float] = 0.02
    """Seconds between two attempts to stop a statement: a single one can come too early."""
    grace: ClassVar[float] = 0.0
    """Seconds that the server's own time limit gets before the session stops the statement."""

    def __init__(self, url: str, settings: Settings) -> None:
        self._url: DatabaseUrl = parse(url)
        super().__init__(self._url.masked, settings)
        self._lock = threading.Lock()
        self._worker = ThreadPoolExecutor(1, "groundwire-session")
        self._watch: Watch | None = None
        self._catalog: Catalog | None = None
        self._closed = False

    def execute(
        self,
        statement: str,
        parameters: Parameters = None,
        *,
        max_rows: int | None = None,
        timeout: float | None = None,
    ) -> Result:
        limit = self.settings.max_rows if max_rows is None else max_rows
        seconds = self.settings.query_timeout if timeout is None else timeout
        if limit < 0 or seconds <= 0:
            raise UsageError(
                f"max_rows={limit} and timeout={seconds} make no sense.",
                hint="Give a number of rows from 0 and a number of seconds above 0.",
            )
        check_text(statement)

        def work(watch: Watch) -> Result:
            started = time.perf_counter()
            columns, rows = self._run(statement, parameters, limit + 1, watch)
            elapsed = time.perf_counter() - started
            return Result(columns, tuple(rows[:limit]), len(rows) > limit, elapsed)

        return self._do(seconds, work)

    def explain(self, statement: str, parameters: Parameters = None) -> Plan:
        check_text(statement)
        return self._do(
            self.settings.query_timeout, lambda watch: self._plan(statement, parameters, watch)
        )

    def syntax_error(self, statement: str) -> QueryError | None:
        try:
            check_text(statement)
        except QueryError as error:
            return error
        try:
            self._do(self.settings.probe_timeout, lambda watch: self._parse(statement, watch))
        except QueryTimeout:
            raise
        except QueryError as error:
            return error if isinstance(error, ReadOnlyError) or self._is_syntax(error) else None
        except AccessDenied:
            pass  # it was read
        return None

    def cancel(self) -> None:
        watch = self._watch
        if watch is not None:
            watch.cancel()

    def close(self) -> None:
        self.cancel()
        with self._lock:
            self._closed = True
            self._worker.shutdown()
            self._disconnect()

    def catalog(self, *, refresh: bool = False) -> Catalog:
        def work(watch: Watch) -> Catalog:
            version = self._fingerprint(watch)
            if not refresh and self._catalog is not None and self._catalog.version == version:
                return self._catalog
            tables, search_path = self._read_tables(watch)
            visible = Scope(self.settings.schemas, self.settings.exclude).apply(tables)
            self._catalog = Catalog(self.dialect, visible, search_path, self.folds, version)
            return self._catalog

        return self._do(self.settings.query_timeout, work)

    def _do(self, seconds: float, work: Callable[[Watch], T]) -> T:
        """Have one piece of work done; one at a time, and stopped when it has to be."""
        with self._lock:
            if self._closed:
                raise UsageError(f"{self.url} is closed.", hint="Connect again.")
            watch = Watch(seconds, self._stop, self.pause, self.grace)
            self._watch = watch
            try:
                return watch.run(self._worker, lambda: work(watch))
            finally:
                self._watch = None

    @abstractmethod
    def _run(
        self, statement: str, parameters: Parameters, rows: int, watch: Watch
    ) -> tuple[tuple[ResultColumn, ...], list[tuple[Any, ...]]]:
        """Run one statement and fetch at most `rows` rows; leave no trace in the session."""

    @abstractmethod
    def _plan(self, statement: str, parameters: Parameters, watch: Watch) -> Plan:
        """Plan one statement without running it."""

    @abstractmethod
    def _parse(self, statement: str, watch: Watch) -> None:
        """Have the engine read one SELECT without planning or running it."""

    @abstractmethod
    def _is_syntax(self, error: QueryError) -> bool:
        """An error of `_parse` is about the grammar, not about a name or a type."""

    @abstractmethod
    def _stop(self, attempt: int) -> None:
        """Stop what runs now, from another thread; called until it has ended."""

    @abstractmethod
    def _fingerprint(self, watch: Watch) -> str:
        """A text that changes whenever the catalog would."""

    @abstractmethod
    def _read_tables(self, watch: Watch) -> tuple[list[Table], tuple[str, ...]]:
        """All readable tables, and the schemas in which an unqualified name is looked up."""

    @abstractmethod
    def _disconnect(self) -> None:
        """Release the connection, if there is one."""


def check_text(statement: str) -> None:
    """Refuse what drivers would cut off or choke on.

    Raises:
        QueryError: a NUL character, or half of a surrogate pair.
    """
    if "\x00" in statement or any("\ud800" <= character <= "\udfff" for character in statement):
        raise QueryError(
            "The query holds a character that is no text: NUL or half of a surrogate pair.",
            hint="Remove it.",
        )

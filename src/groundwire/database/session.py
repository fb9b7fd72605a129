"""What the SQL drivers share: one statement at a time, a way to stop it, a cached catalog."""

from __future__ import annotations

import threading
import time
from abc import abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, Literal

from groundwire.database.base import Parameters, SqlDatabase
from groundwire.database.catalog import Catalog, Table
from groundwire.database.result import Result, ResultColumn
from groundwire.database.scope import Scope
from groundwire.database.url import DatabaseUrl, parse
from groundwire.errors import (
    Cancelled,
    GroundwireError,
    QueryError,
    QueryTimeout,
    UsageError,
)
from groundwire.settings import Settings

__all__ = ["Session", "Watch", "check_text", "stopped", "timed_out"]


class Watch:
    """Stops one statement from outside, when its time is up or somebody cancels it.

    A thread waits beside the statement and calls `stop(attempt)` again and again, `pause`
    seconds apart, until the statement has ended: a single signal can come too early. The first
    time is `grace` seconds after the limit, so that a server's own limit comes first.
    """

    def __init__(
        self, seconds: float, stop: Callable[[int], None], pause: float, grace: float
    ) -> None:
        self.seconds = seconds
        self.reason: Literal["", "timeout", "cancelled"] = ""
        self._grace = grace
        self._began = 0.0
        self._stop = stop
        self._pause = pause
        self._wake = threading.Event()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._wait, name="groundwire-watch", daemon=True)

    def cancel(self) -> None:
        """Stop the statement now."""
        self.reason = self.reason or "cancelled"
        self._wake.set()

    @property
    def elapsed(self) -> float:
        """Seconds since the statement began."""
        return time.perf_counter() - self._began

    def __enter__(self) -> Watch:
        self._began = time.perf_counter()
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._ended.set()
        self._wake.set()
        self._thread.join()

    def _wait(self) -> None:
        if not self._wake.wait(self.seconds + self._grace):
            self.reason = self.reason or "timeout"
        attempt = 0
        while not self._ended.is_set():
            self._stop(attempt)
            attempt += 1
            self._ended.wait(self._pause)


class Session(SqlDatabase):
    """A SQL database behind one connection. A driver gives the abstract methods.

    Each of them is called with the lock held; `_run`, `_fingerprint` and `_read_tables` under
    a watch as well.
    """

    folds: ClassVar[Literal["lower", "ignore"]]
    pause: ClassVar[float] = 0.02
    """Seconds between two attempts to stop a statement."""
    grace: ClassVar[float] = 0.0
    """Seconds that the server's own time limit gets before the watch stops the statement."""

    def __init__(self, url: str, settings: Settings) -> None:
        self._url: DatabaseUrl = parse(url)
        super().__init__(self._url.masked, settings)
        self._lock = threading.RLock()
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
        with self._watched(seconds) as watch:
            started = time.perf_counter()
            columns, rows = self._run(statement, parameters, limit + 1, watch)
            elapsed = time.perf_counter() - started
        return Result(columns, tuple(rows[:limit]), len(rows) > limit, elapsed)

    def cancel(self) -> None:
        watch = self._watch
        if watch is not None:
            watch.cancel()

    def close(self) -> None:
        with self._lock:
            self._closed = True
            self._disconnect()

    def catalog(self, *, refresh: bool = False) -> Catalog:
        with self._watched(self.settings.query_timeout) as watch:
            version = self._fingerprint(watch)
            if refresh or self._catalog is None or self._catalog.version != version:
                tables, search_path = self._read_tables(watch)
                scope = Scope(self.settings.schemas, self.settings.exclude)
                self._catalog = Catalog(
                    self.dialect, scope.apply(tables), search_path, self.folds, version
                )
            return self._catalog

    @contextmanager
    def _watched(self, seconds: float) -> Iterator[Watch]:
        """Hold the lock and watch over one statement, or several that are one piece of work."""
        with self._lock:
            if self._closed:
                raise UsageError(f"{self.url} is closed.", hint="Connect again.")
            with Watch(seconds, self._stop, self.pause, self.grace) as watch:
                self._watch = watch
                try:
                    yield watch
                finally:
                    self._watch = None

    @abstractmethod
    def _run(
        self, statement: str, parameters: Parameters, rows: int, watch: Watch
    ) -> tuple[tuple[ResultColumn, ...], list[tuple[Any, ...]]]:
        """Run one statement and fetch at most `rows` rows; leave no trace in the session."""

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


def stopped(watch: Watch, message: str, code: str = "") -> GroundwireError | None:
    """The error of a statement that its watch has stopped; None where it has not."""
    if watch.reason == "cancelled":
        return Cancelled("The query was cancelled.", code=code)
    if watch.reason == "timeout":
        return timed_out(watch, message, code)
    return None


def timed_out(watch: Watch, message: str, code: str = "") -> QueryTimeout:
    """The error of a statement that ran into its time limit."""
    return QueryTimeout(
        f"The query was stopped after {watch.seconds:g} seconds: {message}",
        hint="Ask for less, or raise the limit (GROUNDWIRE_QUERY_TIMEOUT, in seconds).",
        code=code,
    )

"""Stopping a piece of work from outside: when its time is up, or when somebody cancels it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import suppress
from typing import Literal, TypeVar

from groundwire.errors import Cancelled, GroundwireError, QueryTimeout

__all__ = ["Watch", "stopped", "timed_out"]

T = TypeVar("T")


class Watch:
    """Watches over one piece of work and knows why it was stopped, if it was.

    It calls `stop(attempt)` again and again, `pause` seconds apart, until the work has ended: a
    single signal can come too early. The first time is `grace` seconds after the limit, so that
    a server's own limit comes first.

    With `with`, a thread watches beside the work. With `run`, the work is done in another
    thread and the caller watches: for drivers that would keep Ctrl-C waiting.
    """

    def __init__(
        self, seconds: float, stop: Callable[[int], None], pause: float, grace: float
    ) -> None:
        self.seconds = seconds
        self.reason: Literal["", "timeout", "cancelled"] = ""
        self._stop = stop
        self._pause = pause
        self._grace = grace
        self._began = time.perf_counter()
        self._wake = threading.Event()
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def elapsed(self) -> float:
        """Seconds since the work began."""
        return time.perf_counter() - self._began

    def cancel(self) -> None:
        """Have the work stopped now. Callable from any thread."""
        self.reason = self.reason or "cancelled"
        self._wake.set()

    def run(self, worker: Executor, work: Callable[[], T]) -> T:
        """Have the worker do it, and wait until it has ended.

        Raises:
            KeyboardInterrupt: Ctrl-C was pressed; the work was stopped.
        """
        future = worker.submit(work)
        future.add_done_callback(self._end)
        try:
            self._watch()
        finally:
            while not self._ended.is_set():  # Ctrl-C, perhaps more than once
                self.cancel()
                with suppress(KeyboardInterrupt):
                    self._stop_until_ended()
        return future.result()

    def __enter__(self) -> Watch:
        self._thread = threading.Thread(target=self._watch, name="groundwire-watch", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._end()
        if self._thread is not None:
            self._thread.join()

    def _end(self, work: Future[T] | None = None) -> None:
        self._ended.set()
        self._wake.set()

    def _watch(self) -> None:
        if not self._wake.wait(self.seconds + self._grace):
            self.reason = self.reason or "timeout"
        self._stop_until_ended()

    def _stop_until_ended(self) -> None:
        attempt = 0
        while not self._ended.is_set():
            self._stop(attempt)
            attempt += 1
            self._ended.wait(self._pause)


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

"""Small questions that the guard asks of the database, within a budget."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from groundwire import trace
from groundwire.database.base import Database, Parameters
from groundwire.database.result import Result
from groundwire.errors import QueryError, QueryTimeout
from groundwire.guard.findings import Evidence

__all__ = ["Measured", "Probes"]


@dataclass(frozen=True, slots=True)
class Measured:
    """The first row that a probe brought back, and what it took."""

    row: tuple[Any, ...]
    statement: str
    seconds: float

    def evidence(self, sentence: str, answer: Any) -> Evidence:
        """The row as a measured fact in words; `answer` is what of it is shown."""
        return Evidence(sentence, self.statement, answer, self.seconds)


class Probes:
    """The probes of one draft. A probe that was asked before costs nothing.

    `count` says how many were really asked, `turned_away` how many were not because the budget of
    probes or of seconds was spent. One that runs out of time is the last, so that a slow draft
    costs the guard one time limit and not one a check.
    """

    def __init__(self, database: Database) -> None:
        self.database = database
        self.count = 0
        self.turned_away = 0
        self._seconds_left = database.settings.probe_seconds
        self._too_slow = False
        self._known: dict[tuple[str, str], Result | None] = {}

    def ask(
        self, statement: str, parameters: Parameters = None, *, rows: int = 10
    ) -> Result | None:
        """The answer to one read-only statement, at most `rows` rows of it.

        None where the budget is spent or the database cannot say: then nothing is known, and a
        check has nothing to report.

        Raises:
            OperatorError: the database is gone.
        """
        key = (statement, repr(parameters))
        if key in self._known:
            return self._known[key]
        settings = self.database.settings
        if self._too_slow or self.count >= settings.max_probes or self._seconds_left <= 0:
            self.turned_away += 1
            return None
        self.count += 1
        timeout = min(settings.probe_timeout, self._seconds_left)
        began = time.perf_counter()
        result: Result | None
        try:
            result = self.database.execute(statement, parameters, max_rows=rows, timeout=timeout)
        except QueryError as error:
            trace.note("probe", "could not be answered", statement=statement, error=error.message)
            self._too_slow = isinstance(error, QueryTimeout)
            result = None
        else:
            trace.note("probe", "asked", seconds=result.elapsed, statement=statement)
        self._seconds_left -= time.perf_counter() - began
        self._known[key] = result
        return result

    def measure(self, statement: str | None, parameters: Parameters = None) -> Measured | None:
        """The first row of a statement; None where it could not be written, or brought none.

        Raises:
            OperatorError: the database is gone.
        """
        result = self.ask(statement, parameters, rows=1) if statement is not None else None
        if statement is None or result is None or not result.rows:
            return None
        return Measured(result.rows[0], statement, result.elapsed)

"""The order of the result checks."""

from __future__ import annotations

from collections.abc import Callable

from groundwire.database.base import Parameters, SqlDatabase
from groundwire.database.result import Result
from groundwire.guard.context import SqlContext
from groundwire.guard.findings import Finding
from groundwire.guard.probes import Probes
from groundwire.guard.results.emptied_by import emptied_by
from groundwire.guard.results.hidden_group import hidden_group
from groundwire.guard.sql import sql_context
from groundwire.query.sql import parse

__all__ = ["RESULT_CHECKS", "examine"]

Check = Callable[[SqlContext, Result], list[Finding]]

RESULT_CHECKS: tuple[Check, ...] = (emptied_by, hidden_group)


def examine(
    text: str,
    result: Result,
    database: SqlDatabase,
    question: str | None = None,
    parameters: Parameters = None,
) -> tuple[tuple[Finding, ...], int]:
    """(what an admitted query's result shows to be odd, the probes that it took).

    Spans refer to `text`. The findings repair nothing: they are said beside the answer.

    Raises:
        OperatorError: the database is gone.
    """
    probes = Probes(database)
    query = parse(text, database.dialect)
    context = sql_context(query, database, probes, question, parameters)
    findings = [finding for check in RESULT_CHECKS for finding in check(context, result)]
    return tuple(findings), probes.count

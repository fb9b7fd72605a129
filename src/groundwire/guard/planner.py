"""The database's own planner as the last static judge: EXPLAIN, and a ceiling on the cost."""

from __future__ import annotations

import time

from groundwire.database.base import CanExplain, Database, Parameters
from groundwire.errors import GroundwireError, QueryError, UsageError
from groundwire.guard.findings import Evidence, Finding

__all__ = ["planner"]

_FAULTS = {
    "42P01": "SCH1",
    "3F000": "SCH2",
    "42703": "SCH3",
    "42883": "SYN2",
    "0A000": "SYN2",
    "42702": "SYN3",
    "42803": "SYN3",
    "42P10": "SYN3",
    "42601": "SYN1",
    "ParserException": "SYN1",
    "CatalogException": "SYN2",
}
"""SQLSTATEs of PostgreSQL (manual, appendix A) and DuckDB's exceptions whose fault is clear; the
others are SYN4."""


def planner(
    text: str, database: Database, parameters: Parameters = None
) -> tuple[Finding, GroundwireError] | None:
    """Why the planner refuses a statement, or thinks it too dear; None when it does neither.

    The statement must have been admitted: planning may run functions.
    """
    if not isinstance(database, CanExplain):
        return None
    started = time.perf_counter()
    try:
        plan = database.explain(text, parameters)
    except QueryError as error:
        evidence = Evidence(
            f"The planner of the database says: {error.message}",
            f"EXPLAIN {text}",
            error.code,
            time.perf_counter() - started,
        )
        message = error.message.partition("\n")[0]
        return _finding(text, _FAULTS.get(error.code, "SYN4"), message, evidence), error
    ceiling = database.settings.max_cost
    if not ceiling or plan.cost is None or plan.cost <= ceiling:
        return None
    message = f"The planner puts the cost at {plan.cost:,.0f}, above the ceiling of {ceiling:,.0f}."
    evidence = Evidence(message, f"EXPLAIN {text}", plan.cost, time.perf_counter() - started)
    hint = "Ask for less data, or raise the setting max_cost."
    return _finding(text, "SYN2", message, evidence), UsageError(
        message, hint=hint, code="TOO_DEAR"
    )


def _finding(text: str, code: str, message: str, evidence: Evidence) -> Finding:
    return Finding(
        code=code,
        check="planner",
        severity="fault",
        span=(0, len(text)),
        message=message,
        evidence=(evidence,),
        action="refused",
    )

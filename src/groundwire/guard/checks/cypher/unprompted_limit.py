"""RET2: a LIMIT that the question does not ask for, and that takes rows away."""

from __future__ import annotations

from groundwire.guard.context import CypherContext
from groundwire.guard.findings import Finding
from groundwire.guard.limits import MOST_UNPROMPTED, cut_off
from groundwire.guard.stages import Stage, final_stages
from groundwire.guard.wording import asks_for_some, asks_superlative

__all__ = ["unprompted_limit"]


def unprompted_limit(context: CypherContext) -> list[Finding]:
    """`LIMIT 10` for a question without a number, a superlative, `some` or `example`."""
    question = context.question
    if question is None or asks_for_some(question) or asks_superlative(question):
        return []
    findings = []
    for stage in final_stages(context.query):
        limit = stage.limit
        if limit and limit < MOST_UNPROMPTED:
            findings += _findings(context, stage, limit)
    return findings


def _findings(context: CypherContext, stage: Stage, limit: int) -> list[Finding]:
    statement = stage.limited(limit + 1)
    if statement is None or stage.projection.limit is None:
        return []
    result = context.probes.ask(statement, context.parameters, rows=limit + 1)
    if result is None:
        return []
    return cut_off(limit, statement, result, stage.projection.limit.span)

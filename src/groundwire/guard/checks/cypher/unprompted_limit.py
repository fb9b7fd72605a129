"""RET2: a LIMIT that the question does not ask for, and that takes rows away."""

from __future__ import annotations

from groundwire.guard.context import CypherContext
from groundwire.guard.findings import Evidence, Finding
from groundwire.guard.stages import Stage, final_stages
from groundwire.guard.wording import asks_for_some, asks_superlative

__all__ = ["unprompted_limit"]

_MOST = 1000


def unprompted_limit(context: CypherContext) -> list[Finding]:
    """`LIMIT 10` for a question without a number, a superlative, `some` or `example`."""
    question = context.question
    if question is None or asks_for_some(question) or asks_superlative(question):
        return []
    findings = []
    for stage in final_stages(context.query):
        limit = stage.limit
        if limit and limit < _MOST:
            findings += _findings(context, stage, limit)
    return findings


def _findings(context: CypherContext, stage: Stage, limit: int) -> list[Finding]:
    statement = stage.limited(limit + 1)
    if statement is None or stage.projection.limit is None:
        return []
    result = context.probes.ask(statement, context.parameters, rows=limit + 1)
    if result is None or len(result.rows) <= limit:
        return []
    sentence = f"There are more rows than the {limit} that the LIMIT lets through."
    finding = Finding(
        code="RET2",
        check="unprompted_limit",
        severity="doubt",
        span=stage.projection.limit.span,
        message=f"The question does not ask for a part of the rows. {sentence}",
        evidence=(Evidence(sentence, statement, len(result.rows), result.elapsed),),
    )
    return [finding]

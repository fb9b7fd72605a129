"""RET3: a LIMIT that leaves out rows which sort exactly like the last one shown."""

from __future__ import annotations

from groundwire.guard.context import CypherContext
from groundwire.guard.findings import Finding
from groundwire.guard.limits import AHEAD, MOST_TIES, tied
from groundwire.guard.stages import Stage, stages
from groundwire.guard.wording import asks_superlative

__all__ = ["ties_at_limit"]


def ties_at_limit(context: CypherContext) -> list[Finding]:
    """`ORDER BY n DESC LIMIT 1` where the second row has the same `n`: which one comes is chance.

    A LIMIT above 1 is looked at where the question asks for a superlative. A tied row that reads
    like one that is shown is no loss. One probe for each LIMIT.
    """
    superlative = context.question is not None and asks_superlative(context.question)
    findings = []
    for stage in stages(context.query):
        limit = stage.limit
        if (
            stage.projection.order_by
            and limit
            and (limit == 1 or superlative)
            and limit <= MOST_TIES
        ):
            finding = _finding(context, stage, limit)
            if finding is not None:
                findings.append(finding)
    return findings


def _finding(context: CypherContext, stage: Stage, limit: int) -> Finding | None:
    sorted_by = [item.expression for item in stage.projection.order_by]
    columns = [stage.column(expression) for expression in sorted_by]
    extra = tuple(e for e, column in zip(sorted_by, columns, strict=True) if column is None)
    statement = stage.limited(limit + AHEAD, extra)
    if statement is None:
        return None
    result = context.probes.ask(statement, context.parameters, rows=limit + AHEAD)
    if result is None:
        return None
    width = len(stage.projection.items)
    added = iter(range(width, len(result.columns)))
    places = [next(added) if column is None else column for column in columns]
    span = stage.projection.limit.span if stage.projection.limit else stage.projection.span
    return tied(limit, statement, result, places, width, span)

"""RET3: a LIMIT that leaves out rows which sort exactly like the last one shown."""

from __future__ import annotations

from groundwire.guard.context import CypherContext
from groundwire.guard.findings import Evidence, Finding
from groundwire.guard.stages import Stage, stages
from groundwire.guard.wording import asks_superlative

__all__ = ["ties_at_limit"]

_AHEAD = 20
_MOST = 200


def ties_at_limit(context: CypherContext) -> list[Finding]:
    """`ORDER BY n DESC LIMIT 1` where the second row has the same `n`: which one comes is chance.

    A LIMIT above 1 is looked at where the question asks for a superlative. A tied row that reads
    like one that is shown is no loss. One probe for each LIMIT.
    """
    superlative = context.question is not None and asks_superlative(context.question)
    findings = []
    for stage in stages(context.query):
        limit = stage.limit
        if stage.projection.order_by and limit and (limit == 1 or superlative) and limit <= _MOST:
            finding = _finding(context, stage, limit)
            if finding is not None:
                findings.append(finding)
    return findings


def _finding(context: CypherContext, stage: Stage, limit: int) -> Finding | None:
    sorted_by = [item.expression for item in stage.projection.order_by]
    columns = [stage.column(expression) for expression in sorted_by]
    extra = tuple(e for e, column in zip(sorted_by, columns, strict=True) if column is None)
    statement = stage.limited(limit + _AHEAD, extra)
    if statement is None:
        return None
    result = context.probes.ask(statement, context.parameters, rows=limit + _AHEAD)
    if result is None or len(result.rows) <= limit:
        return None
    added = iter(range(len(stage.projection.items), len(result.columns)))
    places = [next(added) if column is None else column for column in columns]
    keys = [tuple(row[place] for place in places) for row in result.rows]
    last = keys[limit - 1]
    width = len(stage.projection.items)
    shown = [row[:width] for row in result.rows[:limit]]
    beyond = sum(
        key == last and row[:width] not in shown
        for key, row in zip(keys[limit:], result.rows[limit:], strict=True)
    )
    if not beyond or last[0] is None:
        return None
    more = f"at least {beyond}" if beyond == _AHEAD else str(beyond)
    value = ", ".join(str(part) for part in last)
    sentence = (
        f"{more} more row{'s' if beyond > 1 else ''} beyond the LIMIT "
        f"{'have' if beyond > 1 else 'has'} the same sort value ({value})."
    )
    limit_span = stage.projection.limit.span if stage.projection.limit else stage.projection.span
    return Finding(
        code="RET3",
        check="ties_at_limit",
        severity="doubt",
        span=limit_span,
        message=f"The last row shown is one of several that tie: {sentence}",
        evidence=(Evidence(sentence, statement, beyond, result.elapsed),),
    )

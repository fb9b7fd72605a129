"""RET2: a LIMIT that the question does not ask for, and that takes rows away."""

from __future__ import annotations

from groundwire.guard.context import SqlContext
from groundwire.guard.findings import Evidence, Finding
from groundwire.guard.selects import Select, outermost
from groundwire.guard.wording import asks_for_some, asks_superlative

__all__ = ["unprompted_limit"]

_MOST = 1000


def unprompted_limit(context: SqlContext) -> list[Finding]:
    """`LIMIT 10` for a question without a number, a superlative, `some` or `example`.

    One statement that asks for one row more.
    """
    question = context.question
    if question is None or asks_for_some(question) or asks_superlative(question):
        return []
    select = outermost(context)
    finding = _finding(context, select) if select is not None else None
    return [finding] if finding is not None else []


def _finding(context: SqlContext, select: Select) -> Finding | None:
    limit = select.limit
    if not limit or limit >= _MOST:
        return None
    statement = select.limited(limit + 1) or ""
    result = (
        context.probes.ask(statement, context.parameters, rows=limit + 1) if statement else None
    )
    if result is None or len(result.rows) <= limit:
        return None
    sentence = f"There are more rows than the {limit} that the LIMIT lets through."
    return Finding(
        code="RET2",
        check="unprompted_limit",
        severity="doubt",
        span=context.query.span(select.node.args["limit"]),
        message=f"The question does not ask for a part of the rows. {sentence}",
        evidence=(Evidence(sentence, statement, len(result.rows), result.elapsed),),
    )

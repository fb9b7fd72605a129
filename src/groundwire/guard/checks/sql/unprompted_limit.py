"""RET2: a LIMIT that the question does not ask for, and that takes rows away."""

from __future__ import annotations

from groundwire.guard.context import SqlContext
from groundwire.guard.findings import Finding
from groundwire.guard.limits import MOST_UNPROMPTED, cut_off
from groundwire.guard.selects import outermost
from groundwire.guard.wording import asks_for_some, asks_superlative

__all__ = ["unprompted_limit"]


def unprompted_limit(context: SqlContext) -> list[Finding]:
    """`LIMIT 10` for a question without a number, a superlative, `some` or `example`.

    One statement that asks for one row more.
    """
    question = context.question
    if question is None or asks_for_some(question) or asks_superlative(question):
        return []
    select = outermost(context)
    limit = select.limit if select is not None else None
    if select is None or not limit or limit >= MOST_UNPROMPTED:
        return []
    statement = select.limited(limit + 1)
    if statement is None:
        return []
    result = context.probes.ask(statement, context.parameters, rows=limit + 1)
    if result is None:
        return []
    return cut_off(limit, statement, result, context.query.span(select.node.args["limit"]))

"""RET3: a LIMIT that leaves out rows which sort exactly like the last one shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.guard.context import SqlContext
from groundwire.guard.findings import Finding
from groundwire.guard.limits import AHEAD, MOST_TIES, tied
from groundwire.guard.selects import Select, selects
from groundwire.guard.wording import asks_superlative

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["ties_at_limit"]


def ties_at_limit(context: SqlContext) -> list[Finding]:
    """`ORDER BY n DESC LIMIT 1` where the second row has the same `n`: which one comes is chance.

    A LIMIT above 1 is looked at where the question asks for a superlative. A tied row that reads
    like one that is shown is no loss. One statement for each LIMIT.
    """
    superlative = context.question is not None and asks_superlative(context.question)
    findings = []
    for select in selects(context):
        limit = select.limit
        plain = not select.node.args.get("distinct") or not _extra(select)
        wanted = limit is not None and (limit == 1 or superlative) and 0 < limit <= MOST_TIES
        if wanted and plain and select.order and select.offset == 0:
            finding = _finding(context, select, limit or 0)
            if finding is not None:
                findings.append(finding)
    return findings


def _extra(select: Select) -> tuple[exp.Expr, ...]:
    """What it sorts by and does not show."""
    shown = [output.unalias() for output in select.node.selects]
    return tuple(expression for _, expression in select.order if expression not in shown)


def _finding(context: SqlContext, select: Select, limit: int) -> Finding | None:
    if any(output.is_star for output in select.node.selects):
        keys: tuple[exp.Expr, ...] = tuple(expression for _, expression in select.order)
    else:
        keys = _extra(select)
    statement = select.limited(limit + AHEAD, keys)
    if statement is None:
        return None
    result = context.probes.ask(statement, context.parameters, rows=limit + AHEAD)
    if result is None:
        return None
    width = len(result.columns) - len(keys)
    span = context.query.span(select.node.args["limit"])
    return tied(limit, statement, result, _places(select, width, len(keys)), width, span)


def _places(select: Select, width: int, extra: int) -> list[int]:
    """The columns of the result that it is sorted by; those not shown stand from `width` on."""
    shown_as = [output.unalias() for output in select.node.selects]
    added = iter(range(width, width + extra))
    return [
        shown_as.index(expression) if extra < len(select.order) and expression in shown_as
        else next(added)
        for _, expression in select.order
    ]  # fmt: skip

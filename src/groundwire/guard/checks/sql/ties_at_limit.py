"""RET3: a LIMIT that leaves out rows which sort exactly like the last one shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.database.result import Result
from groundwire.guard.context import SqlContext
from groundwire.guard.findings import Evidence, Finding
from groundwire.guard.selects import Select, selects
from groundwire.guard.wording import asks_superlative

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["ties_at_limit"]

_AHEAD = 20
_MOST = 200


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
        wanted = limit is not None and (limit == 1 or superlative) and 0 < limit <= _MOST
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
    statement = select.limited(limit + _AHEAD, keys)
    result = (
        context.probes.ask(statement, context.parameters, rows=limit + _AHEAD)
        if statement
        else None
    )
    if result is None or len(result.rows) <= limit:
        return None
    tied = _tied(select, result, limit, len(keys))
    if tied is None:
        return None
    beyond, value = tied
    more = f"at least {beyond}" if beyond == _AHEAD else str(beyond)
    sentence = (
        f"{more} more row{'s' if beyond > 1 else ''} beyond the LIMIT "
        f"{'have' if beyond > 1 else 'has'} the same sort value ({value})."
    )
    return Finding(
        code="RET3",
        check="ties_at_limit",
        severity="doubt",
        span=context.query.span(select.node.args["limit"]),
        message=f"The last row shown is one of several that tie: {sentence}",
        evidence=(Evidence(sentence, statement or "", beyond, result.elapsed),),
    )


def _tied(select: Select, result: Result, limit: int, extra: int) -> tuple[int, str] | None:
    """(rows behind the cut that sort like the last one shown, their sort value)."""
    width = len(result.columns) - extra
    shown_as = [output.unalias() for output in select.node.selects]
    added = iter(range(width, len(result.columns)))
    places = [
        shown_as.index(expression) if extra < len(select.order) and expression in shown_as
        else next(added)
        for _, expression in select.order
    ]  # fmt: skip
    keys = [tuple(row[place] for place in places) for row in result.rows]
    last, shown = keys[limit - 1], [row[:width] for row in result.rows[:limit]]
    beyond = sum(
        key == last and row[:width] not in shown
        for key, row in zip(keys[limit:], result.rows[limit:], strict=True)
    )
    if not beyond or last[0] is None:
        return None
    return beyond, ", ".join(str(part) for part in last)

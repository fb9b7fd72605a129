"""Rows that read alike because the query groups by more than it shows."""

from __future__ import annotations

from collections import Counter

from groundwire.database.result import Result
from groundwire.guard.context import SqlContext
from groundwire.guard.findings import Evidence, Finding
from groundwire.guard.selects import Select, outermost

__all__ = ["hidden_group"]


def hidden_group(context: SqlContext, result: Result) -> list[Finding]:
    """`SELECT name, count(*) … GROUP BY id, name` shows two rows of one name: said.

    Seen in the rows themselves; nothing is asked of the database.
    """
    select = outermost(context)
    if select is None or not select.group_keys:
        return []
    shown = [output.unalias() for output in select.node.selects]
    places = [index for index, output in enumerate(shown) if output in select.group_keys]
    hidden = [key for key in select.group_keys if key not in shown]
    if not places or not hidden or len(result.columns) != len(shown):
        return []
    counts = Counter(tuple(row[place] for place in places) for row in result.rows)
    repeated = {key: count for key, count in counts.items() if count > 1}
    if not repeated:
        return []
    return [_finding(context, select, repeated)]


def _finding(
    context: SqlContext, select: Select, repeated: dict[tuple[object, ...], int]
) -> Finding:
    example = ", ".join(str(part) for part in next(iter(repeated)))
    rows = sum(repeated.values())
    sentence = f"{rows:,} rows share what they show with another one, {example} for example."
    return Finding(
        code="AGG3",
        check="hidden_group",
        severity="note",
        span=context.query.span(select.node.args["group"]),
        message=f"The rows are grouped by more than is shown: {sentence}",
        evidence=(Evidence(sentence, answer=rows),),
    )

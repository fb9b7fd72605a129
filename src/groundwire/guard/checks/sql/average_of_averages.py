"""AGG4: an average over the averages of groups of different sizes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from groundwire.guard.context import SqlContext
from groundwire.guard.findings import Finding
from groundwire.guard.joins import inner_select
from groundwire.guard.origins import origin
from groundwire.guard.selects import Select, selects

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["average_of_averages"]


def average_of_averages(context: SqlContext) -> list[Finding]:
    """AVG over a subquery's AVG gives each group one voice, whatever its size.

    A doubt that names both numbers, where they differ in the stored rows and the question does not
    speak of groups or of two averages. What a window function works out (days since the row before)
    belongs to its partition and is left alone. One statement.
    """
    if context.question is not None and _speaks_of_groups(context, context.question):
        return []
    findings = []
    for select in selects(context):
        for call in select.aggregates:
            finding = _finding(context, select, call)
            findings += [finding] if finding else []
    return findings


def _speaks_of_groups(context: SqlContext, question: str) -> bool:
    """`by status`; not `paid by card` where the draft filters by 'card'."""
    from sqlglot import exp

    if len(re.findall(r"\b(average\w*|avg|mean)\b", question, re.IGNORECASE)) > 1:
        return True
    if re.search(r"\b(each|every|per|across|among)\b", question, re.IGNORECASE):
        return True
    filters = context.query.statements[0].find_all(exp.Literal)
    values = {literal.name.casefold() for literal in filters if literal.is_string}
    by = re.findall(r"\bby (?:an? |the )?([\w-]+)", question, re.IGNORECASE)
    return any(word.casefold() not in values for word in by)


def _finding(context: SqlContext, select: Select, call: exp.AggFunc) -> Finding | None:
    from sqlglot import exp

    source = select.source_of(call.this) if isinstance(call, exp.Avg) else None
    is_whole = len(select.sources) == 1 and not select.group_keys
    if source is None or not is_whole or select.node.args.get("where") is not None:
        return None
    inner = inner_select(select, source)
    average = _average(inner, source.columns, call.this.name) if inner is not None else None
    if inner is None or average is None or inner.node.args.get("having") is not None:
        return None
    if inner.limit is not None or _is_windowed(inner, average.this):
        return None
    statement = inner.over_groups(
        "avg(extra_0)",
        "sum(extra_0 * extra_1) * 1.0 / sum(extra_1)",
        "min(extra_1)",
        "max(extra_1)",
        extra=(average, exp.Count(this=average.this.copy())),
    )
    measured = context.measure(statement)
    if measured is None or None in measured.row:
        return None
    drafted, weighted = float(measured.row[0]), float(measured.row[1])
    if abs(drafted - weighted) <= 1e-9 * abs(weighted):
        return None
    least, most = measured.row[2:]
    sentence = (
        f"The groups have {least:,} to {most:,} rows; the average of their averages is "
        f"{drafted:,.6g}, of all rows {weighted:,.6g}."
    )
    return Finding(
        code="AGG4",
        check="average_of_averages",
        severity="doubt",
        span=context.query.span(call),
        message=f"Averages of groups of different sizes are averaged. {sentence}",
        evidence=(measured.evidence(sentence, [drafted, weighted]),),
    )


def _average(inner: Select, columns: tuple[str, ...], name: str) -> exp.Avg | None:
    """The AVG behind an output of a grouped SELECT."""
    from sqlglot import exp

    outputs = inner.node.selects
    if inner.node.args.get("group") is None or len(outputs) != len(columns):
        return None
    for output, column in zip(outputs, columns, strict=True):
        average = output.unalias()
        if column == name.lower() and isinstance(average, exp.Avg):
            return None if isinstance(average.this, exp.Distinct) else average
    return None


def _is_windowed(inner: Select, value: exp.Expr) -> bool:
    """A window function works the value out, here or in the subquery or CTE that it comes from."""
    from sqlglot import exp

    if value.find(exp.Window) is not None:
        return True
    for column in value.find_all(exp.Column):
        behind, computed = origin(inner, column) or (inner, None)
        if isinstance(computed, exp.Expr) and _is_windowed(behind, computed):
            return True
    return False

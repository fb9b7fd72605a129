"""AGG3: a column that is neither grouped by nor aggregated, so that any row may give it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.guard.context import SqlContext
from groundwire.guard.findings import Finding
from groundwire.guard.joins import is_determined, key_columns
from groundwire.guard.repeats import has_plain_groups
from groundwire.guard.selects import Select, selects
from groundwire.query.sql import Source

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["arbitrary_column"]


def arbitrary_column(context: SqlContext) -> list[Finding]:
    """`SELECT status, total, COUNT(*) FROM orders GROUP BY status` shows the total of some order.

    SQLite runs this and takes the value of an arbitrary row of the group, except that with exactly
    one MIN() or MAX() it is the row that holds it (sqlite.org/lang_select.html, "bare columns");
    other engines refuse the draft. A doubt where the values differ within a group. Left alone: what
    a key among the groups determines. One statement for each SELECT that has such a column.
    """
    if not context.database.takes_bare_columns:
        return []
    found = (_finding(context, select) for select in selects(context))
    return [finding for finding in found if finding is not None]


def _finding(context: SqlContext, select: Select) -> Finding | None:
    bare = _bare(select)
    measured = context.measure(_statement(select, bare)) if bare else None
    if measured is None:
        return None
    differing = [
        (column, groups) for column, groups in zip(bare, measured.row, strict=True) if groups
    ]
    if not differing:
        return None
    column, groups = differing[0]
    text = context.query.written(column)
    where = f"in {groups:,} groups" if groups != 1 else "in one group"
    where = where if select.group_keys else "over the rows that are aggregated"
    sentence = f"{text} has several values {where}."
    return Finding(
        code="AGG3",
        check="arbitrary_column",
        severity="doubt",
        span=context.query.span(column),
        message=f"{text} is neither grouped by nor aggregated, so it is taken from any row. "
        f"{sentence}",
        evidence=(measured.evidence(sentence, list(measured.row)),),
    )


def _bare(select: Select) -> list[exp.Column]:
    """The columns of its output, HAVING and ORDER BY that nothing ties to the group."""
    from sqlglot import exp

    calls, keys = select.aggregates, select.group_keys
    picks_row = sum(isinstance(call, exp.Min | exp.Max) for call in calls) == 1
    if not (calls or keys) or picks_row or not has_plain_groups(select):
        return []
    inside = {id(node) for call in calls for node in call.walk()}
    inside |= {
        id(node)
        for part in (*select.node.expressions, select.node.args.get("order"))
        if part is not None
        for tied in select.walk(part)
        if tied in keys or isinstance(tied, exp.Window)
        for node in tied.walk()
    }
    clauses = (select.node.args.get("having"), select.node.args.get("order"))
    found: list[exp.Column] = []
    for root in (*select.node.expressions, *clauses):
        for node in select.walk(root) if root is not None else ():
            if not isinstance(node, exp.Column) or id(node) in inside or node in found:
                continue
            if _is_free(select, node):
                found.append(node)
    return found


def _is_free(select: Select, column: exp.Expr) -> bool:
    """No key of its source is grouped by, and it is no group key under another name."""
    source, use, fold = select.source_of(column), select.use(column), select.context.catalog.fold
    if source is None or use is None or source not in select.sources:
        return False
    grouped: dict[Source, set[str]] = {}
    for key in select.group_keys:
        holder, meant = select.source_of(key), select.use(key)
        if holder is not None and meant is not None:
            grouped.setdefault(holder, set()).add(fold(meant.name))
    if fold(use.name) in grouped.get(source, ()):
        return False
    whole = [
        holder
        for holder, names in grouped.items()
        if (own := key_columns(select, holder)) and names.issuperset(part.name for part in own)
    ]
    return source not in whole and not (whole and is_determined(select, source, whole))


def _statement(select: Select, columns: list[exp.Column]) -> str | None:
    """For each column, in how many groups it has several values (or one, and none)."""
    from sqlglot import exp

    groups = [exp.alias_(key.copy(), f"g{i}") for i, key in enumerate(select.group_keys)]
    bare = [exp.alias_(column.copy(), f"b{i}") for i, column in enumerate(columns)]
    rows = select.over_rows(*groups, *bare)
    if rows is None:
        return None
    several = ", ".join(
        f"count(CASE WHEN d{i} > 1 OR (d{i} = 1 AND v{i} < n) THEN 1 END)"
        for i in range(len(columns))
    )
    counts = ", ".join(
        f"count(DISTINCT b{i}) AS d{i}, count(b{i}) AS v{i}" for i in range(len(columns))
    )
    names = ", ".join(f"g{i}" for i in range(len(groups)))
    grouped = f" GROUP BY {names}" if groups else ""
    return (
        f"SELECT {several} FROM (SELECT count(*) AS n, {counts} FROM ({rows}) AS r{grouped}) AS e"
    )

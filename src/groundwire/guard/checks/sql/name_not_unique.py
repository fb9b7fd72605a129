"""AGG3: grouped by a name that several rows share."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from groundwire.counted import counted
from groundwire.guard.context import SqlContext
from groundwire.guard.findings import Finding
from groundwire.guard.joins import key_columns, links, written_source
from groundwire.guard.names import written_name
from groundwire.guard.repeats import has_plain_groups
from groundwire.guard.selects import Select, Stored, selects
from groundwire.guard.wording import asks_per
from groundwire.query.edits import Edit
from groundwire.query.sql import Source, extent

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["name_not_unique"]

_NAME = re.compile(r"(?:.*_)?(?:name|title|fullname|surname|firstname|lastname)", re.IGNORECASE)
_TELLS = 0.5
"""Share of the rows that a name tells apart from which it stands for one row and not for a kind."""


def name_not_unique(context: SqlContext) -> list[Finding]:
    """`GROUP BY c.name` over customers and their orders adds up the orders of two namesakes.

    Only names (by the name of the column) of a table with a key, where nothing of that table is
    aggregated: `SELECT name, count(*) FROM customers GROUP BY name` looks for namesakes. The key is
    added where the question asks for something of each customer, else it is a doubt. A statement on
    the table, and one on the draft's rows where it has namesakes; none where the catalog makes the
    name unique.
    """
    findings = []
    for select in selects(context):
        if select.group_keys and len(select.sources) > 1 and has_plain_groups(select):
            for source in select.sources:
                finding = _finding(context, select, source)
                findings += [finding] if finding else []
    return findings


def _finding(context: SqlContext, select: Select, source: Source) -> Finding | None:
    names = _names(select, source)
    key = key_columns(select, source)
    if not names or len(key) != 1 or _is_told(select, source, key[0].name):
        return None
    own = tuple(sorted({name.column.name for name in names}))
    unique = context.statistics.is_unique(names[0].table, own)
    if unique is None or unique.value:
        return None
    statement = _statement(select, key[0])
    measured = context.measure(statement)
    if measured is None or measured.row[2] in (None, 0, 1):
        return None
    groups, rows, most = map(int, measured.row)
    if groups < _TELLS * rows:
        return None
    table = names[0].table.name
    made = counted(groups, "group")
    sentence = f"{rows:,} different rows of {table} make {made}; one has {most:,}."
    asked = context.question is not None and asks_per(context.question, table)
    edits = _edits(context, select, source, names[0]) if asked and select.is_outermost else ()
    return Finding(
        code="AGG3",
        check="name_not_unique",
        severity="fault" if edits else "doubt",
        span=context.query.span(select.node.args["group"].expressions[0]),
        message=f"The groups are made by {names[0].name}, which is not unique: {sentence}"
        + (" The key is added to the groups." if edits else ""),
        evidence=(measured.evidence(sentence, [groups, rows, most]),),
        edits=edits,
        action="repaired" if edits else "reported",
    )


def _names(select: Select, source: Source) -> list[Stored]:
    """The group keys that are names of the source's rows."""
    stored = [select.stored(key) for key in select.group_keys]
    own = [column for column in stored if column is not None and column.source is source]
    return [column for column in own if _NAME.fullmatch(column.column.name)]


def _is_told(select: Select, source: Source, key: str) -> bool:
    """A key of the source is among the groups (also as a foreign key), or an aggregate reads it."""
    from sqlglot import exp

    fold = select.context.catalog.fold
    grouped = set()
    for node in select.group_keys:
        stored = select.stored(node)
        if stored is not None:
            grouped.add((id(stored.source), fold(stored.column.name)))
    own = {name for place, name in grouped if place == id(source)}
    table = select.table_of(source)
    unique = [table.primary_key, *table.unique_keys] if table is not None else []
    if any(one and own.issuperset(map(fold, one)) for one in unique):
        return True
    for link in links(select):
        for end, other in (link.ends, link.ends[::-1]):
            is_key = end.source is source and end.column == key
            if is_key and (id(other.source), other.column) in grouped:
                return True
    columns = [node for call in select.aggregates for node in call.find_all(exp.Column)]
    return any(select.source_of(node) is source for node in columns)


def _statement(select: Select, key: exp.Column) -> str | None:
    """(groups, different keys in them, most in one)."""
    from sqlglot import exp

    groups = select.group_keys
    outputs: list[exp.Expr] = [exp.alias_(node.copy(), f"g{i}") for i, node in enumerate(groups)]
    rows = select.over_rows(*outputs, exp.alias_(key.copy(), "k"))
    if rows is None:
        return None
    names = ", ".join(f"g{i}" for i in range(len(groups)))
    return (
        "SELECT count(*), sum(n), max(n) FROM (SELECT count(DISTINCT k) AS n "
        f"FROM ({rows}) AS r WHERE k IS NOT NULL GROUP BY {names}) AS e"
    )


def _edits(context: SqlContext, select: Select, source: Source, name: Stored) -> tuple[Edit, ...]:
    place = extent(context.query, select.node.args["group"].expressions[-1])
    if place is None or len(name.table.primary_key) != 1:
        return ()
    column = written_name(context.database, context.catalog, name.table.primary_key[0])
    return (Edit(place[1], place[1], f", {written_source(select, source)}.{column}"),)

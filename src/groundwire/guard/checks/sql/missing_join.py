"""PAT3: two tables that no condition joins, so that each row meets each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from groundwire.database.catalog import Table
from groundwire.guard.context import SqlContext
from groundwire.guard.findings import Finding
from groundwire.guard.joins import (
    foreign_keys,
    is_determined,
    is_one_row,
    item_of,
    links,
    written_source,
)
from groundwire.guard.names import written_name
from groundwire.guard.selects import Join, Select, conjuncts, selects
from groundwire.guard.semi_join import is_output
from groundwire.query.edits import Edit
from groundwire.query.sql import Source, extent, words

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["missing_join"]

_EVERY_PAIR = re.compile(
    r"\b(pairs?|combin\w+|cross\w*|every possible|all possible|cartesian|versus|vs|each other"
    r"|(each|every|all) \w+ (and|with|against|by|for) (each|every|all))\b",
    re.IGNORECASE,
)


def missing_join(context: SqlContext) -> list[Finding]:
    """`FROM customers, orders` gets the condition that the one declared foreign key gives.

    Two stored tables that nothing connects (comma, CROSS JOIN, `ON true`, an ON that names one
    side), each with several rows under its own conditions. Left alone: a subquery of one row,
    aggregates that repeated rows do not change, a question for pairs or combinations. An explicit
    CROSS JOIN, and tables without one single foreign key between them, are a doubt. One statement.
    """
    if context.question is not None and _EVERY_PAIR.search(context.question):
        return []
    findings = []
    for select in selects(context):
        apart = _apart(select)
        meant = apart is None or _is_indifferent(select, *apart)
        finding = _finding(context, select, *apart) if apart and not meant else None
        findings += [finding] if finding else []
    return findings


def _is_indifferent(select: Select, one: list[Source], other: list[Source]) -> bool:
    """Only aggregates to which a repeated row makes no difference, over both sides, or EXISTS."""
    from sqlglot import exp

    if isinstance(select.node.parent, exp.Exists):
        return True
    calls = select.aggregates
    safe = all(isinstance(c, exp.Min | exp.Max) or isinstance(c.this, exp.Distinct) for c in calls)
    return bool(calls) and safe and is_output(select, one) and is_output(select, other)


def _apart(select: Select) -> tuple[list[Source], list[Source]] | None:
    """The first source with all that is connected to it, and the rest; None where all hang
    together."""
    sources = [source for source in select.sources if not is_one_row(select, source)]
    if len(sources) < 2 or select.node.args.get("laterals") or select.is_correlated:
        return None
    together = [sources[0]]
    groups = [*_read_together(select), *([end.source for end in x.ends] for x in links(select))]
    grown = True
    while grown:
        grown = False
        for group in groups:
            new = [source for source in group if source not in together]
            if new and len(new) < len(group):
                together += new
                grown = True
    rest = [source for source in sources if source not in together]
    return (together, rest) if rest and _are_tables(select, together + rest) else None


def _are_tables(select: Select, sources: list[Source]) -> bool:
    return all(select.table_of(source) is not None for source in sources) and not any(
        join.kind == "other" for join in select.joins
    )


def _read_together(select: Select) -> list[list[Source]]:
    """For each condition, the sources of this SELECT that it reads, subqueries included."""
    where = select.node.args.get("where")
    roots = [join.condition for join in select.joins] + [where.this if where is not None else None]
    groups = []
    for root in roots:
        for part in conjuncts(root) if root is not None else ():
            read = select.context.uses.below(part)
            groups.append([s for use in read for s in use.sources if s in select.sources])
    return groups


def _finding(
    context: SqlContext, select: Select, one: list[Source], other: list[Source]
) -> Finding | None:
    statement = _statement(select, one[0], other[0])
    measured = context.measure(statement)
    if measured is None or not _multiplies(select, one, other, measured.row):
        return None
    tables = [select.table_of(source) for source in (one[0], other[0])]
    names = [table.name for table in tables if table is not None]
    join = next(join for join in select.joins if other[0] in join.added)
    conditions = _conditions(context, select, one, other)
    edits: tuple[Edit, ...] = ()
    if len(conditions) == 1 and not _is_written_out(context, join):
        edits = _edits(context, select, join, conditions[0])
    if not edits and _is_one_by_key(select, (one[0], other[0]), measured.row):
        return None
    several = " each have several rows here, and" if min(measured.row) > 1 else ":"
    sentence = f"{names[0]} and {names[1]}{several} nothing joins them."
    item = item_of(select, other[0])
    return Finding(
        code="PAT3",
        check="missing_join",
        severity="fault" if edits else "doubt",
        span=context.query.span(item if item is not None else select.node),
        message=f"Each row of {names[0]} meets each row of {names[1]}."
        + (f" They are joined by their foreign key: {conditions[0]}." if edits else ""),
        evidence=(measured.evidence(sentence, list(measured.row)),),
        edits=edits,
        action="repaired" if edits else "reported",
    )


def _multiplies(
    select: Select, one: list[Source], other: list[Source], rows: Sequence[int]
) -> bool:
    """Both have several rows, or one has a single row of which nothing is returned: then it was to
    choose rows of the other."""
    if min(rows) > 1:
        return True
    return sorted(rows) == [1, 2] and not is_output(select, one if rows[0] == 1 else other)


def _is_one_by_key(select: Select, sources: tuple[Source, Source], rows: Sequence[int]) -> bool:
    """A filter on the key of one source leaves one row of it, to be put beside each other row."""
    return any(
        count == 1 and is_determined(select, source, [])
        for source, count in zip(sources, rows, strict=True)
    )


def _statement(select: Select, one: Source, other: Source) -> str:
    """(rows of one, rows of the other) under their own conditions, counted up to two."""
    return f"SELECT ({_few(select, one)}), ({_few(select, other)})"


def _few(select: Select, source: Source) -> str:
    from sqlglot import exp

    item = item_of(select, source)
    assert item is not None  # a stored table
    bare = item.copy()
    bare.set("joins", None)
    probe = exp.select("1 AS x").from_(bare)
    for part in select.conditions:
        read = [s for use in select.context.uses.below(part) for s in use.sources]
        if set(read).intersection(select.sources) == {source} and _stands_alone(select, part):
            probe = probe.where(part.copy())
    rows = probe.limit(2).sql(select.context.query.dialect)
    return f"SELECT count(*) FROM ({rows}) AS few"


def _stands_alone(select: Select, part: exp.Expr) -> bool:
    """Its subqueries read stored tables only, no CTE."""
    from sqlglot import exp

    stored = {id(use.node) for use in select.context.uses.tables}
    return all(id(node) in stored for node in part.find_all(exp.Table))


def _conditions(
    context: SqlContext, select: Select, one: list[Source], other: list[Source]
) -> list[str]:
    """The equalities of every foreign key between a table of one side and one of the other."""
    found = []
    for left in one:
        for right in other:
            tables = select.table_of(left), select.table_of(right)
            if tables[0] is None or tables[1] is None:
                continue
            for pairs in _keys_between(tables[0], tables[1]):
                sides = [
                    f"{_column(context, select, left, here)} = "
                    f"{_column(context, select, right, there)}"
                    for here, there in pairs
                ]
                found.append(" AND ".join(sides))
    return found


def _keys_between(table: Table, other: Table) -> list[tuple[tuple[str, str], ...]]:
    return foreign_keys(table, other) if table is not other else []


def _column(context: SqlContext, select: Select, source: Source, name: str) -> str:
    column = written_name(context.database, context.catalog, name)
    return f"{written_source(select, source)}.{column}"


def _edits(context: SqlContext, select: Select, join: Join, condition: str) -> tuple[Edit, ...]:
    """The condition goes into the ON that there is, else into WHERE."""
    from sqlglot import exp

    written = join.condition if join.condition is not None else select.node.args.get("where")
    written = written.this if isinstance(written, exp.Where) else written
    if isinstance(written, exp.Boolean):
        return _instead_of_true(context, join, condition)
    if written is None:
        end = _end_of_from(context, select.joins[-1])
        return (Edit(end, end, f" WHERE {condition}"),) if end is not None else ()
    place = extent(context.query, written)
    if place is None:
        return ()
    if isinstance(written, exp.Or):
        return (Edit(place[0], place[0], "("), Edit(place[1], place[1], f") AND {condition}"))
    return (Edit(place[1], place[1], f" AND {condition}"),)


def _is_written_out(context: SqlContext, join: Join) -> bool:
    """`CROSS JOIN`, in so many words (sqlglot has the same tree for a comma of SQLite)."""
    start = context.query.span(join.node.this)[0]
    before = [word.text for word in words(context.query) if word.end <= start]
    return before[-2:] == ["CROSS", "JOIN"]


def _end_of_from(context: SqlContext, last: Join) -> int | None:
    from sqlglot import exp

    if not isinstance(last.node.this, exp.Table) or last.node.args.get("using"):
        return None
    if last.condition is None:
        return context.query.span(last.node.this)[1]
    place = extent(context.query, last.condition)
    return place[1] if place is not None else None


def _instead_of_true(context: SqlContext, join: Join, condition: str) -> tuple[Edit, ...]:
    """The word TRUE has no place in the tree; it is the one behind the table's ON."""
    start = context.query.span(join.node.this)[1]
    behind = [word for word in words(context.query) if word.start >= start][:2]
    if [word.text for word in behind] != ["ON", "TRUE"]:
        return ()
    return (Edit(behind[1].start, behind[1].end, condition),)

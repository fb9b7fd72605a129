"""RET4: a row is returned again for each row of a table of which nothing is returned."""

from __future__ import annotations

from groundwire.counted import counted
from groundwire.guard.context import SqlContext
from groundwire.guard.findings import Finding
from groundwire.guard.joins import fans, key_columns
from groundwire.guard.selects import Select, outermost
from groundwire.guard.semi_join import beyond, is_output
from groundwire.guard.wording import asks_for_different, asks_per
from groundwire.query.edits import Edit
from groundwire.query.sql import Source, words

__all__ = ["duplicate_rows"]


def duplicate_rows(context: SqlContext) -> list[Finding]:
    """`SELECT c.id, c.name FROM customers c JOIN orders …` has a customer once an order.

    Only the answer's own SELECT, without aggregates, DISTINCT or LIMIT, whose columns and order
    read one source and what belongs to its row. DISTINCT is written where a key of that source is
    returned, so that no two entities fall together, and the question asks for the entities; else
    it is a doubt. One statement.
    """
    select = outermost(context)
    finding = _finding(context, select) if select is not None else None
    return [finding] if finding is not None else []


def _finding(context: SqlContext, select: Select) -> Finding | None:
    from sqlglot import exp

    source = _returned(select)
    if source is None:
        return None
    keys = key_columns(select, source)
    names = ", ".join(f"k{i}" for i in range(len(keys)))
    rows = select.over_rows(*(exp.alias_(key.copy(), f"k{i}") for i, key in enumerate(keys)))
    if rows is None or not keys:
        return None
    statement = (
        f"SELECT sum(n), count(*) FROM (SELECT count(*) AS n FROM ({rows}) AS r "
        f"WHERE k0 IS NOT NULL GROUP BY {names}) AS e"
    )
    measured = context.measure(statement)
    if measured is None or measured.row[0] in (None, measured.row[1]):
        return None
    total, different = map(int, measured.row)
    table = select.table_of(source)
    what = table.name if table is not None else source.name
    sentence = f"{total:,} rows hold {counted(different, 'different row')} of {what}."
    edits = _edits(context, select, source)
    if not edits and select.sources[0] in beyond(select, source):
        return None  # one row for each of those that FROM begins with may be meant
    by = " and ".join(fan.source.name for fan in fans(select, source))
    return Finding(
        code="RET4",
        check="duplicate_rows",
        severity="fault" if edits else "doubt",
        span=context.query.span(select.node.expressions[0]),
        message=f"A row of {what} is returned again for each row of {by}. {sentence}"
        + (" Each is returned once." if edits else ""),
        evidence=(measured.evidence(sentence, [total, different]),),
        edits=edits,
        action="repaired" if edits else "reported",
    )


def _returned(select: Select) -> Source | None:
    """The source whose rows are returned, where a join beyond it may repeat them."""
    from sqlglot import exp

    node = select.node
    clauses = ("distinct", "group", "having", "limit", "qualify")
    if any(node.args.get(key) for key in clauses) or len(select.sources) < 2:
        return None
    if select.aggregates or node.find(exp.Window):
        return None
    read: list[Source] = []
    for output in node.expressions:
        for column in select.walk(output):
            source = select.source_of(column) if isinstance(column, exp.Column) else None
            if source is not None and source not in read:
                read.append(source)
    for source in read:
        moved = beyond(select, source)
        if moved and not is_output(select, moved):
            return source
    return None


def _edits(context: SqlContext, select: Select, source: Source) -> tuple[Edit, ...]:
    table = select.table_of(source)
    if context.question is None or table is None:
        return ()
    if not asks_for_different(context.question) and not asks_per(context.question, table.name):
        return ()
    returned = [select.stored(output.unalias()) for output in select.node.expressions]
    fold = context.catalog.fold
    own = {fold(one.column.name) for one in returned if one is not None and one.source is source}
    unique = [table.primary_key, *table.unique_keys]
    if not any(key and own.issuperset(map(fold, key)) for key in unique):
        return ()
    outputs = [output.unalias() for output in select.node.expressions]
    if any(key not in outputs for _, key in select.order):
        return ()
    start = context.query.span(select.node.expressions[0])[0]
    before = [word for word in words(context.query) if word.end <= start and word.text == "SELECT"]
    return (Edit(before[-1].end, before[-1].end, " DISTINCT"),) if before else ()

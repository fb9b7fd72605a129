"""A view of a draft written out, so that a check sees what it joins."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from groundwire.guard.joins import item_of, written_source
from groundwire.guard.selects import Select
from groundwire.query.edits import Edit, apply
from groundwire.query.sql import Source, parse, uses

if TYPE_CHECKING:
    from sqlglot import exp

    from groundwire.database.catalog import Table
    from groundwire.guard.context import SqlContext

__all__ = ["written_out"]


def written_out(select: Select, source: Source) -> Select | None:
    """The SELECT with one view of its FROM clause replaced by its definition.

    It belongs to a draft of its own, so that its places are not those of the real one. None where
    the source is no view, or its definition cannot be read. One statement.
    """
    from sqlglot import exp

    context, table, item = select.context, select.table_of(source), item_of(select, source)
    if table is None or table.kind != "view" or source.renamed or not isinstance(item, exp.Table):
        return None
    body = _body(context, table) if not item.args.get("joins") else None
    if body is None:
        return None
    name = written_source(select, source)
    edit = Edit(*context.query.span(item), f"({body}) AS {name}")
    query = parse(apply(context.query.text, [edit]), context.query.dialect)
    if not query.ok:
        return None
    opened = replace(context, query=query, uses=uses(query, context.names.lookup))
    first = context.query.span(select.node.expressions[0])
    found = [one for one in opened.selects if query.span(one.node.expressions[0]) == first]
    return found[0] if len(found) == 1 else None


def _body(context: SqlContext, table: Table) -> str | None:
    """The SELECT of a view."""
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    statement, dialect = context.database.view_text, context.query.dialect
    result = context.probes.ask(statement, [table.schema, table.name], rows=1)
    if result is None or not result.rows or not result.rows[0][0]:
        return None
    try:
        read = sqlglot.parse_one(result.rows[0][0], dialect=dialect)
    except SqlglotError:
        return None
    if isinstance(read, exp.Create):
        if not isinstance(read.this, exp.Table):  # it names its columns
            return None
        read = read.expression
    if not isinstance(read, exp.Select):
        return None
    _unwrap(read)
    return str(read.sql(dialect))


def _unwrap(select: exp.Select) -> None:
    """`FROM ((a JOIN b …) JOIN c …)`, as servers print it, without the brackets."""
    from sqlglot import exp

    clause = select.args.get("from_")
    item, joins = clause.this if clause is not None else None, list[exp.Join]()
    while isinstance(item, exp.Table | exp.Subquery):
        joins = [*(item.args.get("joins") or ()), *joins]
        item.set("joins", None)
        if item.alias or not isinstance(item.this, exp.Table | exp.Subquery):
            break
        item = item.this
    if clause is not None and item is not None:
        clause.set("this", item)
        select.set("joins", [*joins, *(select.args.get("joins") or ())])

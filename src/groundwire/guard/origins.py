"""Where a column comes from that arrives through a CTE or a derived table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from groundwire.guard.selects import Select, Stored
from groundwire.query.sql import Source

if TYPE_CHECKING:
    from sqlglot import exp

    from groundwire.guard.context import SqlContext

__all__ = ["origin", "stored_behind"]


def stored_behind(select: Select, column: exp.Expr) -> Stored | None:
    """The stored column that a column hands on unchanged; its source is that of `select`."""
    found, source = origin(select, column), select.source_of(column)
    if found is None or source is None or not isinstance(found[1], Stored):
        return None
    return Stored(found[1].table, found[1].column, source)


def origin(select: Select, node: exp.Expr) -> tuple[Select, exp.Expr | Stored] | None:
    """(SELECT, stored column or computed expression of it) that an expression hands on.

    None behind a set operation, and where the text alone does not tell.
    """
    from sqlglot import exp

    if not isinstance(node, exp.Column):
        return select, node
    stored, source = select.stored(node), select.source_of(node)
    if stored is not None:
        return select, stored
    return _behind(select.context, source, node.name) if source is not None else None


def _behind(
    context: SqlContext, source: Source, name: str
) -> tuple[Select, exp.Expr | Stored] | None:
    """The origin of a column of a CTE or derived table."""
    from sqlglot import exp

    known = {id(block.node): block for block in context.uses.blocks}
    reader = next((b for b in known.values() if any(s is source for s in b.sources)), None)
    body = _body(reader.node, source) if reader is not None and not source.renamed else None
    if body is None or id(body[0]) not in known:
        return None
    inner, given = Select(context, known[id(body[0])]), body[1]
    outputs = inner.node.selects
    if given:
        if name.lower() not in given or any(output.is_star for output in outputs):
            return None
        return origin(inner, outputs[given.index(name.lower())].unalias())
    named = [o for o in outputs if not o.is_star and o.alias_or_name.lower() == name.lower()]
    if named:
        return origin(inner, named[0].unalias()) if len(named) == 1 else None
    changing = ("except_", "except", "replace", "rename")
    if any(star.args.get(key) for star in inner.node.find_all(exp.Star) for key in changing):
        return None
    holders = [s for s in inner.sources if name.lower() in map(str.lower, s.columns)]
    return _starred(inner, holders[0], name) if len(holders) == 1 else None


def _starred(inner: Select, holder: Source, name: str) -> tuple[Select, exp.Expr | Stored] | None:
    """The origin of what a `*` hands on."""
    if holder.table is None:
        return _behind(inner.context, holder, name)
    table = inner.table_of(holder)
    if table is None or holder.renamed:
        return None
    column = table.column(name) or inner.context.catalog.find_column(table, name)
    return (inner, Stored(table, column, holder)) if column is not None else None


def _body(reader: exp.Select, source: Source) -> tuple[exp.Expr, list[str]] | None:
    """(the query in brackets or the CTE behind a source, the names that it gives the columns)."""
    from sqlglot import exp

    items = [item for item in _items(reader) if item.alias_or_name.lower() == source.name.lower()]
    if len(items) != 1:
        return None
    if isinstance(items[0], exp.Subquery):
        return items[0].this.unnest(), []
    cte = _cte(items[0]) if isinstance(items[0], exp.Table) else None
    if cte is None:
        return None
    return cte.this, [column.name.lower() for column in cte.args["alias"].columns]


def _items(reader: exp.Select) -> Iterator[exp.Expr]:
    clause = reader.args.get("from_")
    if clause is not None:
        yield clause.this
    for join in reader.args.get("joins") or ():
        yield join.this


def _cte(table: exp.Table) -> exp.CTE | None:
    """The CTE that a name in a FROM clause means: the nearest one before it."""
    from sqlglot import exp

    inside: exp.Expr = table
    while inside.parent is not None:
        clause = inside.parent.args.get("with_")
        if isinstance(clause, exp.With) and inside is not clause:
            visible = clause.expressions
        elif isinstance(inside.parent, exp.With):
            visible = inside.parent.expressions[: inside.parent.expressions.index(inside)]
        else:
            visible = []
        found = [cte for cte in visible if cte.alias.lower() == table.name.lower()]
        if found:
            return found[-1] if isinstance(found[-1], exp.CTE) else None
        inside = inside.parent
    return None

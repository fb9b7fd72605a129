"""Which values a SQL query expects in which column of which table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.database.base import SqlDatabase
from groundwire.guard.grounding import Binding
from groundwire.guard.names import Names, written_name
from groundwire.query.sql import ColumnUse, parse, uses

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["sql_bindings"]


def sql_bindings(text: str, database: SqlDatabase) -> list[Binding]:
    """The text literals that a query compares with a stored column: =, IN, LIKE, ILIKE."""
    query = parse(text, database.dialect)
    if not query.ok:
        return []
    names = Names(database, database.catalog())
    columns = {id(use.node): use for use in uses(query, names.lookup).columns}
    found = []
    for column, comparison, value in _comparisons(query.statements[0]):
        use = columns.get(id(column))
        if use is not None and use.meaning == "column":
            binding = _binding(names, use, comparison, value)
            if binding is not None:
                found.append(binding)
    return list(dict.fromkeys(found))


def _comparisons(tree: exp.Expr) -> list[tuple[exp.Expr, str, str]]:
    """(column, how it is compared, text) of every comparison of a column with a text."""
    from sqlglot import exp

    found: list[tuple[exp.Expr, str, str]] = []
    for node in tree.find_all(exp.EQ, exp.In, exp.Like, exp.ILike):
        if isinstance(node, exp.In):
            pairs = [(node.this, value) for value in node.expressions]
        else:
            pairs = [(node.this, node.expression), (node.expression, node.this)]
        how = {"like": "LIKE", "ilike": "ILIKE"}.get(node.key, "=")
        for left, right in pairs:
            folded = isinstance(left, exp.Lower | exp.Upper)
            column = left.this if folded else left
            if (
                isinstance(column, exp.Column)
                and isinstance(right, exp.Literal)
                and right.is_string
            ):
                found.append((column, "ILIKE" if folded else how, right.name))
    return found


def _binding(names: Names, use: ColumnUse, how: str, value: str) -> Binding | None:
    source = use.sources[0]
    table = names.of(source.table) if source.table is not None else None
    column = names.catalog.find_column(table, use.name, quoted=use.quoted) if table else None
    if table is None or column is None or source.renamed:
        return None
    database, catalog = names.database, names.catalog
    key = written_name(database, catalog, column.name)
    stored = ".".join(written_name(database, catalog, part) for part in (table.schema, table.name))
    text = f"CAST({key} AS VARCHAR)"
    condition = {
        "=": f"{text} = $1",
        "LIKE": f"{text} LIKE $1",
        "ILIKE": f"LOWER({text}) LIKE LOWER($1)",
    }[how]
    return Binding(
        f"{table.name}.{column.name}",
        value,
        f"SELECT 1 FROM {stored} WHERE {condition} LIMIT 1",
        f"SELECT DISTINCT {key} FROM {stored} WHERE LOWER({text}) LIKE"
        " '%' || LOWER($1) || '%' LIMIT 3",
    )

"""What a SQLite file declares, through the table-valued forms of its pragmas."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from groundwire.database.catalog import Column, ForeignKey, Table

__all__ = ["read_tables"]

TABLES = """
SELECT name, type FROM pragma_table_list
WHERE schema = 'main' AND type IN ('table', 'view', 'virtual') AND substr(name, 1, 7) <> 'sqlite_'
ORDER BY name
"""
COLUMNS = """
SELECT name, type, "notnull", pk FROM pragma_table_xinfo(?) WHERE hidden <> 1 ORDER BY cid
"""
UNIQUE = """
SELECT l.name AS "table", i.name AS "index", c.name AS "column"
FROM pragma_table_list AS l, pragma_index_list(l.name) AS i, pragma_index_info(i.name) AS c
WHERE l.schema = 'main' AND i."unique" AND i.origin <> 'pk' AND NOT i.partial
ORDER BY l.name, i.seq DESC, c.seqno
"""
FOREIGN = """
SELECT l.name, f.id, f."table", f."from", f."to"
FROM pragma_table_list AS l, pragma_foreign_key_list(l.name) AS f
WHERE l.schema = 'main'
ORDER BY l.name, f.id DESC, f.seq
"""


def read_tables(connection: sqlite3.Connection) -> list[Table]:
    """All tables and views, less SQLite's own and the inner tables of virtual ones."""
    unique, foreign = _unique_keys(connection), _foreign_keys(connection)
    estimates = _estimates(connection)
    tables = []
    for name, kind in connection.execute(TABLES).fetchall():
        try:
            described = connection.execute(COLUMNS, (name,)).fetchall()
        except sqlite3.OperationalError:
            continue  # a view over something that is gone cannot be read either
        tables.append(_table(name, kind, described, unique[name], estimates.get(name)))
    by_name = {table.name.lower(): table for table in tables}
    return [_with_foreign_keys(table, foreign[table.name], by_name) for table in tables]


def _table(
    name: str,
    kind: str,
    described: list[tuple[Any, ...]],
    unique: list[tuple[str, ...]],
    estimate: int | None,
) -> Table:
    ranked = sorted((rank, column) for column, _, _, rank in described if rank)
    return Table(
        "main",
        name,
        "view" if kind == "view" else "table",
        tuple(
            Column(column, declared, nullable=not (not_null or rank))
            for column, declared, not_null, rank in described
        ),
        primary_key=tuple(column for _, column in ranked),
        unique_keys=tuple(dict.fromkeys(unique)),
        row_estimate=estimate,
    )


def _unique_keys(connection: sqlite3.Connection) -> dict[str, list[tuple[str, ...]]]:
    indexes: dict[tuple[str, str], list[str | None]] = defaultdict(list)
    for table, index, column in connection.execute(UNIQUE):
        indexes[table, index].append(column)
    keys: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for (table, _), columns in indexes.items():
        named = tuple(column for column in columns if column is not None)
        if len(named) == len(columns):  # an index on an expression is no key of columns
            keys[table].append(named)
    return keys


def _foreign_keys(connection: sqlite3.Connection) -> dict[str, list[list[tuple[Any, ...]]]]:
    keys: dict[str, dict[int, list[tuple[Any, ...]]]] = defaultdict(lambda: defaultdict(list))
    for table, number, *rest in connection.execute(FOREIGN):
        keys[table][number].append(tuple(rest))
    found: dict[str, list[list[tuple[Any, ...]]]] = defaultdict(list)
    found.update({table: list(of_table.values()) for table, of_table in keys.items()})
    return found


def _with_foreign_keys(
    table: Table, keys: list[list[tuple[Any, ...]]], tables: dict[str, Table]
) -> Table:
    def key(rows: list[tuple[Any, ...]]) -> ForeignKey:
        columns = _as_stored((column for _, column, _ in rows), table)
        target = tables.get(rows[0][0].lower())
        if target is None:
            return ForeignKey(columns, "main", rows[0][0], tuple(to or "" for _, _, to in rows))
        named = _as_stored((to for _, _, to in rows if to is not None), target)
        return ForeignKey(columns, "main", target.name, named or target.primary_key)

    return replace(table, foreign_keys=tuple(key(rows) for rows in keys))


def _as_stored(names: Iterable[str], table: Table) -> tuple[str, ...]:
    """A key may be written in another case than its columns."""
    stored = {column.name.lower(): column.name for column in table.columns}
    return tuple(stored.get(name.lower(), name) for name in names)


def _estimates(connection: sqlite3.Connection) -> dict[str, int]:
    """ANALYZE keeps the number of rows as the first word of each index's statistics."""
    known = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'sqlite_stat1'")
    if known.fetchone() is None:
        return {}
    rows = connection.execute("SELECT tbl, stat FROM sqlite_stat1 WHERE stat IS NOT NULL")
    return {table: int(stat.split()[0]) for table, stat in rows}

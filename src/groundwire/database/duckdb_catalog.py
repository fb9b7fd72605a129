"""What a DuckDB database declares, in five set-based queries."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from groundwire.database.catalog import Column, ForeignKey, Table

if TYPE_CHECKING:
    import duckdb

__all__ = ["read_tables"]

OWN = "database_name = current_database() AND NOT internal"

TABLES = f"""
SELECT schema_name, table_name, 'table', comment, estimated_size
FROM duckdb_tables() WHERE {OWN}
UNION ALL
SELECT schema_name, view_name, 'view', comment, NULL
FROM duckdb_views() WHERE {OWN}
ORDER BY 1, 2
"""
COLUMNS = f"""
SELECT schema_name, table_name, column_name, data_type, is_nullable, comment
FROM duckdb_columns() WHERE {OWN}
ORDER BY schema_name, table_name, column_index
"""
CONSTRAINTS = """
SELECT schema_name, table_name, constraint_type, constraint_column_names,
       referenced_table, referenced_column_names
FROM duckdb_constraints()
WHERE database_name = current_database()
  AND constraint_type IN ('PRIMARY KEY', 'UNIQUE', 'FOREIGN KEY')
ORDER BY schema_name, table_name, constraint_index
"""
UNIQUE_INDEXES = """
SELECT schema_name, table_name, expressions::VARCHAR[]
FROM duckdb_indexes()
WHERE database_name = current_database() AND is_unique AND NOT is_primary
ORDER BY schema_name, table_name, index_name
"""

Key = tuple[str, str]


def read_tables(cursor: duckdb.DuckDBPyConnection) -> tuple[list[Table], tuple[str, ...]]:
    """All tables and views of the current database, and its search path."""
    columns: dict[Key, list[Column]] = defaultdict(list)
    for schema, table, name, kind, nullable, comment in cursor.execute(COLUMNS).fetchall():
        column = Column(name, kind, nullable, comment or "", _enum_values(kind))
        columns[schema, table].append(column)
    keys: dict[Key, list[tuple[Any, ...]]] = defaultdict(list)
    for schema, table, *key in cursor.execute(CONSTRAINTS).fetchall():
        keys[schema, table].append(tuple(key))
    indexes: dict[Key, list[list[str]]] = defaultdict(list)
    for schema, table, expressions in cursor.execute(UNIQUE_INDEXES).fetchall():
        indexes[schema, table].append(expressions)
    tables = [
        _table(row, tuple(columns[row[:2]]), keys[row[:2]], indexes[row[:2]])
        for row in cursor.execute(TABLES).fetchall()
    ]
    return tables, (cursor.execute("SELECT current_schema()").fetchall()[0][0],)


def _table(
    row: tuple[Any, ...],
    columns: tuple[Column, ...],
    keys: list[tuple[Any, ...]],
    indexes: list[list[str]],
) -> Table:
    schema, name, kind, comment, size = row
    of_kind: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for constraint, names, _, _ in keys:
        of_kind[constraint].append(tuple(names))
    column_names = {column.name for column in columns}
    for expressions in indexes:
        # An index on an expression is no key of columns.
        names = [_unquoted(expression) for expression in expressions]
        if column_names.issuperset(names):
            of_kind["UNIQUE"].append(tuple(names))
    return Table(
        schema,
        name,
        kind,
        columns,
        primary_key=next(iter(of_kind["PRIMARY KEY"]), ()),
        unique_keys=tuple(dict.fromkeys(of_kind["UNIQUE"])),
        foreign_keys=tuple(
            # DuckDB has no foreign keys from one schema to another.
            ForeignKey(tuple(names), schema, target, tuple(target_names))
            for constraint, names, target, target_names in keys
            if constraint == "FOREIGN KEY"
        ),
        comment=comment or "",
        row_estimate=size,
    )


def _enum_values(kind: str) -> tuple[str, ...]:
    if not kind.startswith("ENUM("):
        return ()
    return tuple(label.replace("''", "'") for label in re.findall(r"'((?:[^']|'')*)'", kind))


def _unquoted(identifier: str) -> str:
    if identifier.startswith('"') and identifier.endswith('"'):
        return identifier[1:-1].replace('""', '"')
    return identifier

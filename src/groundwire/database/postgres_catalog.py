"""What a PostgreSQL database declares and this role may read, in four set-based queries.

A table is readable where its schema may be used and at least one of its columns may be
selected. Partitions are left out: their parent stands for them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

from groundwire.database.catalog import Column, ForeignKey, Table, TableKind

__all__ = ["read_tables"]

Query = Callable[[str], list[tuple[Any, ...]]]

KINDS: dict[str, TableKind] = {
    "r": "table",
    "v": "view",
    "m": "materialized view",
    "p": "partitioned table",
    "f": "foreign table",
}

READABLE = """
WITH readable AS MATERIALIZED (
    SELECT c.oid, n.nspname, c.relname, c.relkind, c.reltuples,
           has_table_privilege(c.oid, 'SELECT') AS whole
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'v', 'm', 'p', 'f')
      AND NOT c.relispartition
      AND n.nspname <> 'information_schema'
      AND n.nspname !~ '^pg_'
      AND has_schema_privilege(n.oid, 'USAGE')
      AND has_any_column_privilege(c.oid, 'SELECT')
)
"""
# Names that begin with pg_ are reserved for the system, so `^pg_` hides no schema of a user.

TABLES = (
    READABLE
    + """
SELECT r.oid, r.nspname, r.relname, r.relkind, obj_description(r.oid, 'pg_class'),
       CASE WHEN r.relkind = 'p' AND r.reltuples < 0 THEN (
                SELECT sum(leaf.reltuples)
                FROM pg_partition_tree(r.oid) AS tree JOIN pg_class AS leaf ON leaf.oid = tree.relid
                WHERE tree.isleaf AND leaf.reltuples >= 0)
            WHEN r.relkind <> 'v' AND r.reltuples >= 0 THEN r.reltuples END::bigint
FROM readable AS r
ORDER BY r.nspname, r.relname
"""
)
# An enum may stand behind a domain or in an array.
COLUMNS = (
    READABLE
    + """
, labels AS (
    SELECT enumtypid, array_agg(enumlabel::text ORDER BY enumsortorder) AS labels
    FROM pg_enum GROUP BY enumtypid
)
SELECT a.attrelid, a.attname, format_type(a.atttypid, a.atttypmod), NOT a.attnotnull,
       d.description, l.labels
FROM readable AS r
JOIN pg_attribute AS a ON a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped
JOIN pg_type AS t ON t.oid = a.atttypid
LEFT JOIN labels AS l
  ON l.enumtypid = CASE WHEN t.typtype = 'd' THEN t.typbasetype
                        WHEN t.typcategory = 'A' THEN t.typelem ELSE t.oid END
LEFT JOIN pg_description AS d
  ON d.classoid = 'pg_class'::regclass AND d.objoid = a.attrelid AND d.objsubid = a.attnum
WHERE r.whole OR has_column_privilege(a.attrelid, a.attnum, 'SELECT')
ORDER BY a.attrelid, a.attnum
"""
)
# Unique indexes rather than constraints: each unique constraint has one, and one without a
# constraint is as unique. Those on expressions or on some of the rows are no keys.
KEYS = (
    READABLE
    + """
SELECT i.indrelid, i.indisprimary, array_agg(a.attname::text ORDER BY k.position)
FROM readable AS r
JOIN pg_index AS i ON i.indrelid = r.oid
CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY AS k(attnum, position)
JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
WHERE i.indisunique AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL
  AND k.position <= i.indnkeyatts
GROUP BY i.indrelid, i.indisprimary, i.indexrelid
ORDER BY i.indrelid, i.indexrelid
"""
)
FOREIGN_KEYS = (
    READABLE
    + """
SELECT f.conrelid, target.nspname, target.relname,
       array_agg(a.attname::text ORDER BY k.position),
       array_agg(b.attname::text ORDER BY k.position)
FROM pg_constraint AS f
JOIN readable AS r ON r.oid = f.conrelid
JOIN readable AS target ON target.oid = f.confrelid
CROSS JOIN LATERAL unnest(f.conkey, f.confkey) WITH ORDINALITY AS k(own, other, position)
JOIN pg_attribute AS a ON a.attrelid = f.conrelid AND a.attnum = k.own
JOIN pg_attribute AS b ON b.attrelid = f.confrelid AND b.attnum = k.other
WHERE f.contype = 'f'
GROUP BY f.oid, f.conrelid, f.conname, target.nspname, target.relname
ORDER BY f.conrelid, f.conname
"""
)


def read_tables(query: Query) -> tuple[list[Table], tuple[str, ...]]:
    """All readable tables, and the schemas in which an unqualified name is looked up."""
    columns: dict[int, list[Column]] = defaultdict(list)
    for oid, name, kind, nullable, comment, labels in query(COLUMNS):
        columns[oid].append(Column(name, kind, nullable, comment or "", tuple(labels or ())))
    primary: dict[int, tuple[str, ...]] = {}
    unique: dict[int, list[tuple[str, ...]]] = defaultdict(list)
    for oid, is_primary, names in query(KEYS):
        if is_primary:
            primary[oid] = tuple(names)
        else:
            unique[oid].append(tuple(names))
    foreign: dict[int, list[ForeignKey]] = defaultdict(list)
    for oid, schema, table, own, other in query(FOREIGN_KEYS):
        foreign[oid].append(ForeignKey(tuple(own), schema, table, tuple(other)))
    tables = [
        Table(
            schema,
            name,
            KINDS[kind],
            tuple(columns[oid]),
            primary.get(oid, ()),
            tuple(dict.fromkeys(unique[oid])),
            tuple(foreign[oid]),
            comment or "",
            estimate,
        )
        for oid, schema, name, kind, comment, estimate in query(TABLES)
    ]
    ((path,),) = query("SELECT current_schemas(false)::text[]")
    return tables, tuple(path)

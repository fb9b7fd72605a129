"""What PostgreSQL knows of its columns since the last ANALYZE, and its samples.

Manual: 52.25 (pg_stats), 14.2 (statistics used by the planner), SELECT (TABLESAMPLE).
"""

from __future__ import annotations

from groundwire.database.base import SqlDatabase
from groundwire.database.catalog import Table
from groundwire.database.measuring import (
    CanListValues,
    CanSample,
    KeepsStatistics,
    ReadsNumbers,
    ServerFacts,
    ValueReader,
)

__all__ = ["PostgresStatistics"]

# ANALYZE reads 300 rows for each unit of the statistics target (manual, ANALYZE). Of a
# partitioned table it keeps what holds for all partitions as `inherited`.
_STATISTICS = """
SELECT s.n_distinct, s.null_frac, s.most_common_vals::text::text[], s.most_common_freqs::float8[],
       greatest(c.reltuples, 0)::float8,
       300 * coalesce(nullif(a.attstattarget, -1),
                      current_setting('default_statistics_target')::integer)
FROM pg_stats AS s
JOIN pg_namespace AS n ON n.nspname = s.schemaname
JOIN pg_class AS c ON c.relnamespace = n.oid AND c.relname = s.tablename
JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attname = s.attname
WHERE s.schemaname = $1 AND s.tablename = $2 AND s.attname = $3
ORDER BY s.inherited DESC LIMIT 1
"""

# A range of row addresses is read by itself from version 14 on. Under a collation that is not
# deterministic, and in columns of other types, different texts may be equal.
_READABLE = """
SELECT pg_relation_size(c.oid) / current_setting('block_size')::bigint,
       EXISTS (SELECT 1 FROM pg_index AS i JOIN pg_class AS x ON x.oid = i.indexrelid
               JOIN pg_am AS m ON m.oid = x.relam
               WHERE i.indrelid = c.oid AND i.indkey[0] = a.attnum AND i.indisvalid
                 AND i.indpred IS NULL AND m.amname = 'btree')
FROM pg_class AS c
JOIN pg_namespace AS n ON n.oid = c.relnamespace
JOIN pg_am AS h ON h.oid = c.relam
JOIN pg_attribute AS a ON a.attrelid = c.oid
JOIN pg_collation AS l ON l.oid = a.attcollation
WHERE n.nspname = $1 AND c.relname = $2 AND a.attname = $3 AND c.relkind IN ('r', 'm')
  AND NOT c.relhassubclass AND h.amname = 'heap' AND l.collisdeterministic
  AND a.atttypid IN ('text'::regtype, 'varchar'::regtype)
  AND current_setting('server_version_num')::integer >= 140000
"""
_WALK = """
WITH RECURSIVE walk AS (
    (SELECT {name} AS v FROM {source} WHERE {name} IS NOT NULL ORDER BY {name} LIMIT 1)
    UNION ALL
    SELECT (SELECT {name} FROM {source} WHERE {name} > walk.v ORDER BY {name} LIMIT 1)
    FROM walk WHERE walk.v IS NOT NULL
)
SELECT v FROM walk WHERE v IS NOT NULL
"""


class PostgresStatistics(SqlDatabase, KeepsStatistics, CanSample, CanListValues, ReadsNumbers):
    """The measuring part of a PostgreSQL database."""

    number_types = ("bigint", "numeric")

    def server_facts(self, table: Table, column: str) -> ServerFacts | None:
        found = self.execute(
            _STATISTICS,
            [table.schema, table.name, column],
            max_rows=1,
            timeout=self.settings.probe_timeout,
        )
        if not found.rows:
            return None
        distinct, nulls, values, shares, estimate, target = found.rows[0]
        rows = table.row_estimate or estimate
        return ServerFacts(
            _STATISTICS.strip(),
            found.elapsed,
            sampled=int(min(rows, target)),
            distinct=-distinct * rows if distinct < 0 else distinct or None,
            null_share=nulls,
            common=tuple(zip(values or (), shares or (), strict=True)),
        )

    def sample(self, table: Table, source: str, listed: str, rows: int) -> str | None:
        if table.kind not in ("table", "materialized view", "partitioned table"):
            return None
        percent = min(100.0, 100 * rows / max(table.row_estimate or 1, 1))
        return f"SELECT {listed} FROM {source} TABLESAMPLE SYSTEM ({percent:.6f}) REPEATABLE (0)"

    def value_reader(self, table: Table, column: str) -> ValueReader | None:
        found = self.execute(
            _READABLE,
            [table.schema, table.name, column],
            max_rows=1,
            timeout=self.settings.probe_timeout,
        )
        if not found.rows:
            return None
        (blocks, indexed), name = found.rows[0], self.quote(column)
        source = self.source(table)
        part = f"SELECT DISTINCT {name} FROM {source} WHERE {name} IS NOT NULL AND ctid >= "
        part = part.replace("{", "{{").replace("}", "}}")
        part += "'({first},0)'::tid AND ctid < '({last},0)'::tid"
        whole = _WALK.format(name=name, source=source).strip() if indexed else None
        return ValueReader(whole, blocks, part)

    def reads_as_number(self, text: str, *, whole: bool = False) -> str:
        number = r"[0-9]+" if whole else r"([0-9]+(\.[0-9]*)?|\.[0-9]+)"
        return rf"{text} ~ '^\s*[-+]?{number}\s*$'"

"""What ANALYZE has left in a SQLite file (https://www.sqlite.org/fileformat2.html, 2.6.3), and
samples by row number.
"""

from __future__ import annotations

import sqlite3
import time

from groundwire.database.base import SqlDatabase
from groundwire.database.catalog import Table
from groundwire.database.measuring import CanSample, KeepsStatistics, ReadsNumbers, ServerFacts

__all__ = ["SQLiteStatistics", "read_server_facts"]

_STATISTICS = """
SELECT s.stat FROM sqlite_stat1 AS s JOIN pragma_index_info(s.idx) AS i
WHERE s.tbl = ? AND i.seqno = 0 AND i.name = ?
ORDER BY length(s.stat) LIMIT 1
"""
_MULTIPLIER = 2_654_435_761
"""Knuth's multiplicative hash (The Art of Computer Programming, 6.4): spreads 1, 2, 3, …"""


class SQLiteStatistics(SqlDatabase, KeepsStatistics, CanSample, ReadsNumbers):
    """The measuring part of a SQLite file."""

    number_types = ("INTEGER", "REAL")

    def sample(self, table: Table, source: str, listed: str, rows: int) -> str | None:
        if table.kind != "table":
            return None
        return (
            f"SELECT {listed} FROM {source} WHERE rowid IN (WITH RECURSIVE n(i) AS "
            f"(SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {rows}) "
            f"SELECT 1 + i * {_MULTIPLIER} % (SELECT max(rowid) FROM {source}) FROM n)"
        )

    def reads_as_number(self, text: str, *, whole: bool = False) -> str:
        signed = f"trim({text})"
        bare = f"(CASE WHEN {signed} GLOB '[-+]*' THEN substr({signed}, 2) ELSE {signed} END)"
        if whole:
            return f"({bare} <> '' AND {bare} NOT GLOB '*[^0-9]*')"
        return (
            f"({bare} GLOB '*[0-9]*' AND {bare} NOT GLOB '*[^0-9.]*' AND {bare} NOT GLOB '*.*.*')"
        )


def read_server_facts(
    connection: sqlite3.Connection, table: Table, column: str
) -> ServerFacts | None:
    """The average number of rows for one value, of a column that an index begins with."""
    started = time.perf_counter()
    try:
        row = connection.execute(_STATISTICS, (table.name, column)).fetchone()
    except sqlite3.OperationalError:
        return None  # never analysed
    if row is None:
        return None
    rows, for_each, *_ = map(int, row[0].split()[:2])
    seconds = time.perf_counter() - started
    return ServerFacts(_STATISTICS.strip(), seconds, sampled=rows, distinct=rows / for_each)

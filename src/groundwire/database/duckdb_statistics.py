"""What DuckDB knows of its columns, and its samples."""

from __future__ import annotations

from groundwire.database.base import SqlDatabase
from groundwire.database.catalog import Table
from groundwire.database.measuring import CanSample, KeepsStatistics, ReadsNumbers, ServerFacts

__all__ = ["DuckDBStatistics"]


class DuckDBStatistics(SqlDatabase, KeepsStatistics, CanSample, ReadsNumbers):
    """The measuring part of a DuckDB database."""

    exact_rows = 20_000_000
    number_types = ("BIGINT", "DOUBLE")

    def server_facts(self, table: Table, column: str) -> ServerFacts | None:
        """DuckDB keeps a HyperLogLog of each stored column over all of its rows."""
        if table.kind != "table" or not table.row_estimate:
            return None
        name, source = self.quote(column), self.source(table)
        statement = f"SELECT stats({name}) FROM {source} LIMIT 1"
        found = self.execute(statement, max_rows=1, timeout=self.settings.probe_timeout)
        kept = found.rows[0][0] if found.rows else None
        if not isinstance(kept, dict) or not kept.get("approx_unique"):
            return None
        return ServerFacts(
            statement,
            found.elapsed,
            sampled=table.row_estimate,
            distinct=kept["approx_unique"],
            null_share=None if kept.get("has_null", True) else 0.0,
        )

    def sample(self, table: Table, source: str, listed: str, rows: int) -> str | None:
        if table.kind != "table":
            return None
        every = max((table.row_estimate or 0) // rows, 1)
        # TABLESAMPLE gives other rows each time when several threads read.
        return f"SELECT {listed} FROM {source} WHERE hash(rowid) % {every} = 0"

    def reads_as_number(self, text: str, *, whole: bool = False) -> str:
        number = r"[0-9]+" if whole else r"([0-9]+(\.[0-9]*)?|\.[0-9]+)"
        return rf"regexp_full_match({text}, '\s*[-+]?{number}\s*')"

"""What is measured in the stored data of a relational database, asked with small statements.

Exact on small tables and where a key of the catalog decides; a sample with its interval on large
ones. Facts are kept per database until its catalog changes or they are too old.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from groundwire.database.base import Parameters, SqlDatabase
from groundwire.database.catalog import Table
from groundwire.database.result import Result

__all__ = ["Ask", "Fact", "Statistics"]

Ask = Callable[..., Result | None]
"""(statement, parameters, rows=…) → the answer, None where the budget is spent or none came."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A measured value. `statement` is "" where the catalog already knew.

    `sampled` is the number of rows looked at where that was not the whole table.
    """

    value: Any
    statement: str = ""
    seconds: float = 0.0
    sampled: int | None = None


class Statistics:
    """The facts of one database, asked through `ask`."""

    def __init__(self, database: SqlDatabase, ask: Ask) -> None:
        self.database = database
        self._ask = ask

    def is_unique(self, table: Table, columns: tuple[str, ...]) -> Fact | None:
        """Whether no two rows share values of these columns (rows with a NULL in them aside)."""
        wanted = set(columns)
        keys = [table.primary_key, *table.unique_keys]
        if any(key and set(key) <= wanted for key in keys):
            return Fact(True)
        listed = ", ".join(map(self.database.quote, columns))
        present = " AND ".join(f"{self.database.quote(name)} IS NOT NULL" for name in columns)
        statement = (
            f"SELECT {listed}, count(*) FROM {self._from(table)} WHERE {present} "
            f"GROUP BY {listed} HAVING count(*) > 1 LIMIT 1"
        )
        return self._fact(statement, lambda result: not result.rows)

    def nulls(self, table: Table, column: str) -> Fact | None:
        """(rows that have no value there, rows)."""
        name = self.database.quote(column)
        statement = f"SELECT count(*) - count({name}), count(*) FROM {self._from(table)}"
        return self._fact(statement, lambda result: result.rows[0])

    def row_count(self, table: Table) -> Fact | None:
        """The rows of a table."""
        return self._fact(
            f"SELECT count(*) FROM {self._from(table)}", lambda result: result.rows[0][0]
        )

    def holds(self, table: Table, column: str, value: Any) -> Fact | None:
        """Whether any row has that value there."""
        statement = (
            f"SELECT 1 FROM {self._from(table)} WHERE {self.database.quote(column)} = $1 LIMIT 1"
        )
        return self._fact(statement, lambda result: bool(result.rows), [value])

    def containment(
        self, table: Table, column: str, other: Table, other_column: str
    ) -> Fact | None:
        """(different values of a column that the other column holds too, all its values)."""
        left, right = self.database.quote(column), self.database.quote(other_column)
        statement = (
            f"SELECT count(CASE WHEN EXISTS (SELECT 1 FROM {self._from(other)} o "
            f"WHERE o.{right} = d.v) THEN 1 END), count(*) FROM "
            f"(SELECT DISTINCT {left} AS v FROM {self._from(table)} WHERE {left} IS NOT NULL) d"
        )
        return self._fact(statement, lambda result: result.rows[0])

    def extremes(self, table: Table, column: str) -> Fact | None:
        """(least value, greatest value) of a column."""
        name = self.database.quote(column)
        statement = f"SELECT min({name}), max({name}) FROM {self._from(table)}"
        return self._fact(statement, lambda result: result.rows[0])

    def _from(self, table: Table) -> str:
        quote = self.database.quote
        return f"{quote(table.schema)}.{quote(table.name)}" if table.schema else quote(table.name)

    def _fact(
        self, statement: str, read: Callable[[Result], Any], parameters: Parameters = None
    ) -> Fact | None:
        result = self._ask(statement, parameters, rows=2)
        if result is None:
            return None
        return Fact(read(result), statement, result.elapsed)

"""What a relational database declares: tables, columns, keys, comments, estimates.

Names are kept exactly as the database stores them. The catalog of a graph is in
`graph_catalog.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

__all__ = ["Catalog", "Column", "ForeignKey", "Table", "TableKind"]

TableKind = Literal["table", "view", "materialized view", "partitioned table", "foreign table"]


@dataclass(frozen=True, slots=True)
class Column:
    """A column. `type` is in the database's own words (`numeric(10,2)`, `timestamp[]`).

    `values` holds the labels of an enum type in their order, else nothing.
    """

    name: str
    type: str
    nullable: bool = True
    comment: str = ""
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ForeignKey:
    """`columns` of a table refer to `target_columns` of another one, pairwise."""

    columns: tuple[str, ...]
    target_schema: str
    target_table: str
    target_columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table or what can be read like one.

    `row_estimate` is the server's own estimate, None where it has none. `unique_keys` are the
    declared unique column sets other than the primary key. `hidden_columns` counts the columns
    that `settings.exclude` took away.
    """

    schema: str
    name: str
    kind: TableKind
    columns: tuple[Column, ...]
    primary_key: tuple[str, ...] = ()
    unique_keys: tuple[tuple[str, ...], ...] = ()
    foreign_keys: tuple[ForeignKey, ...] = ()
    comment: str = ""
    row_estimate: int | None = None
    hidden_columns: int = 0

    def column(self, name: str) -> Column | None:
        """The column of exactly this name."""
        return next((column for column in self.columns if column.name == name), None)


@dataclass(frozen=True)
class Catalog:
    """All readable tables of a database.

    `search_path` lists the schemas in which an unqualified name is looked up, first match
    wins. `folds` says what the database does with an unquoted name: `lower` (PostgreSQL),
    or `ignore` (DuckDB, SQLite: names match whatever their case, quoted or not).
    """

    dialect: str
    tables: tuple[Table, ...]
    search_path: tuple[str, ...]
    folds: Literal["lower", "ignore"]
    version: str = ""
    _by_name: dict[str, tuple[Table, ...]] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )

    def __post_init__(self) -> None:
        for table in self.tables:
            key = self.fold(table.name)
            self._by_name[key] = (*self._by_name.get(key, ()), table)

    def fold(self, name: str) -> str:
        """The form of a stored name in which names are compared."""
        return name.lower() if self.folds == "ignore" else name

    def read_identifier(self, name: str, *, quoted: bool) -> str:
        """The stored-name form of an identifier as it stands in a query text."""
        if self.folds == "ignore" or not quoted:
            return name.lower()
        return name

    def find(self, name: str, schema: str = "", *, quoted: bool = False) -> Table | None:
        """The table that an identifier of a query means, by the database's own rules.

        Args:
            name: the table's identifier without quotes.
            schema: the schema's name as stored; "" = looked up along `search_path`.
            quoted: the identifier was quoted in the text.
        """
        wanted = self.read_identifier(name, quoted=quoted)
        found = self._by_name.get(wanted, ())
        schemas = (schema,) if schema else self.search_path
        for candidate in schemas:
            for table in found:
                if self.fold(table.schema) == self.fold(candidate):
                    return table
        return None

    def find_column(self, table: Table, name: str, *, quoted: bool = False) -> Column | None:
        """The column that an identifier of a query means in a table."""
        wanted = self.read_identifier(name, quoted=quoted)
        return next((c for c in table.columns if self.fold(c.name) == wanted), None)

    def columns(self) -> Iterator[tuple[Table, Column]]:
        """Every (table, column)."""
        for table in self.tables:
            for column in table.columns:
                yield table, column

    @cached_property
    def schemas(self) -> tuple[str, ...]:
        """The schemas that hold a table, sorted."""
        return tuple(sorted({table.schema for table in self.tables}))

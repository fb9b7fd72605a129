"""What a session may see: some schemas, less the excluded tables and columns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fnmatch import fnmatchcase

from groundwire.database.catalog import Table

__all__ = ["Scope"]


class Scope:
    """Applies `settings.schemas` and `settings.exclude` to the tables of a catalog.

    A pattern is `table`, `table.column`, `schema.table` or `schema.table.column`; each part may
    be a glob, upper and lower case are alike. What a pattern could mean, it means: `a.b` takes
    away column b of every table a and table b of schema a.
    """

    def __init__(self, schemas: Iterable[str] = (), exclude: Iterable[str] = ()) -> None:
        self._schemas = tuple(schema.lower() for schema in schemas)
        self._patterns = tuple(tuple(pattern.lower().split(".")) for pattern in exclude)

    def hides_table(self, schema: str, table: str) -> bool:
        """The whole table is out of sight."""
        if self._schemas and schema.lower() not in self._schemas:
            return True
        return self._matches((table,)) or self._matches((schema, table))

    def hides_column(self, schema: str, table: str, column: str) -> bool:
        """The column, or the whole of its table, is out of sight."""
        return (
            self.hides_table(schema, table)
            or self._matches((table, column))
            or self._matches((schema, table, column))
        )

    def hides_some_column(self, schema: str, table: str) -> bool:
        """The table, or a column that it has or could have, is out of sight."""
        prefixes = ((table,), (schema, table))
        return self.hides_table(schema, table) or any(
            _fits(name, pattern[:-1]) for name in prefixes for pattern in self._patterns
        )

    def apply(self, tables: Iterable[Table]) -> tuple[Table, ...]:
        """The visible tables with their visible columns, and only the keys between those.

        A table without a visible column is left out.
        """
        visible = [narrowed for table in tables if (narrowed := self._narrow(table)) is not None]
        columns = {
            (table.schema, table.name): {column.name for column in table.columns}
            for table in visible
        }
        return tuple(
            replace(
                table,
                foreign_keys=tuple(
                    key
                    for key in table.foreign_keys
                    if columns.get((key.target_schema, key.target_table), set())
                    >= set(key.target_columns)
                    and columns[table.schema, table.name] >= set(key.columns)
                ),
            )
            for table in visible
        )

    def _narrow(self, table: Table) -> Table | None:
        if self.hides_table(table.schema, table.name):
            return None
        columns = tuple(
            column
            for column in table.columns
            if not self.hides_column(table.schema, table.name, column.name)
        )
        if table.columns and not columns:
            return None
        names = {column.name for column in columns}
        return replace(
            table,
            columns=columns,
            primary_key=table.primary_key if names.issuperset(table.primary_key) else (),
            unique_keys=tuple(key for key in table.unique_keys if names.issuperset(key)),
            hidden_columns=len(table.columns) - len(columns),
        )

    def _matches(self, name: tuple[str, ...]) -> bool:
        return any(_fits(name, pattern) for pattern in self._patterns)


def _fits(name: tuple[str, ...], pattern: tuple[str, ...]) -> bool:
    """Part by part, upper and lower case alike."""
    return len(pattern) == len(name) and all(
        fnmatchcase(part.lower(), glob) for part, glob in zip(name, pattern, strict=True)
    )

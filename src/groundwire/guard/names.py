"""The stored names that the names of a draft mean, or surely mean.

`Names` answers for one draft: which table of the catalog is read, and, for a table that does not
exist, which one stands out as meant. Its `lookup` gives `query.sql.uses` the columns.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase

from groundwire.database.base import SqlDatabase
from groundwire.database.catalog import Catalog, Table
from groundwire.guard.nearest import standing_out
from groundwire.query.sql import TableUse
from groundwire.query.sql.reserved import reserved_words
from groundwire.query.sql.scope import Columns

__all__ = ["INFORMATION_SCHEMA", "Names", "written_name"]

INFORMATION_SCHEMA = "information_schema"


@dataclass(frozen=True, slots=True)
class Names:
    """Names of a draft against one catalog."""

    database: SqlDatabase
    catalog: Catalog

    def table(self, name: str, schema: str, quoted: bool, schema_quoted: bool) -> Table | None:
        """The table that an identifier means by the database's rules."""
        wanted = self.catalog.read_identifier(schema, quoted=schema_quoted) if schema else ""
        if self.catalog.folds == "ignore" and wanted not in map(str.lower, self.catalog.schemas):
            # The name of the file may stand there too (DuckDB); the planner knows it.
            wanted = ""
        return self.catalog.find(name, wanted, quoted=quoted)

    def of(self, use: TableUse) -> Table | None:
        """The table that a FROM names."""
        return self.table(use.name, use.schema, use.quoted, use.schema_quoted)

    def meant(self, name: str, schema: str) -> Table | None:
        """The one table that stands out as meant by a name that does not exist.

        A name that is excluded is meant as it stands: nothing takes its place.
        """
        if self.is_excluded(name):
            return None
        tables = [
            table
            for table in self.catalog.tables
            if not schema or table.schema.casefold() == schema.casefold()
        ]
        known = standing_out(name, {table.name for table in tables})
        if known is None and schema:
            tables = list(self.catalog.tables)
            known = standing_out(name, {table.name for table in tables})
        found = [table for table in tables if table.name == known]
        on_path = [table for table in found if table.schema in self.catalog.search_path]
        choice = found if len(found) == 1 else on_path
        return choice[0] if len(choice) == 1 else None

    def lookup(self, name: str, schema: str, quoted: bool, schema_quoted: bool) -> Columns | None:
        """The columns behind a table name; those of the table meant where the name is wrong."""
        if schema.lower() == INFORMATION_SCHEMA and self.may_read_information_schema:
            return (), True
        table = self.table(name, schema, quoted, schema_quoted) or self.meant(name, schema)
        if table is None:
            return None
        return tuple(self.catalog.fold(column.name) for column in table.columns), False

    def is_excluded(self, name: str) -> bool:
        """The settings take away a table or a column of that name."""
        patterns = [part for text in self.database.settings.exclude for part in text.split(".")]
        folded = name.casefold()
        return any(p != "*" and fnmatchcase(folded, p.casefold()) for p in patterns)

    @property
    def may_read_information_schema(self) -> bool:
        """It names everything, so it is closed where something is to stay unseen."""
        settings = self.database.settings
        return not settings.exclude and not settings.schemas


def written_name(database: SqlDatabase, catalog: Catalog, name: str) -> str:
    """A stored name as it has to stand in a query: quoted only where it must be."""
    from sqlglot import TokenType
    from sqlglot.dialects.dialect import Dialect

    plain = (
        name.upper() not in reserved_words()
        and name.isidentifier()
        and name.isascii()
        and (name == name.lower() or catalog.folds == "ignore")
    )
    if plain:
        tokens = Dialect.get_or_raise(catalog.dialect).tokenize(name)
        if len(tokens) == 1 and tokens[0].token_type is TokenType.VAR:
            return name
    return database.quote(name)

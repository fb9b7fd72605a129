"""Creating the tables, their comments and the reference rows in a target."""

from __future__ import annotations

from groundwire.errors import UsageError
from groundwire.packs.chicago.loading.schema import BOOKKEEPING, COLUMNS, TABLES
from groundwire.packs.chicago.loading.targets import Target
from groundwire.packs.chicago.reference import read_table
from groundwire.packs.pack import load_pack

__all__ = ["prepare_tables"]

_AREAS = ("COMMUNITY_AREA", "COMMUNITY_AREA_NAME")
_CODES = ("IUCR", "PRIMARY_TYPE", "DESCRIPTION", "INDEX_CODE")


def prepare_tables(target: Target) -> None:
    """Make what is missing; what is there stays.

    Raises:
        UsageError: there is a table CRIMES of another shape.
    """
    with target.transaction():
        for table, definition in TABLES.items():
            target.execute(f"CREATE TABLE IF NOT EXISTS {table} ({definition})")
        found = [name.upper() for name in target.columns("CRIMES")]
        if found != list(COLUMNS):
            raise UsageError(
                "The database already has a table CRIMES with other columns.",
                hint="Load into another database or schema.",
            )
        if target.schemas:
            target.execute("CREATE SCHEMA IF NOT EXISTS CHICAGO_LOAD")
        for table, definition in BOOKKEEPING.items():
            target.execute(f"CREATE TABLE IF NOT EXISTS CHICAGO_LOAD.{table} ({definition})")
        _add_rows(target, "COMMUNITY_AREAS", _AREAS, "community_areas")
        _add_rows(target, "IUCR_CODES", _CODES, "iucr_codes")
        if target.schemas:
            _comment(target)


def _add_rows(target: Target, table: str, columns: tuple[str, ...], source: str) -> None:
    """The pack's rows whose key the table lacks."""
    known = {str(row[0]) for row in target.execute(f"SELECT {columns[0]} FROM {table}")}
    rows = [[row[c] or None for c in columns] for row in read_table(source)]
    missing = [row for row in rows if row[0] not in known]
    if missing:
        places = ", ".join([f"({', '.join('?' * len(columns))})"] * len(missing))
        values = [value for row in missing for value in row]
        target.execute(f"INSERT INTO {table} ({', '.join(columns)}) VALUES {places}", *values)


def _comment(target: Target) -> None:
    pack = load_pack("chicago")
    for kind, meanings in (("TABLE", pack.tables), ("COLUMN", pack.columns)):
        for name, meaning in meanings.items():
            quoted = meaning.replace("'", "''")
            target.execute(f"COMMENT ON {kind} {name} IS '{quoted}'")

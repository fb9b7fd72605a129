"""Databases: one way to connect, read what is declared, and run one statement read-only."""

from __future__ import annotations

from importlib import import_module

from groundwire.database import url as urls
from groundwire.database.base import (
    CanExplain,
    CanReportRights,
    Database,
    Parameters,
    Plan,
    Rights,
    SqlDatabase,
)
from groundwire.database.catalog import Catalog, Column, ForeignKey, Table, TableKind
from groundwire.database.result import Result, ResultColumn
from groundwire.database.values import to_json
from groundwire.errors import DriverMissing, UsageError
from groundwire.settings import Settings

__all__ = [
    "KINDS",
    "CanExplain",
    "CanReportRights",
    "Catalog",
    "Column",
    "Database",
    "ForeignKey",
    "Parameters",
    "Plan",
    "Result",
    "ResultColumn",
    "Rights",
    "SqlDatabase",
    "Table",
    "TableKind",
    "connect",
    "to_json",
]

KINDS: dict[str, tuple[str, str, str]] = {
    "duckdb": ("groundwire.database.duckdb", "DuckDB", ""),
    "sqlite": ("groundwire.database.sqlite", "SQLite", ""),
    "postgresql": ("groundwire.database.postgres", "PostgreSQL", "postgres"),
    "postgres": ("groundwire.database.postgres", "PostgreSQL", "postgres"),
    "neo4j": ("groundwire.database.neo4j", "Neo4j", "neo4j"),
    "neo4j+s": ("groundwire.database.neo4j", "Neo4j", "neo4j"),
    "neo4j+ssc": ("groundwire.database.neo4j", "Neo4j", "neo4j"),
    "bolt": ("groundwire.database.neo4j", "Neo4j", "neo4j"),
    "bolt+s": ("groundwire.database.neo4j", "Neo4j", "neo4j"),
    "bolt+ssc": ("groundwire.database.neo4j", "Neo4j", "neo4j"),
    "kglite": ("groundwire.database.kglite", "KGLite", "kglite"),
}
"""URL scheme → (module, class, the extra that brings its driver; "" = in the core)."""


def connect(url: str, settings: Settings | None = None) -> Database:
    """Connect to the database at a URL, read-only.

    Args:
        url: `duckdb:///file`, `sqlite:///file`, `postgresql://…`, `neo4j://…`, `kglite:///file`;
            `groundwire.database.url` says how paths are written.
        settings: None = `Settings()`.

    Raises:
        UsageError: it is not a URL, or of a kind that is not served.
        DriverMissing: the extra with its driver is not installed.
        Unreachable: no database answers there.
        AccessDenied: the user or the password is refused.
        StorageError: the file is missing, not readable, or not a database of that kind.
    """
    parsed = urls.parse(url)
    if parsed.scheme not in KINDS:
        raise UsageError(
            f"Databases of the kind {parsed.scheme}:// are not served.",
            hint="The kinds are " + ", ".join(f"{kind}://" for kind in KINDS) + ".",
        )
    module, name, extra = KINDS[parsed.scheme]
    try:
        kind: type[Database] = getattr(import_module(module), name)
        return kind(url, settings or Settings())
    except ImportError as error:
        if not extra or (error.name or "").startswith("groundwire"):
            raise
        raise DriverMissing(
            f"The driver for {parsed.scheme}:// is not installed ({error}).",
            hint=f"Install it: pip install 'groundwire[{extra}]'",
        ) from error

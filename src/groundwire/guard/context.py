"""What a check of the guard gets to see."""

from __future__ import annotations

from dataclasses import dataclass

from groundwire.database.base import SqlDatabase
from groundwire.database.catalog import Catalog
from groundwire.guard.names import Names
from groundwire.query.sql import Query, Uses

__all__ = ["SqlContext"]


@dataclass(frozen=True, slots=True)
class SqlContext:
    """One draft, what it names, and the database that it is checked against."""

    query: Query
    uses: Uses
    names: Names
    catalog: Catalog
    database: SqlDatabase
    question: str | None = None

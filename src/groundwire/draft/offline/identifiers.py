"""Identifiers of a query text: quoted exactly where the database needs it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from groundwire.database.catalog import Catalog, Table
from groundwire.draft.offline.vocabulary import words

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["identifier", "table_name"]

_RESERVED = words("reserved column names")
"""Words that PostgreSQL, DuckDB or SQLite do not take as a bare column name."""


def identifier(name: str, catalog: Catalog) -> exp.Identifier:
    """A stored name as it must stand in a query."""
    from sqlglot import exp

    plain = r"[a-z_][a-z0-9_]*" if catalog.folds == "lower" else r"[A-Za-z_][A-Za-z0-9_]*"
    bare = re.fullmatch(plain, name) is not None and name.lower() not in _RESERVED
    return exp.to_identifier(name, quoted=not bare)


def table_name(table: Table, catalog: Catalog, alias: str = "") -> exp.Table:
    """A table with its schema where its bare name would mean another one, or none."""
    from sqlglot import exp

    schema = None
    if catalog.find(table.name, quoted=True) is not table and table.schema:
        schema = identifier(table.schema, catalog)
    shown = identifier(alias, catalog) if alias and alias != table.name else None
    return exp.Table(
        this=identifier(table.name, catalog),
        db=schema,
        alias=exp.TableAlias(this=shown) if shown is not None else None,
    )

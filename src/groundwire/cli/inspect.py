"""`groundwire schema` and `groundwire doctor`: what a database has, and how it is connected."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from groundwire.cli.exits import command
from groundwire.cli.options import (
    ExcludeOption,
    JsonOption,
    SchemasOption,
    UrlArgument,
    open_database,
)
from groundwire.counted import counted

if TYPE_CHECKING:
    from groundwire.database import Catalog, Table

__all__ = ["schema"]


@command
def schema(
    url: UrlArgument,
    table: Annotated[str | None, typer.Argument(help="One table only.", show_default=False)] = None,
    as_json: JsonOption = False,
    schemas: SchemasOption = "",
    exclude: ExcludeOption = None,
) -> None:
    """Show the tables, columns and keys that can be asked about."""
    from groundwire.database import SqlDatabase
    from groundwire.errors import UsageError

    with open_database(url, schemas, exclude) as database:
        if not isinstance(database, SqlDatabase):
            from groundwire.cli.inspect_graph import show_graph

            show_graph(database, as_json=as_json)
            return
        catalog = database.catalog()
    tables = [t for t in catalog.tables if table is None or t.name.lower() == table.lower()]
    if table is not None and not tables:
        from groundwire.guard.nearest import nearest

        close = nearest(table, [t.name for t in catalog.tables])
        raise UsageError(
            f"There is no table {table}.", hint=f"Near it: {', '.join(close)}." if close else ""
        )
    if as_json:
        from groundwire.cli.output import print_json

        print_json(catalog_json(catalog, tables))
    else:
        for found in tables:
            _print_table(found)


def catalog_json(catalog: Catalog, tables: list[Table]) -> dict[str, Any]:
    """The catalog in JSON: `dialect`, `search_path`, `tables` with columns and keys."""
    from dataclasses import asdict

    return {
        "language": "sql",
        "dialect": catalog.dialect,
        "version": catalog.version,
        "search_path": list(catalog.search_path),
        "tables": [asdict(table) for table in tables],
    }


def _print_table(table: Table) -> None:
    from rich.table import Table as Grid
    from rich.text import Text

    from groundwire.cli.output import console

    out = console()
    rows = "" if table.row_estimate is None else f", about {counted(table.row_estimate, 'row')}"
    out.print(Text.assemble((f"{table.schema}.{table.name}", "bold"), f"  {table.kind}{rows}"))
    if table.comment:
        out.print(Text(f"  {table.comment}", "dim"))
    grid = Grid(box=None, show_header=False, padding=(0, 2))
    for column in table.columns:
        grid.add_row(
            Text(column.name),
            Text(column.type + ("" if column.nullable else " not null"), "cyan"),
            Text("; ".join(_notes(table, column.name)), "green"),
            Text(column.comment or ", ".join(column.values), "dim"),
        )
    out.print(grid)
    out.print()


def _notes(table: Table, name: str) -> list[str]:
    notes = ["key"] if name in table.primary_key else []
    notes += ["unique" for key in table.unique_keys if key == (name,)]
    for key in table.foreign_keys:
        if name in key.columns:
            target = key.target_columns[key.columns.index(name)]
            notes.append(f"→ {key.target_table}.{target}")
    return notes

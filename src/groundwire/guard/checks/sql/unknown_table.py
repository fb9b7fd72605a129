"""SCH1: a table that the database does not have, or may not show."""

from __future__ import annotations

from groundwire.database.catalog import Table
from groundwire.guard.context import SqlContext
from groundwire.guard.findings import Evidence, Finding
from groundwire.guard.names import INFORMATION_SCHEMA, written_name
from groundwire.guard.nearest import nearest
from groundwire.query.edits import Edit
from groundwire.query.sql import TableUse

__all__ = ["unknown_table"]


def unknown_table(context: SqlContext) -> list[Finding]:
    """Every table in FROM must be in the catalog; one that stands out as meant is put there."""
    return [
        _finding(context, use)
        for use in context.uses.tables
        if context.names.of(use) is None and not _is_information_schema(context, use)
    ]


def _is_information_schema(context: SqlContext, use: TableUse) -> bool:
    is_it = use.schema.lower() == INFORMATION_SCHEMA
    return is_it and context.names.may_read_information_schema


def _finding(context: SqlContext, use: TableUse) -> Finding:
    written = f"{use.schema}.{use.name}" if use.schema else use.name
    tables = sorted(table.name for table in context.catalog.tables)
    evidence = Evidence(
        sentence=f"The catalog has no readable table {written}.", answer=tables[:50]
    )
    meant = context.names.meant(use.name, use.schema)
    if meant is None:
        close = nearest(use.name, tables)
        known = ", ".join(close) if close else _some(tables)
        return Finding(
            code="SCH1",
            check="unknown_table",
            severity="fault",
            span=_span(context, use),
            message=f"There is no table {written} that may be read. "
            + (f"Near it: {known}." if close else f"Readable tables: {known}."),
            evidence=(evidence,),
            action="refused",
        )
    name = _written(context, meant)
    return Finding(
        code="SCH1",
        check="unknown_table",
        severity="fault",
        span=_span(context, use),
        message=f"There is no table {written}; only {name} can be meant.",
        evidence=(evidence,),
        edits=(Edit(*_span(context, use), _replacement(context, use, name)),),
        action="repaired",
    )


def _span(context: SqlContext, use: TableUse) -> tuple[int, int]:
    """From the schema (when written) to the end of the name, without the alias."""
    start, end = context.query.span(use.node.this)
    schema = use.node.args.get("db")
    return (context.query.span(schema)[0], end) if schema is not None else (start, end)


def _written(context: SqlContext, table: Table) -> str:
    name = written_name(context.database, context.catalog, table.name)
    if context.catalog.find(table.name, quoted=True) is table:
        return name
    return f"{written_name(context.database, context.catalog, table.schema)}.{name}"


def _replacement(context: SqlContext, use: TableUse, name: str) -> str:
    """Keep the old name as an alias where columns are qualified with it."""
    has_alias = use.node.args.get("alias") is not None
    qualified = any(column.qualified == use.name for column in context.uses.columns)
    return f"{name} AS {use.name}" if qualified and not has_alias else name


def _some(names: list[str]) -> str:
    shown = ", ".join(names[:12]) or "none"
    return shown + (f" and {len(names) - 12} more" if len(names) > 12 else "")

"""SCH3: a column that no table in scope has."""

from __future__ import annotations

from groundwire.guard.context import SqlContext
from groundwire.guard.findings import Evidence, Finding
from groundwire.guard.names import written_name
from groundwire.guard.nearest import nearest, standing_out
from groundwire.query.edits import Edit
from groundwire.query.sql import ColumnUse, Source

__all__ = ["stored_names", "unknown_column"]


def unknown_column(context: SqlContext) -> list[Finding]:
    """Every column must exist in a source in scope; one that stands out as meant is put there.

    A column that another table has is `misplaced_column`'s.
    """
    return [
        _finding(context, use)
        for use in context.uses.columns
        if use.meaning == "unknown" and use.qualifier_known and not _elsewhere(context, use)
    ]


def stored_names(context: SqlContext, sources: tuple[Source, ...]) -> list[str]:
    """The column names of sources, as stored where a source is a table."""
    names: list[str] = []
    for source in sources:
        table = context.names.of(source.table) if source.table is not None else None
        if table is None and source.table is not None:
            table = context.names.meant(source.table.name, source.table.schema)
        if table is not None and not source.renamed:
            names += [column.name for column in table.columns]
        else:
            names += source.columns
    return names


def _elsewhere(context: SqlContext, use: ColumnUse) -> bool:
    wanted = context.catalog.read_identifier(use.name, quoted=use.quoted)
    if standing_out(use.name, stored_names(context, use.sources or use.visible)) is not None:
        return False
    in_catalog = any(context.catalog.fold(c.name) == wanted for _, c in context.catalog.columns())
    return in_catalog or any(wanted in source.columns for source in use.visible)


def _finding(context: SqlContext, use: ColumnUse) -> Finding:
    sources = use.sources or use.visible
    names = stored_names(context, sources)
    where = ", ".join(dict.fromkeys(source.name for source in sources if source.name)) or "scope"
    evidence = Evidence(
        sentence=f"The columns of {where} are {', '.join(names) or 'none'}.", answer=names
    )
    span = context.query.span(use.node.this if use.qualified else use.node)
    # What is excluded is meant as it stands: nothing takes its place.
    excluded = context.names.is_excluded(use.name)
    meant = None if excluded else standing_out(use.name, names)
    if meant is not None:
        written = written_name(context.database, context.catalog, meant)
        return Finding(
            code="SCH3",
            check="unknown_column",
            severity="fault",
            span=span,
            message=f"There is no column {use.name} in {where}; only {written} can be meant.",
            evidence=(evidence,),
            edits=(Edit(*span, written),),
            action="repaired",
        )
    close = nearest(use.name, names)
    hint = f" Near it: {', '.join(close)}." if close else f" It has {', '.join(names[:20])}."
    return Finding(
        code="SCH3",
        check="unknown_column",
        severity="fault",
        span=span,
        message=f"There is no column {use.name} in {where}." + (hint if names else ""),
        evidence=(evidence,),
        action="refused",
    )

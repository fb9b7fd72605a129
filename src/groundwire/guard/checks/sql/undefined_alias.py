"""SYN3: a column qualified with a name that no FROM gives."""

from __future__ import annotations

from groundwire.guard.context import SqlContext
from groundwire.guard.findings import Evidence, Finding
from groundwire.query.edits import Edit
from groundwire.query.sql import ColumnUse, Source

__all__ = ["undefined_alias"]


def undefined_alias(context: SqlContext) -> list[Finding]:
    """`t.column` needs a `t` in FROM; the one source that t surely is takes its place."""
    return [
        _finding(context, use)
        for use in context.uses.columns
        if use.meaning == "unknown" and use.qualified and not use.qualifier_known
    ]


def _finding(context: SqlContext, use: ColumnUse) -> Finding:
    span = context.query.span(use.node.args["table"])
    in_scope = [source.name for source in use.visible if source.name]
    evidence = Evidence(
        sentence=f"The names in scope there are {', '.join(in_scope) or 'none'}.", answer=in_scope
    )
    source = _meant(context, use)
    edits = (Edit(*span, source.name),) if source is not None else ()
    meant = f"; {source.name} is meant" if source is not None else ""
    return Finding(
        code="SYN3",
        check="undefined_alias",
        severity="fault",
        span=span,
        message=f"{use.qualified}.{use.name}: {use.qualified} is not in the FROM clause{meant}.",
        evidence=(evidence,),
        edits=edits,
        action="repaired" if edits else "refused",
    )


def _meant(context: SqlContext, use: ColumnUse) -> Source | None:
    """The source of that very table under its alias, if there is one and it has the column."""
    sources = [
        source
        for source in use.visible
        if source.table is not None
        and source.table.name.casefold() == use.qualified.casefold()
        and context.catalog.read_identifier(use.name, quoted=use.quoted) in source.columns
    ]
    return sources[0] if len(sources) == 1 else None

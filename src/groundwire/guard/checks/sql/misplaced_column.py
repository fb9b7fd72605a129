"""SCH4: a column that exists, but in another table than the one it is read from."""

from __future__ import annotations

from groundwire.guard.checks.sql.unknown_column import stored_names
from groundwire.guard.context import SqlContext
from groundwire.guard.findings import Evidence, Finding
from groundwire.guard.nearest import standing_out
from groundwire.query.edits import Edit
from groundwire.query.sql import ColumnUse, Source

__all__ = ["misplaced_column"]


def misplaced_column(context: SqlContext) -> list[Finding]:
    """`a.x` where only `b` in scope has x becomes `b.x`; a table out of scope is named."""
    found = []
    for use in context.uses.columns:
        if use.meaning == "unknown" and use.qualifier_known:
            finding = _finding(context, use)
            if finding is not None:
                found.append(finding)
    return found


def _finding(context: SqlContext, use: ColumnUse) -> Finding | None:
    if standing_out(use.name, stored_names(context, use.sources or use.visible)) is not None:
        return None
    wanted = context.catalog.read_identifier(use.name, quoted=use.quoted)
    owners = [source for source in use.visible if wanted in source.columns]
    tables = [
        table.name
        for table, column in context.catalog.columns()
        if context.catalog.fold(column.name) == wanted
    ]
    if not owners and not tables:
        return None
    known = [source.name for source in owners] or tables
    evidence = Evidence(
        sentence=f"The column {use.name} belongs to {', '.join(known)}.", answer=known
    )
    written = f"{use.qualified}.{use.name}" if use.qualified else use.name
    edits: tuple[Edit, ...] = ()
    if len(owners) == 1 and use.qualified and not _is_compared_with(context, use, owners[0]):
        edits = (Edit(*context.query.span(use.node.args["table"]), owners[0].name),)
    reach = "" if owners else ", which the query does not read there"
    return Finding(
        code="SCH4",
        check="misplaced_column",
        severity="fault",
        span=context.query.span(use.node),
        message=f"{written} does not exist: the column belongs to {', '.join(known[:5])}{reach}.",
        evidence=(evidence,),
        edits=edits,
        action="repaired" if edits else "refused",
    )


def _is_compared_with(context: SqlContext, use: ColumnUse, owner: Source) -> bool:
    """The other side of its comparison is read from the owner: moved there, it joins nothing."""
    from sqlglot import exp

    parent = use.node.parent
    if not isinstance(parent, exp.EQ):
        return False
    others = (other for other in context.uses.below(parent) if other is not use)
    return any(owner in other.sources for other in others)

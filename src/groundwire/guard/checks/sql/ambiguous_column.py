"""SYN3: an unqualified column that several tables in scope have."""

from __future__ import annotations

from groundwire.guard.context import SqlContext
from groundwire.guard.findings import Evidence, Finding

__all__ = ["ambiguous_column"]


def ambiguous_column(context: SqlContext) -> list[Finding]:
    """Which of the tables is meant changes the answer, so it is for the drafter to say."""
    return [
        Finding(
            code="SYN3",
            check="ambiguous_column",
            severity="fault",
            span=context.query.span(use.node),
            message=f"The column {use.name} is in {names}: write which one is meant.",
            evidence=(Evidence(sentence=f"{names} each have a column {use.name}."),),
            action="refused",
        )
        for use in context.uses.columns
        if use.meaning == "ambiguous"
        for names in [" and ".join(source.name for source in use.sources)]
    ]

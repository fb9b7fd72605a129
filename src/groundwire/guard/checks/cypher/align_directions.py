"""DIR1: an arrow against the only declared orientation (AlignDirections of the paper)."""

from __future__ import annotations

from groundwire.guard.context import CypherContext
from groundwire.guard.findings import Evidence, Finding
from groundwire.guard.hops import Hop, hops, possible, turned

__all__ = ["align_directions"]


def align_directions(context: CypherContext) -> list[Finding]:
    """An arrow that the graph holds only the other way round is turned.

    Corrector paper, section 3.3, step 2. What the graph holds both ways, or neither way, is left
    alone.
    """
    return [
        _finding(context, hop)
        for hop in hops(context.query)
        if hop.relationship.direction != "both"
        and not possible(hop, context.catalog)
        and possible(hop, context.catalog, reverse=True)
    ]


def _finding(context: CypherContext, hop: Hop) -> Finding:
    named: list[str | None] = [name.name for name in hop.types]
    endpoints = [e for name in named or [None] for e in context.catalog.endpoints(name)]
    stored = [f"({e.source})-[:{e.type}]->({e.target})" for e in endpoints]
    listed = ", ".join(stored[:5]) + (f" and {len(stored) - 5} more" if len(stored) > 5 else "")
    what = " or ".join(name.name for name in hop.types) or "Such a relationship"
    return Finding(
        code="DIR1",
        check="align_directions",
        severity="fault",
        span=hop.relationship.span,
        message=f"{what} is stored only the other way round between these labels; "
        "the arrow is turned.",
        evidence=(Evidence(f"The graph holds {listed}.", answer=stored[:50]),),
        edits=turned(hop.relationship),
        action="repaired",
    )

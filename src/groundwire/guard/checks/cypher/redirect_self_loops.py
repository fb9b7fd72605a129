"""DIR3: an undirected pattern over a type that is stored both ways (RedirectSelfLoops)."""

from __future__ import annotations

from groundwire.database.graph_catalog import Reciprocity
from groundwire.guard.context import CypherContext
from groundwire.guard.doubling import doubling_shows
from groundwire.guard.findings import Evidence, Finding
from groundwire.guard.hops import Alternatives, Hop, hops
from groundwire.query.edits import Edit

__all__ = ["measured", "redirect_self_loops"]


def redirect_self_loops(context: CypherContext) -> list[Finding]:
    """An undirected hop over a reciprocal type gets one direction, so that no pair counts twice.

    Corrector paper, section 3.3, step 3: a type is reciprocal when the measured share of its edges
    whose reverse edge is stored too reaches the threshold. The truthful policy leaves the draft
    alone, with a note, where the doubling cannot show.
    """
    findings = []
    for hop in hops(context.query):
        if hop.relationship.direction != "both":
            continue
        shares = measured(context, hop)
        threshold = context.settings.reciprocity_threshold
        if shares and all(share.fraction >= threshold for share in shares):
            findings.append(_finding(context, hop, shares))
    return findings


def measured(context: CypherContext, hop: Hop) -> list[Reciprocity]:
    """The measured shares of the types of a hop between equal labels.

    Empty where a type of it also joins other labels at these ends, or nothing was measured.
    """
    shares: list[Reciprocity] = []
    for name in hop.types:
        endpoints = [
            endpoint
            for endpoint in context.catalog.endpoints(name.name)
            if _may_be(hop.source, endpoint.source) and _may_be(hop.target, endpoint.target)
        ]
        labels = {e.source for e in endpoints if e.source == e.target}
        found = [context.catalog.reciprocity_of(name.name, label) for label in sorted(labels)]
        if len(labels) != len(endpoints) or not found or None in found:
            return []
        shares += [share for share in found if share is not None]
    return shares


def _may_be(wanted: Alternatives, label: str) -> bool:
    return all(label in names for names in wanted)


def _finding(context: CypherContext, hop: Hop, shares: list[Reciprocity]) -> Finding:
    evidence = tuple(
        Evidence(share.sentence, share.statement, share.fraction, share.seconds) for share in shares
    )
    names = " and ".join(dict.fromkeys(share.type for share in shares))
    end = hop.relationship.span[1]
    if not context.to_the_letter and not doubling_shows(context.query, hop.relationship):
        return Finding(
            code="DIR3",
            check="redirect_self_loops",
            severity="note",
            span=hop.relationship.span,
            message=f"{names} is stored both ways; it does not show in this query.",
            evidence=evidence,
        )
    return Finding(
        code="DIR3",
        check="redirect_self_loops",
        severity="fault",
        span=hop.relationship.span,
        message=f"{names} is stored both ways, so that an undirected pattern meets each pair "
        "twice; it gets one direction.",
        evidence=evidence,
        edits=(Edit(end, end, ">"),),
        action="repaired",
    )

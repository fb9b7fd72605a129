"""DIR3: an undirected pattern over a type that is stored both ways (RedirectSelfLoops)."""

from __future__ import annotations

from groundwire.database.graph_catalog import Reciprocity
from groundwire.guard.context import CypherContext
from groundwire.guard.doubling import doubling_shows
from groundwire.guard.findings import Evidence, Finding, Severity
from groundwire.guard.hops import Alternatives, Hop, hops
from groundwire.guard.wording import is_symmetric
from groundwire.query.edits import Edit

__all__ = ["STORED_ONCE", "measured", "redirect_self_loops"]

STORED_ONCE = 0.1
"""Up to this share of edges stored both ways, a type counts as stored one way."""


def redirect_self_loops(context: CypherContext) -> list[Finding]:
    """An undirected hop over a reciprocal type gets one direction, so that no pair counts twice.

    Corrector paper, section 3.3, step 3: a type is reciprocal when the measured share of its edges
    whose reverse edge is stored too reaches the threshold. The truthful policy leaves the draft
    alone, with a note, where the doubling cannot show. Of a type that is stored one way only a
    note says that both directions are taken, unless its name means the same both ways.
    """
    undirected = [hop for hop in hops(context.query) if hop.relationship.direction == "both"]
    found = [_judged(context, hop, measured(context, hop)) for hop in undirected]
    return [finding for finding in found if finding is not None]


def _judged(context: CypherContext, hop: Hop, shares: list[Reciprocity]) -> Finding | None:
    threshold = context.settings.reciprocity_threshold
    if not shares:
        return None
    if all(share.fraction >= threshold for share in shares):
        if any(share.straddles(threshold) for share in shares):
            return _undecided(hop, shares, threshold)
        return _finding(context, hop, shares)
    once = all(share.fraction <= STORED_ONCE and share.total for share in shares)
    if once and not all(is_symmetric(name.name) for name in hop.types):
        return _both_directions(hop, shares)
    return None


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
        # A pair of equal labels that holds the whole type leaves nothing to the other pairs.
        whole = [e for e in context.catalog.covering(name.name) if e.source == e.target]
        endpoints = [e for e in endpoints if e in whole][:1] or endpoints
        labels = {e.source for e in endpoints if e.source == e.target}
        found = [context.catalog.reciprocity_of(name.name, label) for label in sorted(labels)]
        if len(labels) != len(endpoints) or not found or None in found:
            return []
        shares += [share for share in found if share is not None]
    threshold = context.settings.reciprocity_threshold
    return [context.database.decide_reciprocity(share, threshold) for share in shares]


def _may_be(wanted: Alternatives, label: str) -> bool:
    return all(label in names for names in wanted)


def _evidence(shares: list[Reciprocity]) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(share.sentence, share.statement, share.fraction, share.seconds) for share in shares
    )


def _names(shares: list[Reciprocity]) -> str:
    return " and ".join(dict.fromkeys(share.type for share in shares))


def _remark(
    hop: Hop, shares: list[Reciprocity], severity: Severity, code: str, message: str
) -> Finding:
    return Finding(
        code=code,
        check="redirect_self_loops",
        severity=severity,
        span=hop.relationship.span,
        message=message,
        evidence=_evidence(shares),
    )


def _both_directions(hop: Hop, shares: list[Reciprocity]) -> Finding:
    message = (
        f"{_names(shares)} is stored one way only; a pattern without direction takes it both ways, "
        "and meets each relationship twice where neither end is fixed."
    )
    return _remark(hop, shares, "note", "DIR2", message)


def _undecided(hop: Hop, shares: list[Reciprocity], threshold: float) -> Finding:
    message = (
        f"{_names(shares)} may be stored both ways, and then the pattern meets each pair twice; "
        f"too many relationships to tell whether {threshold:.0%} of them are."
    )
    return _remark(hop, shares, "doubt", "DIR3", message)


def _finding(context: CypherContext, hop: Hop, shares: list[Reciprocity]) -> Finding:
    names, end = _names(shares), hop.relationship.span[1]
    if not context.to_the_letter and not doubling_shows(context.query, hop.relationship):
        message = f"{names} is stored both ways; it does not show in this query."
        return _remark(hop, shares, "note", "DIR3", message)
    return Finding(
        code="DIR3",
        check="redirect_self_loops",
        severity="fault",
        span=hop.relationship.span,
        message=f"{names} is stored both ways, so that an undirected pattern meets each pair "
        "twice; it gets one direction.",
        evidence=_evidence(shares),
        edits=(Edit(end, end, ">"),),
        action="repaired",
    )

"""DIR4: one direction over a type that means the same both ways and is stored once."""

from __future__ import annotations

from collections import Counter

from groundwire.guard.checks.cypher.redirect_self_loops import STORED_ONCE, measured
from groundwire.guard.context import CypherContext
from groundwire.guard.findings import Evidence, Finding
from groundwire.guard.hops import Hop, hops
from groundwire.guard.stages import variables
from groundwire.guard.wording import is_symmetric
from groundwire.query.cypher import ast, grouping

__all__ = ["symmetric_once"]


def symmetric_once(context: CypherContext) -> list[Finding]:
    """`(a {name: 'X'})-[:BORDERS]->(b)` where each border is stored once misses half of them.

    Nothing is said of a pattern that treats both ends alike: it lists each pair once.
    """
    found = list(hops(context.query))
    findings = []
    for hop in found:
        if hop.relationship.direction == "both" or not hop.types:
            continue
        if not all(is_symmetric(name.name) for name in hop.types):
            continue
        if _goes_both_ways(hop, found) or not _tells_ends_apart(context, hop, found):
            continue
        shares = measured(context, hop)
        if shares and all(share.fraction <= STORED_ONCE and share.total for share in shares):
            evidence = tuple(
                Evidence(share.sentence, share.statement, share.fraction, share.seconds)
                for share in shares
            )
            findings.append(_finding(hop, evidence))
    return findings


def _goes_both_ways(hop: Hop, found: list[Hop]) -> bool:
    """The draft has the other half in another pattern."""
    names = {name.name for name in hop.types}
    return any(
        other.relationship is not hop.relationship
        and names & {name.name for name in other.types}
        and other.relationship.direction != hop.relationship.direction
        for other in found
    )


def _tells_ends_apart(context: CypherContext, hop: Hop, found: list[Hop]) -> bool:
    """One end is narrowed, shown, grouped by or joined on, and the other is not."""
    others = [other for other in found if other.relationship is not hop.relationship]
    left, right = (_roles(context, end, others) for end in (hop.left, hop.right))
    return left != right


def _roles(context: CypherContext, end: ast.NodePattern | None, others: list[Hop]) -> Counter[str]:
    """How often a draft does what with a node at an end of a hop."""
    roles: Counter[str] = Counter()
    if end is None:
        return roles
    name = end.variable.name if end.variable else None
    roles["narrowed"] += end.properties is not None or end.where is not None
    for other in others:
        ends = [node for node in (other.left, other.right) if node is not None]
        names = [node.variable.name for node in ends if node.variable is not None]
        roles["joined"] += end in ends or name in names
    for clause in context.query.find(ast.Match):
        roles["narrowed"] += clause.where is not None and name in variables(clause.where)
    for projection in context.query.find(ast.Projection):
        keys = grouping(projection).keys
        for item in projection.items:
            use = "shown" if item in keys else "aggregated"
            roles[use] += name in variables(item.expression)
    return roles


def _finding(hop: Hop, evidence: tuple[Evidence, ...]) -> Finding:
    names = " and ".join(name.name for name in hop.types)
    return Finding(
        code="DIR4",
        check="symmetric_once",
        severity="doubt",
        span=hop.relationship.span,
        message=f"{names} means the same both ways and is stored once; the pairs that are stored "
        "the other way round are not matched.",
        evidence=evidence,
    )

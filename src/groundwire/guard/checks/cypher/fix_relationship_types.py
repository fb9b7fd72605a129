"""SCH2: a relationship type that the graph does not have (FixRelTypes of the paper)."""

from __future__ import annotations

import re

from groundwire.guard.context import CypherContext
from groundwire.guard.findings import Evidence, Finding
from groundwire.guard.hops import Hop, hops
from groundwire.guard.nearest import distance, plain, standing_out
from groundwire.guard.quoting import quoted
from groundwire.query.cypher import ast
from groundwire.query.edits import Edit

__all__ = ["fix_relationship_types"]


def fix_relationship_types(context: CypherContext) -> list[Finding]:
    """An undeclared type between two known labels becomes one that is declared between them.

    Corrector paper, section 3.3, step 1. Of several candidates the nearest in spelling is taken,
    then the one that shares a word; where neither tells them apart, the paper takes the first and
    the truthful policy leaves the choice to the drafter. An unknown alternative beside a known
    type is left alone, and so is a negated one: it changes nothing.
    """
    findings = []
    for hop in hops(context.query):
        known = [name for name in hop.types if context.catalog.type(name.name) is not None]
        spare = _negated(hop.relationship.types)
        for name in ast.label_names(hop.relationship.types):
            unknown = context.catalog.type(name.name) is None and name not in spare
            if unknown and not known:
                findings.append(_finding(context, hop, name))
    return findings


def _negated(types: ast.LabelExpression | None) -> list[ast.LabelName]:
    found = [node for node in ast.walk(types) if isinstance(node, ast.LabelNot)] if types else []
    return [name for node in found for name in ast.label_names(node)]


def _finding(context: CypherContext, hop: Hop, name: ast.LabelName) -> Finding:
    candidates = _candidates(context, hop)
    everywhere = [kind.name for kind in context.catalog.types]
    chosen = _choose(context, name.name, candidates) or standing_out(name.name, everywhere)
    ends = " and ".join(" or ".join(sorted(c)) for c in (*hop.source[:1], *hop.target[:1]))
    between = f" between {ends}" if candidates else ""
    listed = candidates or sorted(everywhere)
    evidence = Evidence(
        f"The graph has no type {name.name}; "
        + (f"the types{between} are {', '.join(listed[:20])}." if listed else "it has no types."),
        answer=listed[:50],
    )
    known = f"the candidates are {', '.join(listed[:10])}." if listed else "the graph has none."
    message = f"There is no relationship type {name.name}; "
    message += f"{chosen} is the one declared{between}." if chosen else known
    return Finding(
        code="SCH2",
        check="fix_relationship_types",
        severity="fault",
        span=name.span,
        message=message,
        evidence=(evidence,),
        edits=(Edit(*name.span, quoted(chosen)),) if chosen else (),
        action="repaired" if chosen else "refused",
    )


def _candidates(context: CypherContext, hop: Hop) -> list[str]:
    """The types declared between the labels of both ends, as drafted first, then reversed."""
    if not hop.source or not hop.target:
        return []
    found: list[str] = []
    for sources, targets in ((hop.source, hop.target), (hop.target, hop.source)):
        for source in sorted(sources[0]):
            for target in sorted(targets[0]):
                found += context.catalog.types_between(source, target)
    return list(dict.fromkeys(found))


def _choose(context: CypherContext, name: str, candidates: list[str]) -> str | None:
    if len(candidates) <= 1:
        return candidates[0] if candidates else None
    spelled = standing_out(name, candidates)
    if spelled is not None:
        return spelled
    related = [candidate for candidate in candidates if _words(candidate) & _words(name)]
    if len(related) == 1:
        return related[0]
    if context.to_the_letter:
        ordered = sorted(candidates, key=lambda other: distance(plain(name), plain(other)))
        return ordered[0]
    return None


def _words(name: str) -> set[str]:
    """The words of a type without endings: `ACTED_IN`, `actsIn` → {act}; short ones left out."""
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)
    stems = {re.sub(r"(ed|ing|es|s|or|er)$", "", part.lower()) for part in parts}
    return {stem for stem in stems if len(stem) > 2}

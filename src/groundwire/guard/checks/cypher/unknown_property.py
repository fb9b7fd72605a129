"""SCH3: a property that neither the label nor the type of its owner has."""

from __future__ import annotations

from groundwire.guard.context import CypherContext
from groundwire.guard.findings import Evidence, Finding
from groundwire.guard.nearest import nearest, standing_out
from groundwire.guard.owners import Access, accesses, property_names, property_of
from groundwire.guard.quoting import quoted
from groundwire.query.edits import Edit

__all__ = ["is_unknown", "unknown_property"]


def unknown_property(context: CypherContext) -> list[Finding]:
    """A property key must be stored on its owner; one that stands out as meant is put there.

    A key that another owner in the draft has is `misplaced_property`'s.
    """
    return [
        _finding(context, access)
        for access in accesses(context)
        if is_unknown(context, access)
        and (_meant(context, access) is not None or not _elsewhere(context, access))
    ]


def is_unknown(context: CypherContext, access: Access) -> bool:
    """No stored owner that the draft allows has the key.

    What was sampled only is asked of the graph; what cannot be known is not said to be unknown.
    """
    catalog, key = context.catalog, access.key.value
    if not access.names:
        return bool(catalog.property_keys) and key not in catalog.property_keys
    if any(property_of(catalog, access.kind, name, key) for name in access.names):
        return False
    if catalog.property_keys and key not in catalog.property_keys:
        return True
    return all(_is_absent(context, access.kind, name, key) for name in access.names)


def _is_absent(context: CypherContext, kind: str, name: str, key: str) -> bool:
    owner = context.catalog.label(name) if kind == "node" else context.catalog.type(name)
    if owner is None or owner.complete:
        return owner is not None
    pattern = f"(x:{quoted(name)})" if kind == "node" else f"()-[x:{quoted(name)}]->()"
    statement = f"MATCH {pattern} WHERE x.{quoted(key)} IS NOT NULL RETURN 1 AS found LIMIT 1"
    answer = context.probes.ask(statement)
    return answer is not None and not answer.rows


def _meant(context: CypherContext, access: Access) -> str | None:
    names = property_names(context.catalog, access.kind, access.names)
    return standing_out(access.key.value, names)


def _elsewhere(context: CypherContext, access: Access) -> bool:
    key = access.key.value
    return bool(context.catalog.labels_with(key) or context.catalog.types_with(key))


def _finding(context: CypherContext, access: Access) -> Finding:
    names = property_names(context.catalog, access.kind, access.names)
    owners = " or ".join(access.names) or "any node or relationship"
    key = access.key.value
    evidence = Evidence(f"The properties of {owners} are {', '.join(names) or 'none'}.", "", names)
    meant = _meant(context, access)
    if meant is not None:
        return Finding(
            code="SCH3",
            check="unknown_property",
            severity="fault",
            span=access.key.span,
            message=f"{owners} has no property {key}; only {meant} can be meant.",
            evidence=(evidence,),
            edits=(Edit(*access.key.span, quoted(meant)),),
            action="repaired",
        )
    near = nearest(key, names) or tuple(names[:12])
    hint = f" Its properties: {', '.join(near)}." if near else ""
    return Finding(
        code="SCH3",
        check="unknown_property",
        severity="fault",
        span=access.key.span,
        message=f"{owners} has no property {key}.{hint}",
        evidence=(evidence,),
        action="refused",
    )

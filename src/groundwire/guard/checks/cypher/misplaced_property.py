"""SCH4: a property that is stored, but on the relationship instead of the node, or the reverse."""

from __future__ import annotations

from groundwire.guard.checks.cypher.unknown_property import is_unknown
from groundwire.guard.context import CypherContext
from groundwire.guard.findings import Evidence, Finding
from groundwire.guard.hops import hops
from groundwire.guard.nearest import standing_out
from groundwire.guard.owners import Access, accesses, known_names, property_names, property_of
from groundwire.query.cypher import Symbol, ast
from groundwire.query.edits import Edit

__all__ = ["misplaced_property"]


def misplaced_property(context: CypherContext) -> list[Finding]:
    """`n.key` where only the relationship at the node has the key reads it from that one.

    And the reverse. Between two nodes nothing is moved: the name of a rack is no name of a switch.
    """
    return [
        _finding(context, access)
        for access in accesses(context)
        if is_unknown(context, access) and _is_misplaced(context, access)
    ]


def _is_misplaced(context: CypherContext, access: Access) -> bool:
    names = property_names(context.catalog, access.kind, access.names)
    if standing_out(access.key.value, names) is not None:
        return False
    key = access.key.value
    return bool(context.catalog.labels_with(key) or context.catalog.types_with(key))


def _finding(context: CypherContext, access: Access) -> Finding:
    key, catalog = access.key.value, context.catalog
    stored = [*catalog.labels_with(key), *catalog.types_with(key)]
    owners = " or ".join(access.names) or "the owner"
    evidence = Evidence(f"The property {key} is stored on {', '.join(stored)}.", answer=stored)
    others = _others(context, access)
    edits: tuple[Edit, ...] = ()
    message = f"{owners} has no property {key}; it is stored on {', '.join(stored[:5])}."
    if access.variable is not None and len(others) == 1 and _touch(context, access, others[0]):
        edits = (Edit(*access.variable.span, others[0].name),)
        message = f"{owners} has no property {key}; {others[0].name} has it."
    return Finding(
        code="SCH4",
        check="misplaced_property",
        severity="fault",
        span=access.variable.span if access.variable is not None and edits else access.key.span,
        message=message,
        evidence=(evidence,),
        edits=edits,
        action="repaired" if edits else "refused",
    )


def _touch(context: CypherContext, access: Access, other: Symbol) -> bool:
    """One is a relationship, the other the node at one of its ends."""
    if access.variable is None or access.kind == other.kind:
        return False
    wanted = {access.variable.name, other.name}
    return any(
        {hop.relationship.variable.name, node.variable.name} == wanted
        for hop in hops(context.query)
        for node in (hop.left, hop.right)
        if hop.relationship.variable is not None and node is not None and node.variable is not None
    )


def _others(context: CypherContext, access: Access) -> list[Symbol]:
    """The other variables that can be used there and whose labels or types have the key."""
    place = access.key.span[0]
    for clause in context.query.find(ast.Projection):
        if clause.span[0] <= place < clause.span[1]:
            # What a WITH or RETURN reads is what could be used before it.
            place = clause.span[0] - 1
    found = []
    for symbol in context.query.scope_at(place).values():
        names = known_names(symbol, context.catalog)
        if any(property_of(context.catalog, symbol.kind, n, access.key.value) for n in names):
            found.append(symbol)
    return found

"""SCH4: a property that is stored, but on the relationship instead of the node, or the reverse."""

from __future__ import annotations

from itertools import chain, count

from groundwire.guard.checks.cypher.unknown_property import is_unknown
from groundwire.guard.context import CypherContext
from groundwire.guard.findings import Evidence, Finding
from groundwire.guard.hops import hops
from groundwire.guard.nearest import standing_out
from groundwire.guard.owners import Access, accesses, known_names, property_names, property_of
from groundwire.guard.quoting import quoted
from groundwire.query.cypher import Symbol, ast
from groundwire.query.edits import Edit

__all__ = ["misplaced_property"]


def misplaced_property(context: CypherContext) -> list[Finding]:
    """`n.key` where only the relationship at the node has the key reads it from that one.

    And the reverse. A relationship without a variable gets one. Between two nodes nothing is
    moved: the name of a rack is no name of a switch.
    """
    named: dict[ast.Span, str] = {}
    return [
        _finding(context, access, named)
        for access in accesses(context)
        if is_unknown(context, access) and _is_misplaced(context, access)
    ]


def _is_misplaced(context: CypherContext, access: Access) -> bool:
    names = property_names(context.catalog, access.kind, access.names)
    if standing_out(access.key.value, names) is not None:
        return False
    key = access.key.value
    return bool(context.catalog.labels_with(key) or context.catalog.types_with(key))


def _finding(context: CypherContext, access: Access, named: dict[ast.Span, str]) -> Finding:
    key, catalog = access.key.value, context.catalog
    stored = [*catalog.labels_with(key), *catalog.types_with(key)]
    owners = " or ".join(access.names) or "the owner"
    evidence = Evidence(f"The property {key} is stored on {', '.join(stored)}.", answer=stored)
    edits = _edits(context, access, named)
    message = f"{owners} has no property {key}; it is stored on {', '.join(stored[:5])}."
    if edits:
        message = f"{owners} has no property {key}; it is read from {edits[-1].text}, which has it."
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


def _edits(context: CypherContext, access: Access, named: dict[ast.Span, str]) -> tuple[Edit, ...]:
    """The property read from the one that has it; `named` are the relationships named so far."""
    if access.variable is None:
        return ()
    others = _others(context, access)
    if len(others) == 1 and _touch(context, access, others[0]):
        return (Edit(*access.variable.span, quoted(others[0].name)),)
    pattern = None if others else _nameless(context, access)
    if pattern is None:
        return ()
    if pattern.span in named:
        return (Edit(*access.variable.span, named[pattern.span]),)
    name = named[pattern.span] = _new_name(context, named)
    place = context.query.text.index("[", pattern.span[0]) + 1
    return Edit(place, place, name), Edit(*access.variable.span, name)


def _nameless(context: CypherContext, access: Access) -> ast.RelationshipPattern | None:
    """The one relationship at the node that has the key, where it can be given a variable."""
    if access.variable is None or access.kind != "node":
        return None
    name, key, found = access.variable.name, access.key.value, []
    for hop in hops(context.query):
        ends = [node.variable.name for node in (hop.left, hop.right) if node and node.variable]
        types = [each.name for each in hop.types]
        if name in ends and any(
            property_of(context.catalog, "relationship", each, key) for each in types
        ):
            found.append(hop)
    if len(found) != 1 or found[0].is_variable or found[0].relationship.variable is not None:
        return None
    return found[0].relationship if _sees(context, access, found[0].relationship) else None


def _sees(context: CypherContext, access: Access, pattern: ast.RelationshipPattern) -> bool:
    """A variable of the pattern could be used where the property is read.

    Both stand in one branch outside subqueries, the pattern in a MATCH, and no WITH between them.
    """
    start, end = access.key.span
    for kind in (ast.PathPattern, ast.SubqueryExpression, ast.CallSubquery):
        if any(node.span[0] <= start and end <= node.span[1] for node in context.query.find(kind)):
            return False
    for branch in context.query.find(ast.SingleQuery):
        if not branch.span[0] <= start < branch.span[1]:
            continue
        holder = [each for each in branch.clauses if _in_match(each, pattern)]
        return (
            bool(holder)
            and not any(
                isinstance(clause, ast.Projection)
                and holder[0].span[0] < clause.span[0]
                and clause.span[1] <= start
                for clause in branch.clauses
            )
            and holder[0].span[0] < start
        )
    return False


def _in_match(clause: ast.Clause, pattern: ast.RelationshipPattern) -> bool:
    return isinstance(clause, ast.Match) and any(
        element is pattern for path in clause.patterns for element in path.elements
    )


def _new_name(context: CypherContext, named: dict[ast.Span, str]) -> str:
    taken = {node.name for node in context.query.find(ast.Variable)} | set(named.values())
    names = chain(("r", "rel"), (f"r{number}" for number in count(1)))
    return next(name for name in names if name not in taken)


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

"""SCH1, SCH2, SCH3: a draft that would read what the settings exclude."""

from __future__ import annotations

from collections.abc import Iterator

from groundwire.database.graph_catalog import Entity, GraphCatalog
from groundwire.database.graph_excluded import Excluded
from groundwire.guard.findings import Evidence, Finding
from groundwire.guard.reach import Reach
from groundwire.query import cypher
from groundwire.query.cypher import ast

__all__ = ["excluded_names"]

_WHOLE = frozenset({"properties", "keys"})
"""Functions that give every property of a node or relationship, or its name."""
_GIVE = "startnode endnode head last coalesce nullif reduce min max mode"
_GIVE_ENTITIES = frozenset(_GIVE.split())
"""Functions whose value can be a node or relationship."""
_OF_KGLITE = """
    degree indegree outdegree shortest_path_length embedding embedding_norm vector_score text_bm25
    text_score valid_at valid_during ts_at ts_avg ts_count ts_delta ts_first ts_last ts_max ts_min
    ts_series ts_sum area centroid contains distance intersects perimeter latitude longitude
    geom_buffer geom_convex_hull geom_difference geom_intersection geom_is_valid geom_length
    geom_union
"""
_LOOK_INTO = frozenset(_OF_KGLITE.split())
"""Functions of the embedded engine that look at what a node has, properties and relationships."""
_HARMLESS = ("apoc.text.", "apoc.math.", "apoc.number.", "apoc.date.", "apoc.temporal.")
"""Functions of a plugin that take no node apart."""
_QUIET = frozenset({"db.ping", "db.info", "dbms.components"})
"""Procedures that say nothing of what is stored."""
_BY_INDEX = ("db.index.fulltext.query", "db.index.vector.query")

_Refusal = tuple[str, ast.Span, str]
"""Code, place, reason."""


def excluded_names(query: cypher.Query, catalog: GraphCatalog) -> list[Finding]:
    """Whatever names what is excluded, or may reach it without naming it, is refused.

    A whole node in the answer is no way to it: the drivers leave its excluded properties out.
    """
    if catalog.excluded is None:
        return []
    reach = Reach(query, catalog.excluded)
    refusals = [*_named(query, catalog.excluded)] or [
        *_patterns(query, reach),
        *_properties(query, reach),
        *_calls(query, catalog, reach),
    ]
    places: dict[ast.Span, _Refusal] = {}
    for refusal in refusals:
        places.setdefault(refusal[1], refusal)
    return [_finding(query, *refusal) for refusal in places.values()]


def _named(query: cypher.Query, excluded: Excluded) -> Iterator[_Refusal]:
    for node in query.nodes:
        of_type = isinstance(node, ast.RelationshipPattern)
        if isinstance(node, ast.NodePattern | ast.LabelTest):
            labels: ast.LabelExpression | None = node.labels
        elif isinstance(node, ast.RelationshipPattern):
            labels = node.types
        else:
            continue
        for part in ast.walk(labels) if labels else ():
            what = "relationship type" if of_type else "label"
            if isinstance(part, ast.LabelName) and excluded.hides(part.name):
                yield (
                    "SCH2" if of_type else "SCH1",
                    part.span,
                    f"The {what} {part.name} is excluded.",
                )
            elif isinstance(part, ast.DynamicLabel):
                reason = f"Some names are excluded, so a {what} has to be written out."
                yield "SCH2" if of_type else "SCH1", part.span, reason


def _patterns(query: cypher.Query, reach: Reach) -> Iterator[_Refusal]:
    labels, types = reach.excluded.hidden_labels, reach.excluded.hidden_types
    for node in query.find(ast.NodePattern):
        if reach.node(node, node.span[0], labels):
            yield "SCH1", node.span, "This pattern may match nodes that are excluded; give a label."
    for hop in reach.hops:
        pattern = hop.relationship
        if reach.relationship(pattern, types):
            reason = "This pattern may match relationships that are excluded; give a type."
            yield "SCH2", pattern.span, reason
        elif reach.on_the_way(hop, labels):
            yield "SCH1", pattern.span, "A path of this length may lead over excluded nodes."


def _properties(query: cypher.Query, reach: Reach) -> Iterator[_Refusal]:
    for node in query.nodes:
        if isinstance(node, ast.Property):
            if _may_own(query, reach, node.target, node.key.value):
                yield _property(node.key.span, node.key.value)
        elif isinstance(node, ast.Index):
            yield from _index(query, reach, node)
        elif isinstance(node, ast.NodePattern | ast.RelationshipPattern):
            yield from _property_map(reach, node)
        elif isinstance(node, ast.MapProjection):
            for item in node.items:
                if isinstance(item, ast.PropertySelector | ast.AllProperties):
                    key = item.key.value if isinstance(item, ast.PropertySelector) else None
                    if _may_own(query, reach, node.variable, key):
                        yield _property(item.span, key)


def _index(query: cypher.Query, reach: Reach, node: ast.Index) -> Iterator[_Refusal]:
    index = node.index
    value = index.value if isinstance(index, ast.Literal) else None
    if isinstance(value, int) or _is_number(query, index):
        return
    key = value if isinstance(value, str) else None
    if _may_own(query, reach, node.target, key):
        yield _property(index.span, key)


def _is_number(query: cypher.Query, index: ast.Expression) -> bool:
    """An index that cannot be a property's name."""
    symbol = query.symbol(index) if isinstance(index, ast.Variable) else None
    if symbol is not None:
        return str(symbol.type) in ("Integer", "Float", "Float or Integer")
    return isinstance(index, ast.Unary) or (
        isinstance(index, ast.Binary) and index.operator in "-*/%"
    )


def _property_map(
    reach: Reach, pattern: ast.NodePattern | ast.RelationshipPattern
) -> Iterator[_Refusal]:
    if pattern.properties is None:
        return
    keys: list[tuple[ast.Span, str | None]] = [(pattern.properties.span, None)]
    if isinstance(pattern.properties, ast.MapLiteral):
        keys = [(entry.key.span, entry.key.value) for entry in pattern.properties.entries]
    for span, key in keys:
        if isinstance(pattern, ast.NodePattern):
            owned = reach.node(pattern, pattern.span[0], reach.excluded.owners("node", key))
        else:
            owned = reach.relationship(pattern, reach.excluded.owners("relationship", key))
        if owned:
            yield _property(span, key)


def _calls(query: cypher.Query, catalog: GraphCatalog, reach: Reach) -> Iterator[_Refusal]:
    for call in query.find(ast.FunctionCall):
        name = call.name.lower()
        if name in _WHOLE and any(_may_own(query, reach, each, None) for each in call.arguments):
            yield _property(call.span, None)
        elif name.startswith("apoc.") and not name.startswith(_HARMLESS):
            reason = f"Some names are excluded, and {call.name} may take a node apart."
            yield "SCH3", call.name_span, reason
        elif name in _LOOK_INTO and any(_is_entity(query, each) for each in call.arguments):
            reason = f"Some names are excluded, and {call.name} may look at them; name a property."
            yield "SCH3", call.name_span, reason
    for procedure in query.find(ast.CallProcedure):
        if procedure.name.lower() not in _QUIET and not _by_index(procedure, catalog, reach):
            reason = f"Some names are excluded, and {procedure.name} may show them."
            yield "SCH3", procedure.name_span, reason


def _by_index(procedure: ast.CallProcedure, catalog: GraphCatalog, reach: Reach) -> bool:
    """It looks something up in an index over nothing that is excluded."""
    name = procedure.arguments[0] if procedure.arguments else None
    if not procedure.name.lower().startswith(_BY_INDEX) or not isinstance(name, ast.Literal):
        return False
    met = reach.excluded.met_with(reach.excluded.hidden_labels)
    return any(
        index.index_name == name.value and not met.intersection(index.names)
        for index in catalog.indexes
    )


def _may_own(query: cypher.Query, reach: Reach, target: ast.Expression, key: str | None) -> bool:
    """The value of an expression may be something whose property `key` is excluded."""
    nodes = reach.excluded.owners("node", key)
    relationships = reach.excluded.owners("relationship", key)
    if isinstance(target, ast.Variable):
        symbol = query.symbol(target)
        if symbol is not None and symbol.kind == "node":
            return reach.node(symbol, target.span[0], nodes)
        if symbol is not None and symbol.kind == "relationship":
            return reach.relationship(symbol, relationships)
    kinds = [kind for kind, owners in (("node", nodes), ("relationship", relationships)) if owners]
    return any(_may_be(query, target, kind) for kind in kinds)  # type: ignore[arg-type]


def _is_entity(query: cypher.Query, target: ast.Expression) -> bool:
    return _may_be(query, target, "node") or _may_be(query, target, "relationship")


def _may_be(query: cypher.Query, target: ast.Expression, entity: Entity) -> bool:
    """The value of an expression may be a node (a relationship)."""
    if isinstance(target, ast.Variable):
        symbol = query.symbol(target)
        return (
            symbol is None or entity.capitalize() in str(symbol.type) or (str(symbol.type) == "Any")
        )
    if isinstance(target, ast.FunctionCall):
        name = target.name.lower()
        return name in _GIVE_ENTITIES and not (name.endswith("node") and entity != "node")
    if isinstance(target, ast.Property):
        owner = query.symbol(target.target) if isinstance(target.target, ast.Variable) else None
        return owner is None or owner.kind not in ("node", "relationship")
    return isinstance(target, ast.Case | ast.Index | ast.Reduce | ast.Binary)


def _property(span: ast.Span, key: str | None) -> _Refusal:
    if key is None:
        return "SCH3", span, "Some properties are excluded; name the properties that you need."
    return "SCH3", span, f"The property {key} is excluded."


def _finding(query: cypher.Query, code: str, span: ast.Span, reason: str) -> Finding:
    written = query.text[span[0] : span[1]]
    return Finding(
        code=code,
        check="excluded_names",
        severity="fault",
        span=span,
        message=reason,
        evidence=(Evidence(f"The settings exclude names; the text there is {written[:200]!r}."),),
        action="refused",
    )

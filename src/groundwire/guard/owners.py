"""Whose property a Cypher draft reads: the labels or types that its variable may have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from groundwire.database.graph_catalog import GraphCatalog, Property
from groundwire.guard.context import CypherContext
from groundwire.query.cypher import Symbol, ast

__all__ = ["Access", "accesses", "known_names", "property_names", "property_of"]


@dataclass(frozen=True, slots=True)
class Access:
    """A property key in a draft: `n.key`, `{key: …}` in a pattern, or `n {.key}`.

    `names` are the labels (`kind` is `node`) or types (`relationship`) that the owner may have; ()
    when the draft does not say. `variable` is the place of the owner's variable in `n.key`.
    """

    key: ast.Name
    kind: str
    names: tuple[str, ...]
    variable: ast.Variable | None


def accesses(context: CypherContext) -> Iterator[Access]:
    """Every property of a node or relationship that a draft names."""
    query = context.query
    for node in query.nodes:
        if isinstance(node, ast.Property) and isinstance(node.target, ast.Variable):
            symbol = query.symbol(node.target)
            if symbol is not None and symbol.kind in ("node", "relationship"):
                names = known_names(symbol, context.catalog)
                yield Access(node.key, symbol.kind, names, node.target)
        elif isinstance(node, ast.NodePattern | ast.RelationshipPattern):
            if isinstance(node.properties, ast.MapLiteral):
                kind = "node" if isinstance(node, ast.NodePattern) else "relationship"
                names = _names(context.query.labels_of(node), kind, context.catalog)
                for entry in node.properties.entries:
                    yield Access(entry.key, kind, names, None)
        elif isinstance(node, ast.MapProjection):
            symbol = query.symbol(node.variable)
            if symbol is not None and symbol.kind in ("node", "relationship"):
                names = known_names(symbol, context.catalog)
                for item in node.items:
                    if isinstance(item, ast.PropertySelector):
                        yield Access(item.key, symbol.kind, names, None)


def known_names(symbol: Symbol, catalog: GraphCatalog) -> tuple[str, ...]:
    """The stored labels or types that a variable may have; () when nothing is said of it."""
    if symbol.entity is None:
        return ()
    return _names(tuple(symbol.entity.labels), symbol.kind, catalog)


def property_of(catalog: GraphCatalog, kind: str, name: str, key: str) -> Property | None:
    """A property of a label or type."""
    if kind == "node":
        return catalog.node_property(name, key)
    return catalog.relationship_property(name, key)


def property_names(catalog: GraphCatalog, kind: str, names: tuple[str, ...]) -> list[str]:
    """The property keys of labels or types, in the order of the catalog."""
    stored = catalog.labels if kind == "node" else catalog.types
    found = [p.name for owner in stored if owner.name in names for p in owner.properties]
    return list(dict.fromkeys(found))


def _names(
    labels: tuple[ast.LabelExpression, ...], kind: str, catalog: GraphCatalog
) -> tuple[str, ...]:
    negated = {name for node in labels for part in ast.walk(node) for name in _negated(part)}
    stored = catalog.label if kind == "node" else catalog.type
    found = [name.name for node in labels for name in ast.label_names(node)]
    return tuple(dict.fromkeys(n for n in found if n not in negated and stored(n) is not None))


def _negated(node: ast.Node) -> set[str]:
    if not isinstance(node, ast.LabelNot):
        return set()
    return {name.name for name in ast.label_names(node)}

"""The literals of a Cypher draft with what is stored where they are compared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from groundwire.database.graph_catalog import Property
from groundwire.guard.context import CypherContext
from groundwire.guard.owners import known_names, property_of
from groundwire.query.cypher import PropertyLiteral, ast

__all__ = ["Comparison", "comparisons"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """`owner.key operator literal`, in a WHERE or as an entry of a property map.

    `names` are the labels or types of the owner, `stored` the properties of those that have the
    key, `types` the types of their values. `place` is the property as it stands in the text
    (`n.key`), None in a map. `written` is the literal as it stands in the text. `literal_first`: it
    stands left of the property.
    """

    key: str
    kind: str
    names: tuple[str, ...]
    stored: tuple[Property, ...]
    operator: str
    literal: ast.Literal
    folded: bool
    span: tuple[int, int]
    place: str | None
    written: str
    literal_first: bool = False

    @property
    def types(self) -> frozenset[str]:
        """The types of the stored values, over all owners that have the key."""
        return frozenset(name for item in self.stored for name in item.types)


def comparisons(context: CypherContext) -> Iterator[Comparison]:
    """Every comparison of a stored property with a literal, in the order of the text."""
    for found in context.query.property_literals:
        kind, names = _owner(context, found)
        stored = [property_of(context.catalog, kind, name, found.key.value) for name in names]
        known = tuple(item for item in stored if item is not None)
        if not known:
            continue
        start, end = found.literal.span
        in_map = found.element is not None
        yield Comparison(
            key=found.key.value,
            kind=kind,
            names=names,
            stored=known,
            operator=found.operator,
            literal=found.literal,
            folded=found.folded,
            span=found.span,
            place=None if in_map or found.folded else _place(context, found),
            written=context.query.text[start:end],
            literal_first=found.literal_first,
        )


def _owner(context: CypherContext, found: PropertyLiteral) -> tuple[str, tuple[str, ...]]:
    if found.owner is not None and found.owner.kind in ("node", "relationship"):
        return found.owner.kind, known_names(found.owner, context.catalog)
    if found.element is None:
        return "node", ()
    kind = "node" if isinstance(found.element, ast.NodePattern) else "relationship"
    stored = context.catalog.label if kind == "node" else context.catalog.type
    labels = context.query.labels_of(found.element)
    names = [name.name for node in labels for name in ast.label_names(node)]
    return kind, tuple(name for name in names if stored(name) is not None)


def _place(context: CypherContext, found: PropertyLiteral) -> str | None:
    """`n.key` as written beside the operator; None behind an alias, whose text says nothing."""
    for node in context.query.find(ast.Property):
        inside = found.span[0] <= node.span[0] and node.span[1] <= found.span[1]
        if inside and node.key == found.key:
            return context.query.text[node.span[0] : node.span[1]]
    return None

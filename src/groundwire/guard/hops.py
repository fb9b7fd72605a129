"""The hops of a Cypher draft: each relationship pattern with the nodes at its ends.

Hops are found wherever a path can stand: MATCH, comprehensions, EXISTS, COUNT and COLLECT, CALL
subqueries, quantified paths. What a node may be comes from all places that speak of its variable.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from groundwire.database.graph_catalog import GraphCatalog
from groundwire.query import cypher
from groundwire.query.cypher import ast
from groundwire.query.edits import Edit

__all__ = [
    "Alternatives",
    "Hop",
    "alternatives",
    "conditions",
    "hops",
    "possible",
    "turned",
    "type_names",
]

Alternatives = tuple[frozenset[str], ...]
"""One set for each condition that must hold; of each, one name must be there."""


@dataclass(frozen=True, slots=True)
class Hop:
    """A relationship pattern between two nodes, left and right as written.

    `source` and `target` say what the node at the tail and at the head of the arrow may be, for a
    pattern without direction those left and right; () = anything.
    """

    relationship: ast.RelationshipPattern
    left: ast.NodePattern | None
    right: ast.NodePattern | None
    source: Alternatives
    target: Alternatives

    @property
    def types(self) -> tuple[ast.LabelName, ...]:
        """The types that it names; () = any type."""
        return type_names(self.relationship.types)

    @property
    def is_variable(self) -> bool:
        """It may be several relationships long, or none."""
        length = self.relationship.length
        if self.relationship.quantifier is not None:
            return True
        return length is not None and (length.minimum, length.maximum) != (1, 1)


def hops(query: cypher.Query) -> Iterator[Hop]:
    """Every hop of a query, in the order of the text."""
    for path in query.find(ast.PathPattern):
        for index, element in enumerate(path.elements):
            if not isinstance(element, ast.RelationshipPattern):
                continue
            left = _node(path.elements, index - 1)
            right = _node(path.elements, index + 1)
            ends = [alternatives(query, node) if node else () for node in (left, right)]
            if element.direction == "left":
                ends.reverse()
            yield Hop(element, left, right, *ends)


def alternatives(query: cypher.Query, node: ast.NodePattern) -> Alternatives:
    """What a node may be, from every label condition that says something definite."""
    found = []
    for labels in query.labels_of(node):
        found += conditions(labels)
    return tuple(dict.fromkeys(found))


def type_names(types: ast.LabelExpression | None) -> tuple[ast.LabelName, ...]:
    """The types of a plain alternative `A|B`; () for any other expression."""
    if isinstance(types, ast.LabelName):
        return (types,)
    if isinstance(types, ast.LabelOr):
        names = [operand for operand in types.operands if isinstance(operand, ast.LabelName)]
        return tuple(names) if len(names) == len(types.operands) else ()
    return ()


def possible(hop: Hop, catalog: GraphCatalog, *, reverse: bool = False) -> bool:
    """Whether the graph holds a relationship that the hop, or its reverse, could match.

    An arrow that may be several relationships long has to start and to end somewhere possible.
    """
    source, target = (hop.target, hop.source) if reverse else (hop.source, hop.target)
    length = hop.relationship.length
    if length is not None and length.minimum == 0:
        return True
    named: list[str | None] = [name.name for name in hop.types]
    for type_name in named or [None]:
        endpoints = catalog.endpoints(type_name)
        if hop.is_variable:
            starts = any(_fits(source, endpoint.source, catalog) for endpoint in endpoints)
            ends = any(_fits(target, endpoint.target, catalog) for endpoint in endpoints)
            if starts and ends:
                return True
        elif any(
            _fits(source, endpoint.source, catalog) and _fits(target, endpoint.target, catalog)
            for endpoint in endpoints
        ):
            return True
    return False


def turned(relationship: ast.RelationshipPattern) -> tuple[Edit, ...]:
    """The edits that turn an arrow round; () for a pattern without direction."""
    start, end = relationship.span
    if relationship.direction == "right" and relationship.right_head is not None:
        return Edit(start, start, "<"), Edit(*relationship.right_head, "")
    if relationship.direction == "left" and relationship.left_head is not None:
        return Edit(*relationship.left_head, ""), Edit(end, end, ">")
    return ()


def conditions(labels: ast.LabelExpression) -> list[frozenset[str]]:
    """The sets of which one name each must hold for a label expression to hold."""
    if isinstance(labels, ast.LabelName):
        return [frozenset({labels.name})]
    if isinstance(labels, ast.LabelAnd):
        return [condition for operand in labels.operands for condition in conditions(operand)]
    if isinstance(labels, ast.LabelOr):
        names = type_names(labels)
        return [frozenset(name.name for name in names)] if names else []
    return []


def _fits(wanted: Alternatives, label: str, catalog: GraphCatalog) -> bool:
    """A node of that label may satisfy the conditions; unknown labels condition nothing.

    A node can have several labels, and the catalog lists an endpoint for each of them, so that
    one condition is enough where a pattern asks for two labels at once.
    """
    known = [names for names in wanted if any(catalog.label(name) for name in names)]
    return not known or any(label in names for names in known)


def _node(elements: tuple[ast.Node, ...], index: int) -> ast.NodePattern | None:
    element = elements[index] if 0 <= index < len(elements) else None
    return element if isinstance(element, ast.NodePattern) else None

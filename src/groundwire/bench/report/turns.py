"""On which sides of a type of relationship the labels of a query stand.

The text of an arrow says nothing alone: `(a:A)-[:T]->(b:B)` and `(b:B)<-[:T]-(a:A)` are the same.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from groundwire.query.cypher import ast

__all__ = ["Turns", "are_reversed", "names_of", "turns"]

Turns: TypeAlias = Mapping[tuple[str, str], Collection[str]]
"""(type, label) to the sides, `from` and `to`. A label has a mark where its node is returned, so
that two nodes of one label can be told apart."""

LEFT = {"right": ("from",), "left": ("to",), "both": ("from", "to")}
RIGHT = {"right": ("to",), "left": ("from",), "both": ("from", "to")}
"""By the direction of a relationship, the sides of the node that stands left or right of it."""


def turns(nodes: Sequence[ast.Node], returned: Collection[str]) -> Turns:
    """Of all nodes of a query and the names of the variables that it returns."""
    from groundwire.query.cypher import ast

    labels: dict[str, set[str]] = {}
    for node in nodes:
        if isinstance(node, ast.NodePattern) and node.variable is not None:
            labels.setdefault(node.variable.name, set()).update(names_of(node.labels))

    def names(node: ast.Node) -> Collection[str]:
        if not isinstance(node, ast.NodePattern):
            return ()
        if node.variable is None:
            return names_of(node.labels)
        mark = " returned" if node.variable.name in returned else ""
        return {label + mark for label in labels[node.variable.name]}

    found: dict[tuple[str, str], set[str]] = {}
    for path in (node for node in nodes if isinstance(node, ast.PathPattern)):
        for one, other in pairwise(path.elements):
            is_left = isinstance(other, ast.RelationshipPattern)
            step, node = (other, one) if is_left else (one, other)
            if not isinstance(step, ast.RelationshipPattern):
                continue
            sides = (LEFT if is_left else RIGHT)[step.direction]
            for name in names_of(step.types) or ["(any)"]:
                for label in names(node):
                    found.setdefault((name, label), set()).update(sides)
    return found


def are_reversed(draft: Turns, gold: Turns) -> bool:
    """A label stands on one side alone in the gold, and not on that one alone in the draft."""
    return any(
        len(sides) == 1 and key in draft and set(draft[key]) != set(sides)
        for key, sides in gold.items()
    )


def names_of(labels: ast.LabelExpression | None) -> list[str]:
    """The labels or types of an expression of them."""
    from groundwire.query.cypher import ast

    if labels is None:
        return []
    return [node.name for node in ast.walk(labels) if isinstance(node, ast.LabelName)]

"""Patterns: nodes, relationships and paths (Neo4j Cypher manual, "Patterns")."""

from __future__ import annotations

from dataclasses import dataclass

from groundwire.query.cypher.ast.base import Node, Span
from groundwire.query.cypher.ast.expressions import Expression, MapLiteral, Parameter, Variable
from groundwire.query.cypher.ast.labels import LabelExpression

__all__ = [
    "Length",
    "NodePattern",
    "ParenthesizedPath",
    "PathPattern",
    "Quantifier",
    "RelationshipPattern",
]


@dataclass(frozen=True, slots=True)
class Length(Node):
    """`*`, `*2`, `*1..3` of a variable-length relationship; None is an open end."""

    minimum: int | None
    maximum: int | None


@dataclass(frozen=True, slots=True)
class Quantifier(Node):
    """`{1,3}`, `+` or `*` of a quantified path; `maximum` None is an open end."""

    minimum: int
    maximum: int | None


@dataclass(frozen=True, slots=True)
class NodePattern(Node):
    """`(variable:Label {key: value} WHERE where)`."""

    variable: Variable | None
    labels: LabelExpression | None
    properties: MapLiteral | Parameter | None
    where: Expression | None


@dataclass(frozen=True, slots=True)
class RelationshipPattern(Node):
    """`<-[variable:TYPE*1..2 {key: value} WHERE where]->`, from the first dash or head to the last.

    `left_head` and `right_head` are the spans of `<` and `>`, None where there is no head: taking
    one away, or putting one in at `span[0]` or `span[1]`, turns the arrow.
    """

    left_head: Span | None
    right_head: Span | None
    variable: Variable | None
    types: LabelExpression | None
    length: Length | None
    properties: MapLiteral | Parameter | None
    where: Expression | None
    quantifier: Quantifier | None

    @property
    def direction(self) -> str:
        """`left`, `right`, or `both` (no arrow head, or two)."""
        if (self.left_head is None) == (self.right_head is None):
            return "both"
        return "left" if self.right_head is None else "right"


@dataclass(frozen=True, slots=True)
class ParenthesizedPath(Node):
    """`((a)-->(b) WHERE where){1,3}`."""

    path: PathPattern
    where: Expression | None
    quantifier: Quantifier | None


@dataclass(frozen=True, slots=True)
class PathPattern(Node):
    """`variable = selector elements`, one path of a pattern.

    `selector` is the text of `ANY SHORTEST`, `SHORTEST 2 GROUPS` and the like; `function` is
    `shortestPath` or `allShortestPaths`.
    """

    variable: Variable | None
    selector: str | None
    function: str | None
    elements: tuple[NodePattern | RelationshipPattern | ParenthesizedPath, ...]

"""Label expressions: what stands behind the colon of a node or relationship."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from groundwire.query.cypher.ast.base import Node, Span, walk

if TYPE_CHECKING:
    from groundwire.query.cypher.ast.expressions import Expression

__all__ = [
    "DynamicLabel",
    "LabelAnd",
    "LabelExpression",
    "LabelName",
    "LabelNot",
    "LabelOr",
    "LabelWildcard",
    "label_names",
]


@dataclass(frozen=True, slots=True)
class LabelExpression(Node):
    """What stands behind the colon of a node (labels) or of a relationship (types)."""


@dataclass(frozen=True, slots=True)
class LabelName(LabelExpression):
    """One label or relationship type; `name` is without back-ticks."""

    name: str


@dataclass(frozen=True, slots=True)
class LabelWildcard(LabelExpression):
    """`%`, any label."""


@dataclass(frozen=True, slots=True)
class DynamicLabel(LabelExpression):
    """`$(expression)`, `$all(...)` or `$any(...)`; `quantifier` is `ALL` or `ANY`."""

    quantifier: str
    expression: Expression


@dataclass(frozen=True, slots=True)
class LabelNot(LabelExpression):
    """`!operand`."""

    operand: LabelExpression


@dataclass(frozen=True, slots=True)
class LabelAnd(LabelExpression):
    """`A&B`, or `A:B` where `colon` is true."""

    operands: tuple[LabelExpression, ...]
    colon: bool


@dataclass(frozen=True, slots=True)
class LabelOr(LabelExpression):
    """`A|B`; `bars` are the spans of the separators (`|` or `|:`)."""

    operands: tuple[LabelExpression, ...]
    bars: tuple[Span, ...]


def label_names(labels: LabelExpression | None) -> tuple[LabelName, ...]:
    """Every label or type that a label expression names, negated ones too."""
    if labels is None:
        return ()
    return tuple(node for node in walk(labels) if isinstance(node, LabelName))

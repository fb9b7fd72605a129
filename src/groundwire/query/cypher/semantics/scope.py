"""What each variable stands for at each place of a query."""

from __future__ import annotations

from dataclasses import dataclass, field

from groundwire.query.cypher import ast
from groundwire.query.cypher.semantics.types import ANY, NODE, PATH, RELATIONSHIP, Type

__all__ = ["Entity", "Scope", "Symbol"]


@dataclass(eq=False, slots=True)
class Entity:
    """A node or relationship that one or more variables stand for.

    `labels` holds every label expression (types, for a relationship) that must hold for it: from
    its patterns, from `WHERE n:Label`, from `'Label' IN labels(n)`, and from EXISTS subqueries that
    must succeed. An alias (`WITH n AS m`) is the same entity. `level` counts the subqueries around
    the place where it is bound.
    """

    level: int = 0
    labels: list[ast.LabelExpression] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class Symbol:
    """A variable: its name, where it was bound, and what it can be.

    `origin` is the expression behind an `AS`, None for other variables.
    """

    name: str
    declared: ast.Span
    type: Type = ANY
    origin: ast.Expression | None = None

    @property
    def entity(self) -> Entity | None:
        """The node or relationship that it stands for, if it is one and is known."""
        return self.type.entity if self.type.kinds & (NODE | RELATIONSHIP) else None

    @property
    def kind(self) -> str:
        """`node`, `relationship`, `path` or `value`."""
        kinds = {NODE: "node", RELATIONSHIP: "relationship", PATH: "path"}
        return kinds.get(self.type.kinds, "value")


@dataclass(frozen=True, slots=True)
class Scope:
    """The variables that can be used within a stretch of the text."""

    span: ast.Span
    symbols: dict[str, Symbol]

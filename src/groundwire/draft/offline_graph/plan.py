"""What a question asks of a graph, before it is written as Cypher."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

__all__ = [
    "Condition",
    "Direction",
    "Entity",
    "Filter",
    "Form",
    "Function",
    "Group",
    "Hop",
    "Operator",
    "Plan",
    "Rank",
    "Role",
    "Value",
    "entities_in",
]

Value = str | int | float | bool | date | datetime
Direction = Literal["out", "in", "both"]
Operator = Literal["=", "<>", "<", "<=", ">", ">=", "in", "contains", "starts", "ends", "missing"]
Function = Literal["avg", "sum", "min", "max"]
Form = Literal["list", "count", "aggregate"]


@dataclass(frozen=True, slots=True)
class Filter:
    """`released > 2000`: a property, an operator, one value (several for `in`).

    `element` asks for a member of a list property instead of the property itself.
    """

    property: str
    operator: Operator
    values: tuple[Value, ...] = ()
    element: bool = False
    assumed: str = ""


@dataclass(frozen=True, slots=True)
class Role:
    """One end of a relationship type that a noun names: a `director` is where `DIRECTED` starts."""

    type: str
    direction: Direction


@dataclass(frozen=True, slots=True)
class Entity:
    """Nodes of a label ("" = any node) that meet all conditions.

    `role` is what an agent noun says of them, until a hop says it more exactly.
    """

    label: str
    conditions: tuple[Condition, ...] = ()
    role: Role | None = None


@dataclass(frozen=True, slots=True)
class Hop:
    """A relationship to some (`negated`: to no) other entity; `times` bounds how many of them."""

    type: str
    direction: Direction
    other: Entity
    negated: bool = False
    times: tuple[Operator, int] | None = None
    assumed: str = ""


Condition = Filter | Hop


@dataclass(frozen=True, slots=True)
class Group:
    """For each value of a property, or for each entity at the other end of a hop.

    `zeros` keeps the entities that have nothing to count.
    """

    by: str | Hop
    element: bool = False
    zeros: bool = False
    assumed: str = ""


@dataclass(frozen=True, slots=True)
class Rank:
    """The first `count` places by a property, or by the number of entities behind a hop."""

    count: int
    descending: bool
    measure: str | Hop
    shown: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """One reading of a question. `outputs` are properties of the entity."""

    entity: Entity
    form: Form = "list"
    outputs: tuple[str, ...] = ()
    function: Function | None = None
    group: Group | None = None
    rank: Rank | None = None
    spread: bool = False
    """The only output is a list property: its different elements are asked for."""


def entities_in(entity: Entity) -> Iterator[Entity]:
    """The entity and all that its hops lead to."""
    yield entity
    for condition in entity.conditions:
        if isinstance(condition, Hop):
            yield from entities_in(condition.other)

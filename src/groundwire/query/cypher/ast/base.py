"""What all nodes of the tree have in common: a place in the text, and children to walk."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import TypeAlias

Span: TypeAlias = tuple[int, int]
"""The start and the end of a stretch of text, in characters."""

__all__ = ["Name", "Node", "Span", "children", "field_names", "walk"]

_FIELDS: dict[type[Node], tuple[str, ...]] = {}


@dataclass(frozen=True, slots=True)
class Node:
    """A part of a query. `span` holds the start and the end of its text."""

    span: Span


@dataclass(frozen=True, slots=True)
class Name(Node):
    """A property key, map key or the like; `value` is without back-ticks."""

    value: str


def field_names(node: Node) -> tuple[str, ...]:
    """The names of a node's fields, `span` left out."""
    names = _FIELDS.get(type(node))
    if names is None:
        names = _FIELDS[type(node)] = tuple(field.name for field in fields(node))[1:]
    return names


def children(node: Node) -> Iterator[Node]:
    """The nodes directly below a node, in the order of their fields."""
    for name in field_names(node):
        value = getattr(node, name)
        if isinstance(value, Node):
            yield value
        elif type(value) is tuple:
            for item in value:
                if isinstance(item, Node):
                    yield item


def walk(node: Node) -> Iterator[Node]:
    """The node and everything below it, parents first, in the order of the text.

    Keeps its own stack: a deep tree costs no Python recursion.
    """
    stack = [node]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(tuple(children(node))))

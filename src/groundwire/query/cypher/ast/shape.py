"""Whether two parts of a query say the same."""

from __future__ import annotations

from groundwire.query.cypher.ast.base import Node, field_names
from groundwire.query.cypher.ast.expressions import FunctionCall

__all__ = ["shape"]


def shape(node: Node) -> tuple[object, ...]:
    """What a node says, without the places: equal for expressions that mean the same.

    White space, back-ticks and the case of function names make no difference.
    """
    parts: list[object] = [type(node)]
    for name in field_names(node):
        value = getattr(node, name)
        if isinstance(value, Node):
            parts.append(shape(value))
        elif name == "name" and isinstance(node, FunctionCall):
            parts.append(node.name.lower())
        elif type(value) is tuple:
            if not name.endswith("span") and name != "bars":
                parts.append(
                    tuple(shape(item) if isinstance(item, Node) else item for item in value)
                )
        else:
            parts.append((type(value), value))
    return tuple(parts)

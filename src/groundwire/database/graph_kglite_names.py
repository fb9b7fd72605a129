"""Property names that kglite gives a meaning of its own, and how they are kept apart.

In kglite every node answers to `id`, `title`, `type`, `name`, `label` and `node_type`, and every
relationship to `id`, `type`, `start`, `end` and `connection_type`, whether somebody stored such a
property or not: `n.title` of a person without a title is the person's name. So our loader stores
a property of such a name with two underscores behind it, marks the graph, and on a marked graph
the names are written so in every query and read back so in every answer. A query then gets what
Neo4j would give it, null included.
"""

from __future__ import annotations

from typing import Any

__all__ = ["MARK", "RESERVED", "STRUCTURAL", "mangle", "mangle_values", "unmangle"]

RESERVED = frozenset(
    ("id", "title", "type", "name", "label", "node_type", "start", "end", "connection_type")
)

STRUCTURAL = frozenset(("id", "title", "type"))
"""The keys that kglite puts into every node that it returns."""

MARK = 5107
"""The schema version of a graph whose reserved names are stored with a suffix."""

SUFFIX = "__"


def _is_reserved(name: str) -> bool:
    while name.endswith(SUFFIX):
        name = name.removesuffix(SUFFIX)
    return name in RESERVED


def mangle(name: str) -> str:
    """The name under which a property is stored."""
    return name + SUFFIX if _is_reserved(name) else name


def unmangle(name: str) -> str:
    """The name that a stored property has for everybody else; the reverse of `mangle`."""
    return name.removesuffix(SUFFIX) if _is_reserved(name) else name


def mangle_values(value: Any) -> Any:
    """A parameter's value with the keys of all its maps as they are stored."""
    if isinstance(value, dict):
        return {mangle(key): mangle_values(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [mangle_values(item) for item in value]
    return value

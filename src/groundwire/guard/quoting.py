"""Names of a graph as they have to stand in Cypher."""

from __future__ import annotations

__all__ = ["quoted"]


def quoted(name: str) -> str:
    """A label, type or key; in back-ticks where it is no plain identifier.

    A plain name may also be a keyword: Cypher allows that in these places (openCypher 9,
    SymbolicName and SchemaName).
    """
    if name.isidentifier():
        return name
    return "`" + name.replace("`", "``") + "`"

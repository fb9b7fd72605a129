"""One level of scope: the sources of a SELECT, and the level around it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from groundwire.query.sql.names import Source

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["Columns", "Level", "alias_of", "children", "named_by", "renamed", "visible_from"]

Columns = tuple[tuple[str, ...], bool]
"""The folded names of the columns of a source, and whether it may have others."""


@dataclass(slots=True)
class Level:
    """The names of one SELECT; `outer` is the one around it.

    `aliases` are its output columns where they may be used, `merged` the columns of a USING,
    `named` those of a `USING (…) AS name` by that name, each with the sources of both sides,
    `joined` the sources that each JOIN adds.
    """

    outer: Level | None
    sources: list[Source] = field(default_factory=list)
    aliases: set[str] = field(default_factory=set)
    merged: set[str] = field(default_factory=set)
    named: dict[str, dict[str, tuple[Source, ...]]] = field(default_factory=dict)
    joined: list[tuple[exp.Join, tuple[Source, ...]]] = field(default_factory=list)


def visible_from(scope: Level | None) -> Iterator[Source]:
    """Every source that can be named at a level, innermost first."""
    while scope is not None:
        yield from scope.sources
        scope = scope.outer


def named_by(scope: Level | None, name: str) -> dict[str, tuple[Source, ...]] | None:
    """The columns of a `USING (…) AS name` that can be named at a level."""
    while scope is not None:
        if name in scope.named:
            return scope.named[name]
        scope = scope.outer
    return None


def alias_of(item: exp.Expr) -> exp.Expr | None:
    """The identifier behind AS."""
    alias = item.args.get("alias")
    return alias.this if alias is not None else None


def renamed(columns: tuple[str, ...], is_open: bool, given: tuple[str, ...]) -> Columns:
    """Column aliases rename the first columns, one for one."""
    return (*given, *columns[len(given) :]), is_open


def children(node: exp.Expr, kind: type[exp.Expr]) -> Iterable[exp.Expr]:
    """The nodes of a kind directly below a node."""
    for value in node.args.values():
        for child in value if isinstance(value, list) else (value,):
            if isinstance(child, kind):
                yield child

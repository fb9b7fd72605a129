"""A subquery or CTE that joins tables and hands their rows on as they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from groundwire.guard.joins import column_of, inner_select, key_columns, links
from groundwire.guard.origins import origin
from groundwire.guard.selects import Select, Stored
from groundwire.query.sql import Source

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["Flattened", "flattened"]


@dataclass(frozen=True, slots=True)
class Flattened:
    """The one source inside, from which a value comes, and its key as the SELECT around reads it.

    `name` is that of the subquery or CTE, `keys` are its columns, () where it does not hand the key
    on.
    """

    name: str
    inner: Select
    source: Source
    stored: tuple[Stored, ...]
    keys: tuple[exp.Column, ...]


def flattened(select: Select, value: exp.Expr) -> Flattened | None:
    """Where a value comes from that is read from one subquery or CTE of plain joined rows."""
    from sqlglot import exp

    columns = list(value.find_all(exp.Column))
    outer = {select.source_of(column) for column in columns}
    source = outer.pop() if len(outer) == 1 else None
    inner = inner_select(select, source) if source is not None else None
    if source is None or source.renamed or inner is None or not _hands_rows_on(inner):
        return None
    origins = [origin(select, column) for column in columns]
    stored = [
        found[1]
        for found in origins
        if found is not None and found[0].node is inner.node and isinstance(found[1], Stored)
    ]
    if len(stored) < len(columns) or len({one.source for one in stored}) != 1:
        return None
    keys = tuple(_keys(inner, source, stored[0].source))
    return Flattened(source.name, inner, stored[0].source, tuple(stored), keys)


def _hands_rows_on(inner: Select) -> bool:
    """Each of its rows is one of its joins, which are all inner ones."""
    clauses = ("group", "having", "distinct", "limit", "offset", "qualify")
    plain = not any(inner.node.args.get(key) for key in clauses) and not inner.aggregates
    return plain and all(join.kind in ("inner", "cross") for join in inner.joins)


def _keys(inner: Select, outer: Source, source: Source) -> Iterator[exp.Column]:
    """The columns of `outer` that hold the key of a source inside, or what is joined to be equal;
    none where one is missing."""
    outputs, fold = inner.node.selects, inner.context.catalog.fold
    if len(outputs) != len(outer.columns):
        return
    named = {
        (inner.source_of(output.unalias()), fold(use.name)): name
        for output, name in zip(outputs, outer.columns, strict=True)
        if (use := inner.use(output.unalias())) is not None and use.meaning == "column"
    }
    found = []
    for key in key_columns(inner, source):
        equal = [(source, key.name)]
        for link in links(inner):
            for end, other in (link.ends, link.ends[::-1]):
                if end.source is source and end.column == key.name:
                    equal.append((other.source, other.column))
        name = next((named[place] for place in equal if place in named), None)
        if name is None:
            return
        found.append(name)
    for name in found:
        yield column_of(outer, name)

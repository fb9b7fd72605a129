"""The tables of a copy: their rows, their keys, and what refers to what."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from groundwire.bench.copies.hints import Hints
from groundwire.database.catalog import Table

__all__ = ["FEW_ROWS", "Places", "Reference", "Stored", "connected", "parents_first"]

FEW_ROWS = 4
"""Rows from which a column without a value twice counts as one that tells its rows apart."""

Places = tuple[int, ...]
"""Places of columns in a row."""


@dataclass(frozen=True, slots=True)
class Reference:
    """Columns of a table that hold a key of another one, pairwise."""

    columns: Places
    target: str
    target_columns: Places


@dataclass
class Stored:
    """A table and its rows. `columns` are those that can be written, in the order of the rows.

    `keys` are the sets of columns in which no two rows may be equal.
    """

    table: Table
    columns: tuple[str, ...]
    rows: list[list[Any]]
    keys: list[Places] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Schema and name in lower case."""
        return f"{self.table.schema}.{self.table.name}".lower()

    def places(self, names: Iterable[str]) -> Places | None:
        """Where columns stand; None where one cannot be written."""
        own = [column.lower() for column in self.columns]
        wanted = [name.lower() for name in names]
        return tuple(own.index(name) for name in wanted) if set(wanted) <= set(own) else None

    def taken(self, columns: Places) -> list[tuple[Any, ...]]:
        """What these columns hold, row by row."""
        return [tuple(row[place] for place in columns) for row in self.rows]


def connected(tables: Sequence[Stored], hints: Hints) -> list[Stored]:
    """The tables with their keys and references, declared or seen in the joins of the golds."""
    by_name = {stored.name: stored for stored in tables}
    for stored in tables:
        declared = (stored.table.primary_key, *stored.table.unique_keys)
        places = [stored.places(names) for names in declared if names]
        stored.keys = [key for key in places if key]
        if not stored.table.primary_key:
            stored.keys += _keys_by_their_values(stored, hints)
    for stored in tables:
        stored.references = list(_declared(stored, by_name))
    for left, right in sorted(hints.pairs):
        for ends in ((left, right), (right, left)):
            _refer(ends[0], ends[1], tables)
    for stored in tables:
        stored.keys += [
            reference.columns  # one to one
            for reference in stored.references
            if reference.columns not in stored.keys and _differ(stored, reference.columns)
        ]
    return list(tables)


def parents_first(tables: Sequence[Stored]) -> list[Stored]:
    """The tables in an order in which what a table refers to comes before it, circles apart."""
    waiting = {stored.name: stored for stored in tables}
    found: list[Stored] = []
    while waiting:
        ready = [
            stored
            for stored in waiting.values()
            if not {ref.target for ref in stored.references} & (waiting.keys() - {stored.name})
        ]
        for stored in ready or [next(iter(waiting.values()))]:
            found.append(waiting.pop(stored.name))
    return found


def _keys_by_their_values(stored: Stored, hints: Hints) -> list[Places]:
    """Columns that golds join by and that have no value twice, of a table without a key."""
    joining = {end for pair in hints.pairs for end in pair}
    return [
        (place,)
        for place, name in enumerate(stored.columns)
        if (stored.table.name.lower(), name.lower()) in joining and _differ(stored, (place,))
    ]


def _differ(stored: Stored, columns: Places) -> bool:
    """Whether no two rows are equal in columns that hold no NULL."""
    held = [tuple(map(str, key)) for key in stored.taken(columns) if None not in key]
    return FEW_ROWS <= len(stored.rows) == len(set(held))


def _declared(stored: Stored, by_name: dict[str, Stored]) -> Iterable[Reference]:
    for foreign in stored.table.foreign_keys:
        target = by_name.get(f"{foreign.target_schema}.{foreign.target_table}".lower())
        if target is None:
            continue
        columns = stored.places(foreign.columns)
        theirs = target.places(foreign.target_columns or target.table.primary_key)
        if columns and theirs and len(columns) == len(theirs):
            yield Reference(columns, target.name, theirs)


def _refer(child: tuple[str, str], parent: tuple[str, str], tables: Sequence[Stored]) -> None:
    """Let the child's column refer to the parent's, where that is a key and it is none."""
    named = {stored.table.name.lower(): stored for stored in tables}
    mine, theirs = named.get(child[0]), named.get(parent[0])
    if mine is None or theirs is None or mine is theirs:
        return
    column, key = mine.places([child[1]]), theirs.places([parent[1]])
    if column is None or key is None or key not in theirs.keys or column in mine.keys:
        return
    if not any(set(column) & set(ref.columns) for ref in mine.references):
        mine.references.append(Reference(column, theirs.name, key))

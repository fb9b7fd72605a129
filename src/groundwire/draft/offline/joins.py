"""Paths between tables along declared foreign keys."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from groundwire.database.catalog import Catalog, Table

__all__ = ["JoinGraph", "Path", "Step", "is_to_one"]

MAX_STEPS = 3


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """From `left` to `right`, matching `left_columns` with `right_columns` pairwise.

    `to_one` is true where a row on the left has at most one partner on the right.
    """

    left: Table
    left_columns: tuple[str, ...]
    right: Table
    right_columns: tuple[str, ...]
    to_one: bool


Path = tuple[Step, ...]


def is_to_one(path: Path) -> bool:
    """Whether following the path never multiplies rows."""
    return all(step.to_one for step in path)


class JoinGraph:
    """All foreign keys of a catalog, walked both ways."""

    def __init__(self, catalog: Catalog) -> None:
        self._steps: dict[tuple[str, str], list[Step]] = defaultdict(list)
        by_name = {(t.schema, t.name): t for t in catalog.tables}
        folded = {(s.lower(), n.lower()): t for (s, n), t in by_name.items()}
        for table in catalog.tables:
            for key in table.foreign_keys:
                target = by_name.get((key.target_schema, key.target_table)) or folded.get(
                    (key.target_schema.lower(), key.target_table.lower())
                )
                if target is not None and target is not table and key.target_columns:
                    self._add(table, key.columns, target, key.target_columns)

    def _add(
        self, child: Table, columns: tuple[str, ...], parent: Table, target: tuple[str, ...]
    ) -> None:
        self._steps[_key(child)].append(Step(child, columns, parent, target, True))
        one = _is_unique(child, columns)
        self._steps[_key(parent)].append(Step(parent, target, child, columns, one))

    def paths(self, start: Table, end: Table) -> list[Path]:
        """All shortest paths; one empty path from a table to itself."""
        if _key(start) == _key(end):
            return [()]
        frontier: list[tuple[Path, Table]] = [((), start)]
        for _ in range(MAX_STEPS):
            frontier = [
                ((*path, step), step.right)
                for path, table in frontier
                for step in self._steps[_key(table)]
                if all(_key(step.right) != _key(s.left) for s in path)
                and _key(step.right) != _key(start)
            ]
            found = [path for path, table in frontier if _key(table) == _key(end)]
            if found:
                return found
        return []

    def path(self, start: Table, end: Table) -> Path | None:
        """The only shortest path; None where there is none or more than one."""
        found = self.paths(start, end)
        return found[0] if len(found) == 1 else None

    def references(self, child: Table, parent: Table) -> bool:
        """Whether the child has a foreign key to the parent."""
        return any(s.to_one and _key(s.right) == _key(parent) for s in self._steps[_key(child)])

    def parent_of(self, table: Table, column: str) -> Table | None:
        """The table that a column alone is a foreign key to."""
        for step in self._steps[_key(table)]:
            if step.to_one and step.left_columns == (column,):
                return step.right
        return None


def _is_unique(table: Table, columns: tuple[str, ...]) -> bool:
    keys = (table.primary_key, *table.unique_keys)
    return any(key and set(key) <= set(columns) for key in keys)


def _key(table: Table) -> tuple[str, str]:
    return table.schema, table.name

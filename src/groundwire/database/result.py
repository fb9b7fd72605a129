"""The rows of one statement, in one shape for every engine and with one JSON form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from groundwire.database.values import to_json

__all__ = ["Result", "ResultColumn"]


@dataclass(frozen=True, slots=True)
class ResultColumn:
    """A column of a result: its name as the server gave it, its type in the server's words."""

    name: str
    type: str


@dataclass(frozen=True, slots=True)
class Result:
    """Columns plus tuples, never dicts: two columns may share a name.

    `rows` are tuples of driver values, as long as `columns`. `truncated` is true when the
    statement had more rows than were fetched. `elapsed` is in seconds, execution and fetching.
    """

    columns: tuple[ResultColumn, ...]
    rows: tuple[tuple[Any, ...], ...]
    truncated: bool = False
    elapsed: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """`columns` as `[{name, type}]`, `rows` in JSON values, `row_count`, `truncated`."""
        return {
            "columns": [{"name": column.name, "type": column.type} for column in self.columns],
            "rows": [[to_json(value) for value in row] for row in self.rows],
            "row_count": len(self.rows),
            "truncated": self.truncated,
        }

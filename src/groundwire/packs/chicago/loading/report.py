"""What a load did, for a person and for a program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from groundwire.counted import counted

__all__ = ["LoadReport"]


@dataclass(frozen=True, slots=True)
class LoadReport:
    """The account of one file: each of its records has one fate.

    `lines` counts records, the header and blank lines apart; it equals `inserted + updated +
    already_there + duplicates + rejected_lines`. `duplicates` are records of an ID that the file
    had before. `changes` counts by rule the cells that cleaning changed in this file's rows as they
    are now, `rejected` by reason the lines that were put aside. Each single one is in the target's
    schema CHICAGO_LOAD. A resumed load counts what was done before it was interrupted, too.
    """

    file: str
    url: str
    lines: int
    inserted: int
    updated: int
    already_there: int
    duplicates: int
    rejected: Mapping[str, int]
    changes: Mapping[str, int]
    coordinates_missing: int
    blank_lines: int
    ignored_columns: tuple[str, ...]
    resumed: bool
    seconds: float

    @property
    def rejected_lines(self) -> int:
        """How many lines were put aside."""
        return sum(self.rejected.values())

    @property
    def summary(self) -> str:
        """The account in a few lines for a person."""
        parts = [
            f"{self.lines:,} records read from {self.file}"
            f"{' (going on with an interrupted load)' if self.resumed else ''}:",
            f"  {self.inserted:,} inserted",
            f"  {self.updated:,} replaced by a newer version",
            f"  {self.already_there:,} already there",
            f"  {self.duplicates:,} repeated inside the file",
            f"  {self.rejected_lines:,} put aside",
            *(f"    {count:,} {reason}" for reason, count in self.rejected.items()),
        ]
        if self.changes:
            parts.append(f"{counted(sum(self.changes.values()), 'cell')} changed by cleaning:")
            parts += [f"  {count:,} {rule}" for rule, count in self.changes.items()]
        if self.coordinates_missing:
            rows = counted(self.coordinates_missing, "row stays", "rows stay")
            parts.append(f"{rows} without coordinates.")
        if self.ignored_columns:
            parts.append(f"Ignored columns: {', '.join(self.ignored_columns)}.")
        rate = f", {self.lines / self.seconds:,.0f} records a second" if self.seconds else ""
        parts.append(f"{self.seconds:.1f} seconds{rate}.")
        return "\n".join(parts)

    def to_json(self) -> dict[str, Any]:
        """All fields, and `rejected_lines`."""
        return {**asdict(self), "rejected_lines": self.rejected_lines}

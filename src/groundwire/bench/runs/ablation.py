"""The drop-one table: what each component is worth, by a run without it.

Source: the ablation tables of the two papers (one component off, all others on).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from groundwire.bench.runs.compare import Comparison, compare
from groundwire.bench.runs.record import Record
from groundwire.settings import COMPONENTS

__all__ = ["GUARD_COMPONENTS", "Row", "components_of", "table"]

GUARD_COMPONENTS = ("literal", "fixes", "statistics")
"""Those that a replay of recorded drafts can switch off: no prompt is written there."""


@dataclass(frozen=True, slots=True)
class Row:
    """One component: the whole product against the product without it."""

    component: str
    comparison: Comparison

    def to_json(self) -> dict[str, Any]:
        """`component` and the comparison's fields; `first` is the run without it."""
        return {"component": self.component, **self.comparison.to_json()}


def components_of(drafter: str) -> tuple[str, ...]:
    """The components that mean something for a drafter."""
    if drafter in ("recorded", "offline"):
        return GUARD_COMPONENTS
    return COMPONENTS


def table(whole: Sequence[Record], without: Mapping[str, Sequence[Record]]) -> list[Row]:
    """A row a component; the gain is what the component brings."""
    return [Row(component, compare(records, whole)) for component, records in without.items()]

"""Many verdicts in a few figures, each with its interval and the number of cases behind it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from groundwire.bench.scoring import Scored
from groundwire.bench.statistics import Estimate, estimate

__all__ = ["means", "summarize"]


def means(values: Iterable[Mapping[str, float | None]], seed: int = 0) -> dict[str, Estimate]:
    """Each metric's mean over the cases that have it."""
    columns: dict[str, list[float]] = {}
    for row in values:
        for name, value in row.items():
            if value is not None:
                columns.setdefault(name, []).append(value)
    found = {name: estimate(column, seed=seed) for name, column in columns.items()}
    return {name: value for name, value in found.items() if value is not None}


def summarize(scored: Sequence[Scored], names: Iterable[str]) -> dict[str, Any]:
    """`{cases, marked, every metric's mean or null, intervals, counted}`.

    `marked` counts what kept cases from a fair score, by kind; `intervals` are of 95 %, `counted`
    the number of cases behind each mean: those with a value.
    """
    found = means(one.values for one in scored)
    return {
        "cases": sum(one.case is not None or one.mark == "case" for one in scored),
        "marked": dict(sorted(Counter(one.mark for one in scored if one.mark).items())),
        **{name: round(found[name].mean, 6) if name in found else None for name in names},
        "intervals": {name: [round(e.low, 6), round(e.high, 6)] for name, e in found.items()},
        "counted": {name: e.count for name, e in found.items()},
    }

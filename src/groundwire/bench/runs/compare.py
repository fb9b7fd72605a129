"""Two runs over the same cases, paired case by case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from groundwire.bench.admission import Admission, admission
from groundwire.bench.runs.record import Record
from groundwire.bench.statistics import Estimate, McNemar, difference, estimate, mcnemar
from groundwire.errors import UsageError

__all__ = ["Comparison", "Paired", "compare"]


@dataclass(frozen=True, slots=True)
class Paired:
    """One metric in two runs, over the cases that both decide."""

    first: Estimate
    second: Estimate
    gain: Estimate

    def to_json(self) -> dict[str, Any]:
        """`{first, second, gain}`, each an estimate."""
        return {
            "first": self.first.to_json(),
            "second": self.second.to_json(),
            "gain": self.gain.to_json(),
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """What the second run changes. `gained` and `lost` are ids by what was shown and `ex`."""

    cases: int
    metrics: Mapping[str, Paired]
    gained: tuple[str, ...]
    lost: tuple[str, ...]
    test: McNemar
    first: Admission
    second: Admission

    def to_json(self) -> dict[str, Any]:
        """Every field."""
        return {
            "cases": self.cases,
            "metrics": {name: paired.to_json() for name, paired in self.metrics.items()},
            "gained": list(self.gained),
            "lost": list(self.lost),
            "p": self.test.p,
            "first": self.first.to_json(),
            "second": self.second.to_json(),
        }


def compare(first: Sequence[Record], second: Sequence[Record], *, seed: int = 0) -> Comparison:
    """The cases that are in both, in the order of the first.

    The metrics are of what was given (`Record.value`): where nothing was shown, 0 for every metric
    that the draft has, or 1 where the question cannot be answered.

    Raises:
        UsageError: no case is in both.
    """
    others = {record.id: record for record in second}
    pairs = [(record, others[record.id]) for record in first if record.id in others]
    if not pairs:
        raise UsageError(
            "The two runs have no case in common.", hint="Compare runs of the same set."
        )
    names = dict.fromkeys(name for record, _ in pairs for name in record.draft_scores)
    metrics = {name: found for name in names if (found := _paired(name, pairs, seed)) is not None}
    before = [record.value("ex") == 1 for record, _ in pairs]
    after = [record.value("ex") == 1 for _, record in pairs]
    marked = list(zip(pairs, before, after, strict=True))
    return Comparison(
        cases=len(pairs),
        metrics=metrics,
        gained=tuple(a.id for (a, _), was, is_now in marked if is_now and not was),
        lost=tuple(a.id for (a, _), was, is_now in marked if was and not is_now),
        test=mcnemar(before, after),
        first=admission(record.judged() for record, _ in pairs),
        second=admission(record.judged() for _, record in pairs),
    )


def _paired(name: str, pairs: Sequence[tuple[Record, Record]], seed: int) -> Paired | None:
    both = [(a.value(name), b.value(name)) for a, b in pairs]
    known = [(x, y) for x, y in both if x is not None and y is not None]
    first, second = [x for x, _ in known], [y for _, y in known]
    before, after = estimate(first, seed=seed), estimate(second, seed=seed)
    gain = difference(first, second, seed=seed)
    if before is None or after is None or gain is None:
        return None
    return Paired(before, after, gain)

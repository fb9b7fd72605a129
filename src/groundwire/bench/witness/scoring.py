"""Verdicts that hold on every witness."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from groundwire.bench.case import Case
from groundwire.bench.metrics import Judge, Metric
from groundwire.bench.running import Databases
from groundwire.bench.scoring import Scored, Scorer

__all__ = ["WitnessScorer"]


class WitnessScorer(Scorer):
    """A scorer whose verdict is the worst of those on several graphs.

    A value that one graph leaves undecided (both results are empty there) is decided by the
    others. `why` and `mark` come from the first graph that gives the worst verdict.

    Args:
        databases: where each set of witnesses is, `Databases(str(folder / "1"))` and so on.
        metrics: by name; None = `METRICS`.
        judge: a model for what values alone do not decide.
    """

    def __init__(
        self,
        databases: Sequence[Databases],
        metrics: Mapping[str, Metric] | None = None,
        judge: Judge | None = None,
    ) -> None:
        super().__init__(databases[0], metrics, judge)
        self._scorers = [Scorer(each, metrics, judge) for each in databases]

    def score(self, case: Case, query: str, answer: str = "") -> Scored:
        """The verdicts on one predicted query; "" = the system gave none."""
        worst: Scored | None = None
        for scorer in self._scorers:
            scored = scorer.score(case, query, answer)
            worst = scored if worst is None else _worse(worst, scored)
            if worst.mark or not any(worst.values.values()):
                break
        assert worst is not None
        return worst


def _worse(known: Scored, other: Scored) -> Scored:
    values = {name: _least(value, other.values[name]) for name, value in known.values.items()}
    first = known if other.mark == "" and values == dict(known.values) else other
    return Scored(known.id, values, first.why, first.mark, known.case)


def _least(left: float | None, right: float | None) -> float | None:
    known = [value for value in (left, right) if value is not None]
    return min(known, default=None)

"""Verdicts that hold on every witness."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from groundwire.bench.case import Case
from groundwire.bench.metrics import Judge, Metric
from groundwire.bench.running import Databases
from groundwire.bench.scoring import Scored, Scorer

__all__ = ["WitnessScorer"]


class WitnessScorer(Scorer):
    """A scorer whose verdict is the worst of those on several graphs.

    A value that one graph leaves undecided (both results are empty there) is decided by the
    others. `why` and `mark` come from the graph that says most against the prediction, the first of
    several.

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
        found: list[Scored] = []
        for scorer in self._scorers:
            found.append(scorer.score(case, query, answer))
            values = _least(found)
            if found[-1].mark or not any(values.values()):
                break
        return replace(max(found, key=_weight), values=values)


def _weight(scored: Scored) -> tuple[bool, bool, bool, float]:
    """How much a graph says: a fault; rows before none; then what is against the prediction."""
    values = scored.values
    against = sum(1 - value for value in values.values() if value is not None)
    return bool(scored.mark), not values.get("both_empty"), values.get("ex") == 0, against


def _least(found: Sequence[Scored]) -> dict[str, float | None]:
    return {
        name: min((v for each in found if (v := each.values[name]) is not None), default=None)
        for name in found[0].values
    }

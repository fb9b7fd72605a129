"""Cases and predictions in, verdicts out. Nothing is repaired."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from groundwire.bench.case import Case, Malformed, Prediction
from groundwire.bench.metrics import (
    METRICS,
    NEEDS_COPIES,
    OF_EVERY_PREDICTION,
    Judge,
    Metric,
    Pair,
    applies,
)
from groundwire.bench.running import Databases, Outcome
from groundwire.bench.why import explain
from groundwire.errors import GroundwireError, UsageError

__all__ = ["Mark", "Scored", "Scorer", "score_all"]

Mark = Literal["", "case", "database", "gold", "prediction"]
"""What kept a case from a fair score: its line, its database, its gold; or the prediction's line
(a missing prediction is scored 0)."""


@dataclass(frozen=True, slots=True)
class Scored:
    """The verdicts on one prediction. A value is None where the metric does not apply, cannot be
    decided, or where the case itself is at fault (`mark`). `why` is for a person."""

    id: str
    values: Mapping[str, float | None]
    why: str
    mark: Mark = ""
    case: Case | None = field(default=None, compare=False)

    def to_json(self) -> dict[str, Any]:
        """`{"id", every metric by name, "why", "mark"}`; `mark` only where there is one."""
        marked = {"mark": self.mark} if self.mark else {}
        return {"id": self.id, **self.values, "why": self.why, **marked}


class Scorer:
    """Scores predictions on the databases of their cases.

    Args:
        databases: where the cases' databases are.
        metrics: by name; None = `METRICS`.
        judge: a model for what values alone do not decide.
    """

    def __init__(
        self,
        databases: Databases,
        metrics: Mapping[str, Metric] | None = None,
        judge: Judge | None = None,
    ) -> None:
        self.databases = databases
        self.metrics = METRICS if metrics is None else metrics
        self.judge = judge

    def score(self, case: Case, query: str, answer: str = "") -> Scored:
        """The verdicts on one predicted query; "" = the system gave none.

        Args:
            answer: what the system said of the result in words, where it did.
        """
        if not case.answerable:
            return self._unanswerable(case, query)
        try:
            dialect = self.databases.database(case.database).dialect
            golds = [self.databases.recall(case.database, gold) for gold in case.queries]
            usable = [gold for gold in golds if gold.whole]
            if not usable:
                return self.unscored(case.id, _of_gold(golds[0]), "gold", case)
            found = self._predicted(case, query, usable)
            pairs = [self._pair(case, gold, found, dialect, answer) for gold in usable]
            return self._verdict(case, pairs)
        except GroundwireError as error:
            return self.unscored(
                case.id, f"The database cannot be asked: {error}", "database", case
            )

    def unscored(self, id: str, why: str, mark: Mark, case: Case | None = None) -> Scored:
        """No value for any metric, and why."""
        return Scored(id, dict.fromkeys(self.metrics), why, mark, case)

    def _predicted(self, case: Case, query: str, golds: list[Outcome]) -> Outcome:
        for gold in golds:
            if gold.query.strip() == query.strip():
                return gold
        return self.databases.recall(case.database, query)

    def _pair(self, case: Case, gold: Outcome, found: Outcome, dialect: str, answer: str) -> Pair:
        same_text = gold.query.strip() == found.query.strip()
        return Pair(
            case=case,
            gold=gold,
            prediction=gold if same_text else found,
            dialect=dialect,
            run=lambda text: self.databases.run(case.database, text),
            copies=lambda: self.databases.copies(case.database),
            judge=self.judge,
            answer=answer,
        )

    def _verdict(self, case: Case, pairs: list[Pair]) -> Scored:
        """Each metric by the gold that it likes best."""
        values = {
            name: _best(_value(name, metric, pair) for pair in pairs)
            for name, metric in self.metrics.items()
        }
        return Scored(case.id, values, explain(pairs), case=case)

    def _unanswerable(self, case: Case, query: str) -> Scored:
        right = float(not query.strip())
        kept = {"both_empty", "ordered"} | OF_EVERY_PREDICTION | NEEDS_COPIES
        values = {
            name: right if applies(name, case) and name not in kept else None
            for name in self.metrics
        }
        given = "No query was given" if right else "A query was given"
        return Scored(case.id, values, f"{given}; the question cannot be answered.", case=case)


def score_all(
    scorer: Scorer,
    cases: Iterable[Case | Malformed],
    predictions: Iterable[Prediction | Malformed],
) -> Iterator[Scored]:
    """A verdict for every case, in order, then one for every line of predictions that fits none.

    A case without a prediction is scored as an empty one.

    Raises:
        UsageError: there is no case.
    """
    answers: dict[str, Prediction | Malformed] = {}
    stray: list[Malformed] = []
    for prediction in predictions:
        before = answers.get(prediction.id)
        if isinstance(prediction, Malformed) and (not prediction.id or before is not None):
            stray.append(prediction)
            continue
        if isinstance(before, Malformed):
            stray.append(before)
        answers[prediction.id] = prediction
    seen = False
    for case in cases:
        seen = True
        yield _score_one(scorer, case, answers)
    if not seen:
        raise UsageError("There is no case to score.")
    for line in stray:
        why = f"Line {line.number} of the predictions is not usable: {line.reason}."
        yield scorer.unscored(line.id, why, "prediction")
    for id in answers:
        yield scorer.unscored(id, "There is no case of this id.", "prediction")


def _score_one(
    scorer: Scorer, case: Case | Malformed, answers: dict[str, Prediction | Malformed]
) -> Scored:
    answer = answers.pop(case.id, None)
    if isinstance(case, Malformed):
        why = f"Line {case.number} of the cases is not usable: {case.reason}."
        return scorer.unscored(case.id, why, "case")
    if isinstance(answer, Malformed):
        scored = scorer.score(case, "")
        why = f"Line {answer.number} of the predictions is not usable: {answer.reason}."
        if scored.mark:
            return replace(scored, why=f"{scored.why} {why}")
        return replace(scored, why=why, mark="prediction")
    return scorer.score(case, answer.query, answer.answer) if answer else scorer.score(case, "")


def _value(name: str, metric: Metric, pair: Pair) -> float | None:
    if not applies(name, pair.case) or (name in NEEDS_COPIES and not pair.copies()):
        return None
    if name not in OF_EVERY_PREDICTION and not pair.prediction.whole:
        return 0.0
    return metric(pair)


def _best(values: Iterable[float | None]) -> float | None:
    return max((value for value in values if value is not None), default=None)


def _of_gold(gold: Outcome) -> str:
    if gold.error is not None:
        return f"The gold query fails: {gold.error}"
    return f"The gold query has more than {len(gold.rows):,} rows, which are too many to compare."

"""Published metrics in figures worked out by hand from their descriptions."""

from __future__ import annotations

import math
from itertools import count
from typing import Any

import pytest

from groundwire.bench.metrics.hybrid import hybrid
from groundwire.bench.metrics.r_ves import TIMES, r_ves, reward
from groundwire.bench.metrics.soft_f1 import soft_f1
from groundwire.bench.running import Outcome
from groundwire.database.result import Result
from tests.bench.rows import outcome, pair


@pytest.mark.parametrize(
    ("gold", "found", "f1"),
    [
        # Three of four cells: half a row is missing and half a row too many.
        ([("a", 1), ("b", 2)], [("a", 9), ("b", 2)], 2 * 1.5 / (2 * 1.5 + 0.5 + 0.5)),
        # Two cells of which one is right, in a row of one column: half a row too many.
        ([("a",)], [("a", "b")], 2 * 1 / (2 * 1 + 1)),
        ([("a", "b")], [("a",)], 2 * 0.5 / (2 * 0.5 + 0.5)),
        # The value stands in the row, only in another column.
        ([("a", "b")], [("b", "a")], 1.0),
        # A value that stands twice counts twice.
        ([("a", "b")], [("a", "a")], 2 * 1 / (2 * 1 + 0.5)),
        # Repeated rows are dropped before rows are put side by side.
        ([("a",), ("b",)], [("a",), ("a",), ("b",)], 1.0),
        ([("a",)], [("a",), ("b",), ("c",)], 0.5),
    ],
)
def test_soft_f1_in_figures(gold: Any, found: Any, f1: float) -> None:
    assert soft_f1(pair(gold, found)) == pytest.approx(f1)


@pytest.mark.parametrize(
    ("ratios", "earned"),
    [
        ([2.0] * 10, 1.25),
        ([1.0] * 10, 1.0),
        ([1.99] * 10, 1.0),
        ([0.5, 0.99], 0.75),
        ([0.25] * 3, 0.5),
        ([0.01] * 3, 0.25),
        ([], 0.0),
        ([1.0] * 99 + [1000.0], 1.0),
    ],
)
def test_the_reward_for_speed_goes_in_steps_without_outliers(
    ratios: list[float], earned: float
) -> None:
    assert reward(ratios) == earned


def test_the_reward_is_for_right_predictions_and_each_is_run_a_hundred_times() -> None:
    seconds = {"SELECT gold": 0.4, "SELECT prediction": 0.1}
    ran = count()

    def run(query: str) -> Outcome:
        next(ran)
        return Outcome(query, Result((), (), elapsed=seconds[query]))

    assert r_ves(pair([("a",)], [("a",)], run=run)) == pytest.approx(math.sqrt(1.25))
    assert next(ran) == 2 * TIMES
    assert r_ves(pair([("a",)], [("b",)], run=run)) == 0.0
    assert next(ran) == 2 * TIMES + 1


def test_a_prediction_that_stops_running_earns_nothing() -> None:
    assert r_ves(pair([("a",)], [("a",)], run=Outcome)) == 0.0


class Judge:
    """Says what it is told to say, and keeps what it was asked."""

    def __init__(self, verdict: bool | None) -> None:
        self.verdict = verdict
        self.asked: list[Any] = []

    def equivalent(self, pair: Any) -> bool | None:
        self.asked.append(pair)
        return self.verdict

    def quality(self, pair: Any) -> int | None:
        raise AssertionError("it is not asked for a grade")


@pytest.mark.parametrize("verdict", [True, False, None])
@pytest.mark.parametrize(
    ("gold", "found"),
    [
        ([("a", 1)], [("a", 1, "more")]),
        ([("a",)], [("a",), ("a",)]),
        ([(1,), (2,), (3,)], [(1,), (2,)]),
        ([], []),
    ],
    ids=["a column more", "a row twice", "a row less", "both empty"],
)
def test_what_is_nearly_the_same_is_left_to_the_judge(
    gold: Any, found: Any, verdict: bool | None
) -> None:
    judge = Judge(verdict)
    value = hybrid(pair(gold, found, judge=judge))
    assert value == (None if verdict is None else float(verdict))
    assert len(judge.asked) == 1
    assert hybrid(pair(gold, found)) is None


@pytest.mark.parametrize(
    ("gold", "found", "value"),
    [([("a", 1)], [(1, "a")], 1.0), ([(7,)], [(8,)], 0.0), ([(1,), (2,), (3,)], [(1,)], None)],
)
def test_what_is_clear_is_not(gold: Any, found: Any, value: float | None) -> None:
    judge = Judge(None)
    assert hybrid(pair(gold, found, judge=judge)) == value
    assert len(judge.asked) == (value is None)


def test_the_gold_itself_needs_no_judge() -> None:
    gold = outcome([])
    assert hybrid(pair(gold, gold, judge=Judge(False))) == 1.0

"""Reward-based valid efficiency, as BIRD mini-dev publishes it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean, pstdev
from time import monotonic

from groundwire.bench.metrics.bird_ex import bird_ex
from groundwire.bench.metrics.pair import Pair

__all__ = ["r_ves", "reward"]

TIMES = 100
"""Runs of both queries, as published."""

LONGEST = 60.0
"""Seconds after which no further run begins; the published script allows 3,000."""

STEPS = ((2.0, 1.25), (1.0, 1.0), (0.5, 0.75), (0.25, 0.5))
"""(least ratio of times, reward); below the last one 0.25."""


def r_ves(pair: Pair) -> float:
    """The square root of the reward for speed, from 0 to 1.118; 0 where `bird_ex` is 0.

    Source: `evaluation_ves.py` of bird-bench/mini_dev (2024). Formula: both queries run 100 times;
    the gold's time divided by the prediction's, without those three standard deviations or more
    from the mean; the mean ratio earns 1.25 from 2, 1 from 1, 0.75 from 0.5, 0.5 from 0.25, else
    0.25. The published figure is the mean of the rewards' square roots, times 100.

    **It cannot be reproduced on other hardware**, nor well on the same (bird-bench/mini_dev#11): a
    ratio near a step earns another reward each time. Ours measures execution and fetching on an
    open connection, the published script opens one for each run.
    Blind spots: those of `bird_ex`.
    """
    if not bird_ex(pair):
        return 0.0
    return math.sqrt(reward(_ratios(pair)))


def reward(ratios: Sequence[float]) -> float:
    """What ratios of the gold's time to the prediction's earn; without any, 0."""
    if not ratios:
        return 0.0
    mean, spread = fmean(ratios), pstdev(ratios)
    kept = [ratio for ratio in ratios if abs(ratio - mean) < 3 * spread] or ratios
    return next((earned for least, earned in STEPS if fmean(kept) >= least), 0.25)


def _ratios(pair: Pair) -> list[float]:
    found: list[float] = []
    until = monotonic() + LONGEST
    while len(found) < TIMES and monotonic() < until:
        prediction, gold = pair.run(pair.prediction.query), pair.run(pair.gold.query)
        if prediction.result is None or gold.result is None:
            return []
        found.append(gold.result.elapsed / max(prediction.result.elapsed, 1e-9))
    return found

"""Neither the gold nor the prediction has a row."""

from __future__ import annotations

from groundwire.bench.metrics.pair import Pair

__all__ = ["both_empty"]


def both_empty(pair: Pair) -> float:
    """1 when both ran and gave no row; else 0. Not a score: it says how many prove nothing.

    Published metrics count such a pair as right.
    """
    return float(pair.both_empty)

"""Equal rows, each as often, in any order."""

from __future__ import annotations

from groundwire.bench.comparison import same_bag
from groundwire.bench.metrics.pair import Pair

__all__ = ["multiset"]


def multiset(pair: Pair) -> float | None:
    """1 when both results hold the same rows, each as often, in any order; else 0.

    Columns are compared by place, their names do not count; numbers within the case's tolerance
    (two whole numbers exactly). None where both are empty, which decides nothing.

    Source: bag equality as SQL defines it (ISO 9075-2, 4.10: a table is a multiset of rows).
    Blind spots: right by luck on these data; a permutation of the columns is wrong here.
    """
    if pair.undecided:
        return None
    gold, found = pair.gold_table, pair.predicted_table
    same = gold.width == found.width and same_bag(gold.rows, found.rows, pair.case.tolerance)
    return float(same)

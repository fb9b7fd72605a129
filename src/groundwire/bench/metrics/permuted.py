"""Equal rows under some permutation of the columns."""

from __future__ import annotations

from groundwire.bench.metrics.pair import Pair

__all__ = ["permuted"]


def permuted(pair: Pair) -> float | None:
    """1 when some permutation of the prediction's columns gives the gold's rows; else 0.

    The same permutation for every row, each row as often, in any order. None where both are empty.

    Source: Zhong, Yu, Klein, "Semantic Evaluation for Text-to-SQL with Distilled Test Suites",
    EMNLP 2020, section 4 (columns may be permuted).
    Blind spot: two columns whose values happen to be equal can be swapped unseen.
    """
    if pair.undecided:
        return None
    same_width = pair.gold_table.width == pair.predicted_table.width
    return float(same_width and pair.has_gold_rows)

"""The gold's columns are among the prediction's."""

from __future__ import annotations

from groundwire.bench.metrics.pair import Pair

__all__ = ["superset"]


def superset(pair: Pair) -> float | None:
    """1 when some choice of the prediction's columns gives the gold's rows; else 0.

    As `permuted`, with further columns allowed. None where both are empty.

    Source: "subset" of defog's sql-eval. Blind spot: `SELECT *` passes.
    """
    return None if pair.undecided else float(pair.has_gold_rows)

"""Whether a prediction runs at all."""

from __future__ import annotations

from groundwire.bench.metrics.pair import Pair

__all__ = ["executable"]


def executable(pair: Pair) -> float:
    """1 when the database ran the prediction within the limits, else 0.

    Source: the valid SQL rate (VSR) of the SQL paper; `executable` of CypherBench
    (arXiv 2412.18702). Blind spot: says nothing about what the query gave. A prediction that was
    cut at the row limit did run.
    """
    return float(pair.prediction.result is not None)

"""Execution accuracy as BIRD publishes it."""

from __future__ import annotations

from groundwire.bench.comparison import raw_rows
from groundwire.bench.metrics.pair import Pair

__all__ = ["bird_ex"]


def bird_ex(pair: Pair) -> float:
    """1 when the sets of both results' rows are equal, else 0.

    Source: Li et al., "Can LLM Already Serve as A Database Interface? A BIg Bench for Large-Scale
    Database Grounded Text-to-SQLs", NeurIPS 2023; `evaluation_ex.py` of bird-bench/mini_dev.
    Formula: `set(rows) == set(rows)` on the driver's own values.

    Blind spots, all kept: a row that a join multiplied counts once; the order of the rows never
    counts; two empty results are right. Too strict: columns in another order, 0.1 + 0.2 and 0.3.
    """
    return float(set(raw_rows(pair.gold)) == set(raw_rows(pair.prediction)))

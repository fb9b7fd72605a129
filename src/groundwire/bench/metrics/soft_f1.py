"""Soft F1 as BIRD mini-dev publishes it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from groundwire.bench.comparison import Row, raw_rows
from groundwire.bench.metrics.pair import Pair

__all__ = ["soft_f1"]


def soft_f1(pair: Pair) -> float:
    """The F1 of cells, row by row, from 0 to 1.

    Source: `evaluation_f1.py` of bird-bench/mini_dev (2024). Formula: both results without
    repeated rows; the i-th row of one is put beside the i-th of the other. Of a pair of rows with
    a gold of n columns: predicted cells that stand anywhere in the gold's row, predicted cells
    that do not, and gold's cells that do not stand in the prediction's, each divided by n; a row
    without a partner counts 1 as too many or as missing. F1 of their sums. Both empty = 1.

    Blind spots, all kept: the same rows in another order can score 0, and so does a result whose
    first row is missing; repeated rows never count; a value under the wrong column counts.
    """
    gold, found = _once(raw_rows(pair.gold)), _once(raw_rows(pair.prediction))
    if not gold and not found:
        return 1.0
    hits = extra = missing = 0.0
    for wanted, row in zip_longest(gold, found):
        if row is None:
            missing += 1
        elif wanted is None:
            extra += 1
        else:
            hits += sum(value in wanted for value in row) / len(wanted)
            extra += sum(value not in wanted for value in row) / len(wanted)
            missing += sum(value not in row for value in wanted) / len(wanted)
    # The harmonic mean of hits / (hits + extra) and hits / (hits + missing).
    return 2 * hits / (2 * hits + extra + missing)


def _once(rows: Sequence[Row]) -> list[Row]:
    """The rows in order, each once."""
    return list(dict.fromkeys(rows))

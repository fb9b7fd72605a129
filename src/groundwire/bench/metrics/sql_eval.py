"""Whether the gold's columns are in the result, as defog's sql-eval has it."""

from __future__ import annotations

from groundwire.bench.comparison import Row, Table, same_bag
from groundwire.bench.metrics.pair import Pair
from groundwire.bench.metrics.sql_eval_exact import sql_eval_exact

__all__ = ["sql_eval"]

TOLERANCE = 1e-5
"""The relative tolerance with which pandas compares fractions."""


def sql_eval(pair: Pair) -> float:
    """1 when `sql_eval_exact` is, or when columns of the prediction hold the gold's rows; else 0.

    Source: "correct" of defog-ai/sql-eval (`eval/eval.py`, `subset_df`). Formula: for each column
    of the gold the first column of the prediction with the same values, each as often; then the
    rows under this choice, repeated ones dropped, in any order.

    Blind spots, kept: `SELECT *` passes; where the first column that fits belongs elsewhere, a
    right result is wrong; an empty gold matches an empty prediction.
    """
    if sql_eval_exact(pair):
        return 1.0
    gold, found = pair.gold_table, pair.predicted_table
    if not gold.rows:
        return 0.0
    chosen: list[int] = []
    for place in range(gold.width):
        column = gold.choose([place]).rows
        fitting = (
            other
            for other in range(found.width)
            if other not in chosen and same_bag(column, found.choose([other]).rows, TOLERANCE)
        )
        first = next(fitting, None)
        if first is None:
            return 0.0
        chosen.append(first)
    return float(same_bag(_once(gold), _once(found.choose(chosen)), TOLERANCE))


def _once(table: Table) -> list[Row]:
    return list(dict.fromkeys(table.rows))

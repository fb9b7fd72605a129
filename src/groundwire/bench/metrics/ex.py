"""Execution accuracy as it should be: the one verdict of the headline."""

from __future__ import annotations

from groundwire.bench.comparison import in_order, selections
from groundwire.bench.metrics.pair import Pair

__all__ = ["ex"]


def ex(pair: Pair) -> float | None:
    """1 when the prediction answers the question as the gold does; else 0.

    The gold's rows, each as often, under one permutation of the columns, whatever their names;
    in the gold's order where the case (not a query's text) says that order matters, ties apart;
    fractions within the case's tolerance. None where both are empty, which decides nothing.

    It corrects the execution accuracy of BIRD (duplicates, order, permuted columns, rounding),
    of Spider's test suite (order by text, rounding) and of CypherBench (both, and types).
    Blind spots: right by luck on these data (see `test_suite`); a gold that is itself wrong.
    """
    if pair.undecided:
        return None
    gold, found, case = pair.gold_table, pair.predicted_table, pair.case
    if gold.width != found.width or not pair.has_gold_rows:
        return 0.0
    if not case.order_matters:
        return 1.0
    return float(
        any(
            in_order(gold.rows, found.choose(chosen).rows, pair.order_keys, case.tolerance)
            for chosen in selections(gold, found, case.tolerance)
        )
    )

"""Equal rows in the order that the question asks for."""

from __future__ import annotations

from groundwire.bench.comparison import in_order
from groundwire.bench.metrics.pair import Pair

__all__ = ["ordered"]


def ordered(pair: Pair) -> float | None:
    """1 when both results hold the same rows in the gold's order; else 0.

    Only where the case says that order matters: an ORDER BY in the text of a gold is no evidence
    of it (it may serve a LIMIT). Rows that are equal in the columns ordered by may change places.
    None where order does not matter, or both are empty.

    Source: ours; the published scorers take the order for asked where the gold holds `order by`.
    Blind spot: where the order's columns are not in the gold's result, every row must stand in
    its place, ties included.
    """
    if not pair.case.order_matters or pair.undecided:
        return None
    gold, found = pair.gold_table, pair.predicted_table
    if gold.width != found.width:
        return 0.0
    return float(in_order(gold.rows, found.rows, pair.order_keys, pair.case.tolerance))

"""How much of the answer is there."""

from __future__ import annotations

from groundwire.bench.comparison import loose, overlap, table
from groundwire.bench.metrics.pair import Pair

__all__ = ["partial"]


def partial(pair: Pair) -> float | None:
    """The F1 of the cells that agree, from 0 to 1; None where both are empty.

    Source: the partial-match scoring that the SQL paper (Rao, Swarnakar, Syed, "An Iterative
    LangGraph Agent for Text-to-SQL") asks for beside its hybrid metric; it gives no formula. Ours:
    columns are paired by the values that they share, whatever their names and places, then rows,
    each at most once, most equal cells first; twice the equal cells, divided by the cells of both
    results. Values compare as in `hybrid`. 1 exactly where the rows are the same.

    Blind spots: the order of the rows; of columns that share values with several others the pair
    that is taken need not be the best one; a value that is equal by chance counts.
    """
    if pair.both_empty:
        return 1.0 if pair.same_text else None
    gold = table(pair.gold.rows, len(pair.gold.columns), loose)
    found = table(pair.prediction.rows, len(pair.prediction.columns), loose)
    return overlap(gold, found, pair.case.tolerance)

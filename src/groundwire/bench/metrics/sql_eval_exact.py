"""Whether two results are the same tables of named columns, as defog's sql-eval has it."""

from __future__ import annotations

from groundwire.bench.comparison import Row, raw_rows
from groundwire.bench.metrics.pair import Pair
from groundwire.bench.running import Outcome

__all__ = ["sql_eval_exact"]


def sql_eval_exact(pair: Pair) -> float:
    """1 when both results hold the same rows once columns are sorted by name, else 0.

    Source: "exact match" of defog-ai/sql-eval (`eval/eval.py`, `compare_df`). Formula: repeated
    rows are dropped, columns sorted by their names, rows sorted, values compared without
    tolerance.

    Blind spots, kept: a row that a join multiplied counts once; another alias can sort a column
    elsewhere, which is wrong; both empty is right. Not kept: the words "order", "sort", "arrange"
    in a question make the published script sort rows by some columns only; NULLs in a column of
    numbers never match there.
    """
    return float(
        len(pair.gold.columns) == len(pair.prediction.columns)
        and _by_name(pair.gold) == _by_name(pair.prediction)
    )


def _by_name(outcome: Outcome) -> set[Row]:
    """The different rows, their columns sorted by name."""
    places = sorted(range(len(outcome.columns)), key=lambda place: outcome.columns[place])
    return {tuple(row[place] for place in places) for row in raw_rows(outcome)}

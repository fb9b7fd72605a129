"""One sentence for a person: why a prediction is right or wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from groundwire.bench.comparison import Number, Row, Table
from groundwire.bench.metrics.ex import ex
from groundwire.bench.metrics.pair import Pair
from groundwire.bench.metrics.permuted import permuted
from groundwire.bench.metrics.superset import superset
from groundwire.counted import counted
from groundwire.database.values import to_json

__all__ = ["explain"]

SHOWN = 120
"""Characters of a row that are shown."""


def explain(pairs: Sequence[Pair]) -> str:
    """Of the gold that comes nearest to the prediction, of several accepted ones."""
    return min((_verdict(pair) for pair in pairs), key=lambda verdict: verdict[0])[1]


def _verdict(pair: Pair) -> tuple[int, str]:
    """How far from right, and the sentence."""
    outcome = pair.prediction
    if not outcome.query.strip():
        return 9, "There is no prediction."
    if outcome.error is not None:
        return 9, f"The prediction fails: {outcome.error}"
    if not outcome.whole:
        return 9, f"The prediction has more than {len(outcome.rows):,} rows: it was not compared."
    if pair.same_text:
        return 0, "The prediction is the gold query."
    if pair.both_empty:
        return 2, "Both are empty, which proves nothing."
    return _compared(pair)


def _compared(pair: Pair) -> tuple[int, str]:
    if ex(pair):
        return 1, "The rows are the same."
    if permuted(pair):
        return 3, "The rows are the same, in another order than the question asks for."
    if superset(pair):
        return 4, "The rows are the same beside columns that the gold does not return."
    return 5, _difference(pair.gold_table, pair.predicted_table)


def _difference(gold: Table, found: Table) -> str:
    sizes = f"The prediction has {_size(found)}, the gold {_size(gold)}."
    if gold.width != found.width:
        return sizes
    if set(gold.rows) == set(found.rows):
        return f"The same different rows, but not as often. {sizes}"
    missing, extra = (
        Counter(gold.rows) - Counter(found.rows),
        Counter(found.rows) - Counter(gold.rows),
    )
    shown = [
        f"{sum(rows.values()):,} {what}, such as {_row(next(iter(rows)))}."
        for rows, what in ((missing, "missing"), (extra, "too many"))
        if rows
    ]
    return " ".join([sizes, *shown])


def _size(table: Table) -> str:
    return f"{counted(len(table.rows), 'row')} of {counted(table.width, 'column')}"


def _row(row: Row) -> str:
    text = str(tuple(_shown(value) for value in row))
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"


def _shown(value: object) -> object:
    """A comparable value for a person: what a tuple holds behind its kind."""
    if isinstance(value, Number):
        return value.value
    if not isinstance(value, tuple):
        return value
    kind, *parts = value
    if kind == "list":
        return [_shown(part) for part in parts]
    if kind == "map":
        return {key: _shown(part) for key, part in parts}
    if kind == "entity":
        return " ".join(map(str, parts))
    return to_json(parts[0]) if parts else kind

"""Equal results as JSON, to the letter."""

from __future__ import annotations

import json

from groundwire.bench.metrics.pair import Pair
from groundwire.database.values import to_json

__all__ = ["json_match"]


def json_match(pair: Pair) -> float | None:
    """1 when both results are the same JSON text: names, order of columns and rows, values; else 0.

    A result is a list of objects, one a row, with the columns' names as keys. None where both are
    empty, which decides nothing.

    Source: the strictest reading of "exact match of results" in the Text2Cypher evaluation
    (Ozsoy et al., arXiv 2412.10064). Blind spots: every alias, every order and every rounding that
    the question leaves open counts as wrong, so it is a lower bound of accuracy.
    """
    if pair.undecided:
        return None
    texts = {
        json.dumps(
            [dict(zip(outcome.columns, map(to_json, row), strict=True)) for row in outcome.rows]
        )
        for outcome in (pair.gold, pair.prediction)
    }
    return float(len(texts) == 1)

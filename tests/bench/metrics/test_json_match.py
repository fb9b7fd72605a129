"""Equal results as JSON, to the letter."""

from __future__ import annotations

from typing import Any

import pytest

from groundwire.bench.case import Case
from groundwire.bench.metrics import OPTIONAL, Pair
from groundwire.bench.metrics.json_match import json_match
from groundwire.bench.running import Outcome
from groundwire.database import Result
from groundwire.database.result import ResultColumn

ROWS = ((1, "a"), (2, "b"))


def pair(names: str, rows: tuple[tuple[Any, ...], ...], query: str = "other") -> Pair:
    """The gold's columns are x and y."""
    gold, found = (
        Outcome(text, Result(tuple(ResultColumn(name, "ANY") for name in columns.split()), each))
        for text, columns, each in (("gold", "x y", ROWS), (query, names, rows))
    )
    return Pair(Case("1", "g", "cypher", "?", ("gold",)), gold, found)


def test_it_is_asked_for_by_name() -> None:
    assert OPTIONAL["json_match"] is json_match


@pytest.mark.parametrize(
    ("names", "rows", "expected"),
    [
        ("x y", ROWS, 1),
        ("x z", ROWS, 0),
        ("y x", (("a", 1), ("b", 2)), 0),
        ("x y", ROWS[::-1], 0),
        ("x y", ((1.0, "a"), (2, "b")), 0),
        ("x y", (), 0),
    ],
)
def test_everything_counts(names: str, rows: tuple[tuple[Any, ...], ...], expected: float) -> None:
    assert json_match(pair(names, rows)) == expected


def test_two_empty_results_decide_nothing() -> None:
    found = pair("x y", ())
    empty = Outcome("gold", Result(found.gold.result.columns, ()))  # type: ignore[union-attr]
    assert json_match(Pair(found.case, empty, found.prediction)) is None

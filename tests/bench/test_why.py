"""The sentence beside a verdict."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from groundwire.bench.metrics import Pair
from groundwire.bench.running import Outcome
from groundwire.bench.why import SHOWN, explain
from groundwire.database.graph_values import Node
from groundwire.errors import QueryError
from tests.bench.rows import CASE, outcome, pair

ORDERED = replace(CASE, order_matters=True)
GOLD = outcome([("a", 1), ("b", 2)], query="SELECT gold")


@pytest.mark.parametrize(
    ("gold", "found", "case", "sentence"),
    [
        ([(1,)], [(1,)], CASE, "The rows are the same."),
        ([(1, "a")], [("a", 1)], CASE, "The rows are the same."),
        ([], [], CASE, "Both are empty, which proves nothing."),
        (
            [(1,), (2,)],
            [(2,), (1,)],
            ORDERED,
            "The rows are the same, in another order than the question asks for.",
        ),
        (
            [(1,)],
            [(1, "more")],
            CASE,
            "The rows are the same beside columns that the gold does not return.",
        ),
        (
            [(1, 2)],
            [(1,)],
            CASE,
            "The prediction has 1 row of 1 column, the gold 1 row of 2 columns.",
        ),
        (
            [(1,), (1,)],
            [(1,)],
            CASE,
            "The same different rows, but not as often."
            " The prediction has 1 row of 1 column, the gold 2 rows of 1 column.",
        ),
        (
            [("a",), ("b",)],
            [("a",), ("c",), ("d",)],
            CASE,
            "The prediction has 3 rows of 1 column, the gold 2 rows of 1 column."
            " 1 missing, such as ('b',). 2 too many, such as ('c',).",
        ),
        (
            [(Decimal("1.50"), None, date(2020, 1, 31), True)],
            [],
            CASE,
            "The prediction has 0 rows of 1 column, the gold 1 row of 4 columns.",
        ),
    ],
)
def test_the_difference_is_said(gold: Any, found: Any, case: Any, sentence: str) -> None:
    assert explain([pair(gold, found, case)]) == sentence


def test_values_of_every_kind_are_shown_as_they_are() -> None:
    row = (
        Decimal("1.50"),
        None,
        True,
        float("nan"),
        date(2020, 1, 31),
        b"\x00",
        [1, [2]],
        {"a": 1},
        Node("n1", ("A",), {}),
    )
    said = explain([pair([row], [(2,) * 9])])
    assert (
        "such as (1.5, None, True, 'nan', '2020-01-31', '\\\\x00', [1, [2]], {'a': 1}, 'Node n1')."
    ) in said


def test_a_long_row_is_cut() -> None:
    said = explain([pair([("x" * 1000,)], [("y",)])])
    assert len(said) < 3 * SHOWN
    assert "…" in said


@pytest.mark.parametrize(
    ("prediction", "sentence"),
    [
        (GOLD, "The prediction is the gold query."),
        (Outcome(""), "There is no prediction."),
        (
            Outcome("SELECT x", error=QueryError("no such column: x")),
            "The prediction fails: no such column: x",
        ),
        (
            outcome([(1,)], query="SELECT x", truncated=True),
            "The prediction has more than 1 rows: it was not compared.",
        ),
    ],
)
def test_a_prediction_that_cannot_be_compared(prediction: Outcome, sentence: str) -> None:
    assert explain([Pair(CASE, GOLD, prediction)]) == sentence


def test_of_several_golds_the_nearest_one_is_explained() -> None:
    found = outcome([("a",)], query="SELECT prediction")
    far, near = outcome([("z",)], query="SELECT far"), outcome([("a",)], query="SELECT near")
    assert explain([pair(far, found), pair(near, found)]) == "The rows are the same."

"""What holds for every metric, whatever the results are."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.bench.metrics import METRICS, OPTIONAL, Metric, Pair, choose
from groundwire.errors import UsageError
from tests.bench.rows import CASE, outcome, pair, quick, tables

ORDER_ASIDE = ("multiset", "permuted", "superset", "hybrid", "partial", "bird_ex", "sql_eval", "ex")
COLUMNS_ASIDE = ("permuted", "superset", "hybrid", "partial", "ex")
BOTH_WAYS = ("multiset", "permuted", "both_empty", "bird_ex", "sql_eval_exact", "ex")
KNOWN: dict[str, Metric] = METRICS | OPTIONAL
OF_ROWS = [
    "executable", "multiset", "permuted", "superset", "both_empty", "hybrid", "partial",
    "bird_ex", "soft_f1", "sql_eval", "sql_eval_exact", "ex",
]  # fmt: skip

few = st.sampled_from([None, 0, 1, 1.0, 1.0000001, True, "a", "1", (1,), "2020-01-01"])
small = tables(cells=few)


@quick
@given(tables())
def test_gold_as_prediction_is_right_to_every_metric(rows: list[tuple[Any, ...]]) -> None:
    gold = outcome(rows)
    for name in OF_ROWS:
        if name != "both_empty":
            assert KNOWN[name](Pair(CASE, gold, gold)) == 1.0, name


@quick
@given(tables(least=1))
def test_the_same_rows_of_another_query_are_right(rows: list[tuple[Any, ...]]) -> None:
    case = replace(CASE, order_matters=True)
    made = pair(outcome(rows), outcome(list(rows), query="SELECT prediction"), case)
    for name in ("multiset", "ordered", "permuted", "superset", "hybrid", "partial", "ex"):
        assert KNOWN[name](made) == 1.0, name


@quick
@given(small, small)
def test_a_value_is_between_0_and_1(
    gold: list[tuple[Any, ...]], found: list[tuple[Any, ...]]
) -> None:
    made = pair(gold, found)
    for name in OF_ROWS:
        value = KNOWN[name](made)
        assert value is None or 0.0 <= value <= 1.0, name


@quick
@given(small, small)
def test_who_is_compared_with_whom_does_not_matter(
    gold: list[tuple[Any, ...]], found: list[tuple[Any, ...]]
) -> None:
    for name in BOTH_WAYS:
        assert KNOWN[name](pair(gold, found)) == KNOWN[name](pair(found, gold)), name


@quick
@given(small, small, st.randoms())
def test_the_order_of_rows_does_not_matter(
    gold: list[tuple[Any, ...]], found: list[tuple[Any, ...]], shuffle: random.Random
) -> None:
    shuffled = shuffle.sample(found, len(found))
    for name in ORDER_ASIDE:
        assert KNOWN[name](pair(gold, found)) == KNOWN[name](pair(gold, shuffled)), name


@quick
@given(tables(least=1), st.randoms())
def test_the_order_of_columns_does_not_matter_where_that_is_promised(
    rows: list[tuple[Any, ...]], shuffle: random.Random
) -> None:
    order = shuffle.sample(range(len(rows[0])), len(rows[0]))
    found = [tuple(row[place] for place in order) for row in shuffle.sample(rows, len(rows))]
    for name in COLUMNS_ASIDE:
        assert KNOWN[name](pair(rows, found)) == 1.0, name


@quick
@given(small, small)
def test_a_stricter_metric_that_says_right_binds_the_laxer_ones(
    gold: list[tuple[Any, ...]], found: list[tuple[Any, ...]]
) -> None:
    made = pair(gold, found, replace(CASE, order_matters=True))
    ladder = [KNOWN[name](made) for name in ("multiset", "permuted", "superset")]
    assert ladder == sorted(ladder, key=lambda value: -1 if value is None else value)
    if KNOWN["ordered"](made):
        assert KNOWN["multiset"](made) == KNOWN["ex"](made) == 1.0
    if KNOWN["permuted"](made):
        assert KNOWN["superset"](made) == 1.0
    if KNOWN["ex"](made):
        assert KNOWN["permuted"](made) == 1.0


@quick
@given(small, small)
def test_the_verdict_is_the_permuted_one_where_order_does_not_matter(
    gold: list[tuple[Any, ...]], found: list[tuple[Any, ...]]
) -> None:
    made = pair(gold, found)
    assert KNOWN["ex"](made) == KNOWN["permuted"](made)


@quick
@given(tables(least=1))
def test_a_row_more_or_less_is_wrong(rows: list[tuple[Any, ...]]) -> None:
    for found in ([*rows, rows[-1]], rows[1:]):
        for name in ("multiset", "permuted", "superset", "ex"):
            assert KNOWN[name](pair(rows, found)) == 0.0, name
        if found:
            share = KNOWN["partial"](pair(rows, found))
            assert share is not None
            assert 0.0 < share < 1.0


@quick
@given(tables(least=1), st.randoms())
def test_further_columns_pass_the_superset_alone(
    rows: list[tuple[Any, ...]], shuffle: random.Random
) -> None:
    found = [(object_number, *row) for object_number, row in enumerate(rows, 10**6)]
    assert KNOWN["superset"](pair(rows, found)) == 1.0
    assert KNOWN["permuted"](pair(rows, found)) == 0.0


def test_a_tolerance_is_the_cases_own() -> None:
    wide = replace(CASE, tolerance=0.01)
    none = replace(CASE, tolerance=0.0)
    assert KNOWN["ex"](pair([(41.33,)], [(41.3333,)], wide)) == 1.0
    assert KNOWN["ex"](pair([(41.33,)], [(41.3333,)])) == 0.0
    assert KNOWN["ex"](pair([(0.3,)], [(0.1 + 0.2,)], none)) == 0.0


def test_metrics_are_chosen_by_name() -> None:
    assert list(choose("ex, multiset")) == ["ex", "multiset"]
    assert choose() == METRICS
    with pytest.raises(UsageError, match="no metric 'accuracy'"):
        choose("accuracy")


def test_the_keys_of_the_output_are_these_in_this_order() -> None:
    assert list(METRICS) == [
        "executable", "multiset", "ordered", "permuted", "superset", "both_empty", "hybrid",
        "partial", "cypherbench_ex", "psjs", "bird_ex", "soft_f1", "test_suite",
    ]  # fmt: skip


@pytest.mark.parametrize("name", sorted(METRICS | OPTIONAL))
def test_every_metric_says_where_it_comes_from_and_what_it_does_not_see(name: str) -> None:
    text = (KNOWN[name].__doc__ or "").lower()
    assert name == KNOWN[name].__name__
    assert name == "both_empty" or ("source" in text or "corrects" in text), name
    assert name == "both_empty" or "blind" in text, name

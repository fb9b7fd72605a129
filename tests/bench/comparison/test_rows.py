"""Bags of rows, rows in order, choices of columns, and how far two results agree."""

from __future__ import annotations

import random
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.bench.comparison import (
    Table,
    in_order,
    overlap,
    same_bag,
    same_row,
    selections,
    table,
)
from tests.bench.rows import quick, tables

few = st.sampled_from([None, 0, 1, 1.0, 1.0000001, 1.0000009, 1.0000018, 2, "a", "b"])
"""So few values that rows repeat."""

small = tables(cells=few)


def made(rows: list[tuple[Any, ...]]) -> Table:
    return table(rows, len(rows[0]) if rows else 1)


@quick
@given(tables(), st.randoms())
def test_a_bag_has_no_order(rows: list[tuple[Any, ...]], shuffle: random.Random) -> None:
    other = shuffle.sample(rows, len(rows))
    assert same_bag(made(rows).rows, made(other).rows, 1e-6)


@quick
@given(small, small, st.sampled_from([0.0, 1e-6]))
def test_sameness_of_bags_has_no_direction(
    left: list[tuple[Any, ...]], right: list[tuple[Any, ...]], tolerance: float
) -> None:
    a, b = made(left).rows, made(right).rows
    assert same_bag(a, b, tolerance) == same_bag(b, a, tolerance)


@quick
@given(small, small)
def test_bags_are_equal_where_some_order_of_the_rows_is(
    left: list[tuple[Any, ...]], right: list[tuple[Any, ...]]
) -> None:
    a, b = made(left).rows, made(right).rows[:5]
    by_trying = any(
        len(a) == len(order) and all(same_row(x, y, 1e-6) for x, y in zip(a, order, strict=True))
        for order in permutations(b)
    )
    assert same_bag(a, b, 1e-6) == by_trying


@quick
@given(tables(least=1))
def test_one_row_more_is_another_bag(rows: list[tuple[Any, ...]]) -> None:
    assert not same_bag(made(rows).rows, made([*rows, rows[0]]).rows, 0.5)


def test_rows_within_the_tolerance_are_paired_even_where_sorting_does_not() -> None:
    left = made([(1.0, 2.0), (1.0000005, 1.0)]).rows
    right = made([(1.0000006, 2.0), (1.0, 1.0)]).rows
    assert same_bag(left, right, 1e-6)


def test_a_pairing_that_is_not_there_is_not_found() -> None:
    left = made([(1.0,), (1.0000009,)]).rows
    right = made([(1.0000018,), (1.0000009,)]).rows
    assert same_bag(left, right, 1e-6)
    assert not same_bag(made([(1.0,), (1.0,)]).rows, right, 1e-6)


@quick
@given(small, st.randoms())
def test_a_choice_of_columns_is_found_whatever_their_order(
    rows: list[tuple[Any, ...]], shuffle: random.Random
) -> None:
    gold = made(rows)
    order = shuffle.sample(range(gold.width), gold.width)
    other = gold.choose(order)
    shuffled = Table(tuple(shuffle.sample(other.rows, len(other.rows))), other.width)
    chosen = next(selections(gold, shuffled, 1e-6), None)
    assert chosen is not None
    assert same_bag(gold.rows, shuffled.choose(chosen).rows, 1e-6)


@quick
@given(small, small)
def test_the_choices_are_those_that_trying_all_finds(
    left: list[tuple[Any, ...]], right: list[tuple[Any, ...]]
) -> None:
    gold, other = made(left), made(right)
    by_trying = len(gold.rows) == len(other.rows) and any(
        same_bag(gold.rows, other.choose(places).rows, 1e-6)
        for places in permutations(range(other.width), gold.width)
    )
    assert any(True for _ in selections(gold, other, 1e-6)) == by_trying


def test_wide_tables_are_compared_in_time() -> None:
    rows = [tuple((i * place) % 3 for place in range(1, 13)) for i in range(40)]
    gold = made(rows)
    other = gold.choose(list(reversed(range(gold.width))))
    assert next(selections(gold, other, 1e-6), None) is not None


@quick
@given(small)
def test_rows_in_their_own_order_are_in_order(rows: list[tuple[Any, ...]]) -> None:
    gold = made(rows)
    assert in_order(gold.rows, gold.rows, None, 0.0)
    assert in_order(gold.rows, gold.rows, range(gold.width), 0.0)


@pytest.mark.parametrize(
    ("found", "keys", "right"),
    [
        ([("a", 1), ("b", 1), ("c", 2)], [1], True),
        ([("b", 1), ("a", 1), ("c", 2)], [1], True),
        ([("b", 1), ("a", 1), ("c", 2)], None, False),
        ([("b", 1), ("a", 1), ("c", 2)], [0], False),
        ([("a", 1), ("c", 2), ("b", 1)], [1], False),
        ([("a", 1), ("b", 1)], [1], False),
        ([("a", 1), ("a", 1), ("c", 2)], [1], False),
    ],
)
def test_rows_equal_in_the_keys_may_change_places(
    found: list[tuple[Any, ...]], keys: list[int] | None, right: bool
) -> None:
    gold = made([("a", 1), ("b", 1), ("c", 2)]).rows
    assert in_order(gold, made(found).rows, keys, 1e-6) == right


@quick
@given(small, small)
def test_agreement_is_a_share_and_all_of_it_means_the_same(
    left: list[tuple[Any, ...]], right: list[tuple[Any, ...]]
) -> None:
    gold, other = made(left), made(right)
    share = overlap(gold, other, 0.0)
    assert 0.0 <= share <= 1.0
    equal = gold.width == other.width and any(True for _ in selections(gold, other, 0.0))
    assert (share == 1.0) == (equal and bool(gold.rows))


@quick
@given(tables(least=1), st.randoms())
def test_agreement_does_not_see_the_order_of_rows_and_columns(
    rows: list[tuple[Any, ...]], shuffle: random.Random
) -> None:
    gold = made(rows)
    order = shuffle.sample(range(gold.width), gold.width)
    other = gold.choose(order)
    shuffled = Table(tuple(shuffle.sample(other.rows, len(other.rows))), other.width)
    assert overlap(gold, shuffled, 1e-6) == 1.0


@quick
@given(small, small, st.randoms())
def test_agreement_is_the_same_for_shuffled_rows(
    left: list[tuple[Any, ...]], right: list[tuple[Any, ...]], shuffle: random.Random
) -> None:
    other = shuffle.sample(right, len(right))
    assert overlap(made(left), made(right), 1e-6) == overlap(made(left), made(other), 1e-6)


@pytest.mark.parametrize(
    ("left", "right", "share"),
    [
        ([("a", 1)], [("a", 2)], 0.5),
        ([("a", 1)], [("b", 2)], 0.0),
        ([("a",)] * 3, [("a",)], 0.5),
        ([("a", 1), ("b", 2)], [("a", 2), ("b", 1)], 0.5),
        ([("a", 1), ("b", 2)], [("a",), ("b",)], 2 / 3),
        ([("a",), ("b",)], [(7, "a"), (8, "b")], 2 / 3),
        ([(0.3,)], [(0.1 + 0.2,)], 1.0),
        ([([0.3],)], [([0.1 + 0.2],)], 1.0),
    ],
)
def test_agreement_in_figures(left: Any, right: Any, share: float) -> None:
    assert overlap(made(left), made(right), 1e-6) == pytest.approx(share)


def test_large_results_that_differ_are_compared_in_time() -> None:
    left = table([(i, i % 7, f"x{i % 100}") for i in range(6_000)], 3)
    right = table([(i + 1, i % 5, f"x{i % 90}") for i in range(6_000)], 3)
    assert 0.0 < overlap(left, right, 1e-6) < 1.0

"""Intervals and paired tests against values known from elsewhere."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.bench.statistics import difference, estimate, mcnemar

SHARES = st.lists(st.sampled_from([0.0, 1.0]), min_size=1, max_size=60)
MEANS = st.lists(st.floats(0, 1), min_size=2, max_size=30)


def test_wilsons_interval_is_the_one_of_the_textbook() -> None:
    # 81 of 263: Agresti and Coull, Am. Stat. 52 (1998), give 0.2553 to 0.3662 by the same formula.
    found = estimate([1.0] * 81 + [0.0] * 182)
    assert found is not None
    assert (found.mean, found.low, found.high) == pytest.approx((0.3080, 0.2553, 0.3662), abs=1e-4)


def test_ten_of_ten_right_does_not_prove_that_all_are() -> None:
    found = estimate([1.0] * 10)
    assert found is not None
    assert found.high == 1.0
    assert found.low == pytest.approx(0.7225, abs=1e-4)


def test_no_value_has_no_estimate() -> None:
    assert estimate([]) is None
    assert difference([], []) is None


@given(SHARES | MEANS)
def test_the_mean_lies_in_its_interval_and_the_seed_decides(values: list[float]) -> None:
    found = estimate(values)
    assert found is not None
    assert found.low - 1e-9 <= found.mean <= found.high + 1e-9
    assert found == estimate(values)


@given(MEANS)
def test_nothing_differs_from_itself(values: list[float]) -> None:
    found = difference(values, values)
    assert found is not None
    assert found.mean == found.low == found.high == 0.0


def test_a_gain_in_every_case_is_a_gain() -> None:
    found = difference([0.0] * 30, [1.0] * 15 + [0.5] * 15)
    assert found is not None
    assert 0.5 < found.low < found.mean == 0.75 < found.high < 1.0


@pytest.mark.parametrize(
    ("gained", "lost", "p"),
    [(0, 0, 1.0), (1, 0, 1.0), (5, 0, 0.0625), (10, 2, 0.038574), (6, 6, 1.0), (2, 10, 0.038574)],
)
def test_mcnemar_is_a_fair_coin(gained: int, lost: int, p: float) -> None:
    first = [False] * gained + [True] * lost + [True, False]
    second = [True] * gained + [False] * lost + [True, False]
    found = mcnemar(first, second)
    assert (found.gained, found.lost) == (gained, lost)
    assert found.p == pytest.approx(p, abs=1e-6)


def test_pairs_of_different_length_are_an_error() -> None:
    with pytest.raises(ValueError, match="zip"):
        difference([1.0], [1.0, 0.0])
    with pytest.raises(ValueError, match="zip"):
        mcnemar([True], [])

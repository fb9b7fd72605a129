"""When two values are the same."""

from __future__ import annotations

import math
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.bench.case import TOLERANCE
from groundwire.bench.comparison import Number, loose, mask, same, strict
from groundwire.database.graph_values import Node, Path, Point, Relationship
from groundwire.database.values import Interval
from tests.bench.rows import quick, values

EAST = timezone(timedelta(hours=2))


def equal(left: Any, right: Any, tolerance: float = TOLERANCE) -> bool:
    return same(strict(left), strict(right), tolerance)


def alike(left: Any, right: Any, tolerance: float = TOLERANCE) -> bool:
    return same(loose(left), loose(right), tolerance)


@quick
@given(values)
def test_a_value_is_itself_and_can_be_hashed(value: Any) -> None:
    for convert in (strict, loose):
        form = convert(value)
        assert same(form, convert(value), 0.0)
        assert hash(form) == hash(convert(value))


@quick
@given(values, values, st.sampled_from([0.0, 1e-9, 1e-6, 0.01]))
def test_sameness_has_no_direction(left: Any, right: Any, tolerance: float) -> None:
    assert equal(left, right, tolerance) == equal(right, left, tolerance)
    assert alike(left, right, tolerance) == alike(right, left, tolerance)


@quick
@given(values, values)
def test_a_wider_tolerance_takes_nothing_back(left: Any, right: Any) -> None:
    assert not equal(left, right, 1e-9) or equal(left, right, 1e-3)


@quick
@given(values, values)
def test_what_is_equal_has_one_hash_and_one_mask(left: Any, right: Any) -> None:
    a, b = strict(left), strict(right)
    if a == b:
        assert hash(a) == hash(b)
    if same(a, b, 0.01):
        assert mask(a) == mask(b)


@quick
@given(values, values)
def test_what_is_equal_is_alike(left: Any, right: Any) -> None:
    if equal(left, right, 0.0) and _is_scalar(left) and _is_scalar(right):
        assert alike(left, right, 0.0)


def _is_scalar(value: Any) -> bool:
    return not isinstance(value, list | dict)


@quick
@given(st.floats(1e-3, 1e9), st.floats(-1.0, 1.0))
def test_fractions_are_equal_within_the_tolerance_and_not_beyond(value: float, part: float) -> None:
    assert equal(value, value * (1 + 0.9e-6 * part), 1e-6)
    assert not equal(value, value * (1 + 1e-3), 1e-6)


@quick
@given(st.integers(), st.integers())
def test_whole_numbers_are_equal_only_exactly(left: int, right: int) -> None:
    assert equal(left, right, 0.5) == (left == right)
    assert equal(Decimal(left), right, 0.5) == (left == right)


@quick
@given(st.integers(-(2**53), 2**53))
def test_a_whole_number_has_no_type(number: int) -> None:
    assert equal(number, float(number), 0.0)
    assert equal(number, Decimal(number), 0.0)
    assert equal(float(number), Decimal(f"{number}.000"), 0.0)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (float("nan"), Decimal("NaN")),
        (math.inf, Decimal("Infinity")),
        (0.1 + 0.2, 0.3),
        (Decimal("0.3"), 0.3),
        (-0.0, 0),
        (1e-12, 0.0),
        (10**400, 10**400),
        (datetime(2020, 1, 1, 12, tzinfo=UTC), datetime(2020, 1, 1, 14, tzinfo=EAST)),
        ([1, [2.0]], (1.0, [2])),
        ({"a": 1, "b": None}, {"b": None, "a": 1.0}),
        ({1, 2}, {2.0, 1.0}),
        (b"\x00", bytearray(b"\x00")),
        (Node("n", ("A",), {}), Node("n", ("B",), {"x": 1})),
        (Interval(months=1), Interval(months=1)),
        (timedelta(hours=24), timedelta(days=1)),
    ],
)
def test_the_same(left: Any, right: Any) -> None:
    assert equal(left, right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (True, 1),
        (None, 0),
        (None, ""),
        (float("nan"), None),
        (math.inf, -math.inf),
        (math.inf, 1e308),
        (10**400, 10**400 + 1),
        (10**400, 1.0),
        (1, "1"),
        (2**53, 2**53 + 1),
        (date(2020, 1, 1), datetime(2020, 1, 1)),
        (datetime(2020, 1, 1), datetime(2020, 1, 1, tzinfo=UTC)),
        (time(0, 0), timedelta(0)),
        ("a", b"a"),
        ("a", "A"),
        ("a", "a "),
        ([1, 2], [2, 1]),
        ([1], {1}),
        ([], None),
        ({"a": 1}, {"a": 2}),
        ({"a": 1}, [("a", 1)]),
        (["nan"], float("nan")),
        (Node("n", (), {}), Node("m", (), {})),
        (Node("n", (), {}), Relationship("n", "T", "a", "b", {})),
        (Node("n", (), {}), "n"),
        (Path((Node("n", (), {}),), ()), Node("n", (), {})),
        (Point(4326, (1.0, 2.0)), Point(7203, (1.0, 2.0))),
    ],
)
def test_not_the_same(left: Any, right: Any) -> None:
    assert not equal(left, right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (True, 1),
        ("12", 12),
        ("-1.50", Decimal("-1.5")),
        (" 3 ", 3),
        ("1e3", 1000),
        (date(2020, 1, 1), datetime(2020, 1, 1)),
        (date(2020, 1, 1), "2020-01-01"),
        ("2020-01-01 00:00:00", "2020-01-01"),
        ("2020-01-01T12:00:00Z", datetime(2020, 1, 1, 14, tzinfo=EAST)),
        (datetime(2020, 1, 1, 12), datetime(2020, 1, 1, 12, tzinfo=UTC)),
        (["2020-01-01"], [date(2020, 1, 1)]),
    ],
)
def test_alike_though_not_the_same(left: Any, right: Any) -> None:
    assert alike(left, right)
    assert not equal(left, right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("007", 7),
        ("2020-02-31", "2020-03-02"),
        ("2020-01-01", 2020),
        ("1,000", 1000),
        ("", 0),
        ("abc", "ABC"),
        (datetime(2020, 1, 1, 1), date(2020, 1, 1)),
        ("NaN", float("nan")),
    ],
)
def test_not_even_alike(left: Any, right: Any) -> None:
    assert not alike(left, right)


def test_a_tolerance_of_nothing_is_exact() -> None:
    assert not equal(0.1 + 0.2, 0.3, 0.0)


@quick
@given(st.text(alphabet="0123456789.-+eE: TZ", max_size=30))
def test_any_text_can_be_read(text: str) -> None:
    assert loose(text) == loose(text)


def test_a_number_is_no_other_thing() -> None:
    assert Number(1, True) != 1
    assert Number(1, True) == Number(1.0, False)

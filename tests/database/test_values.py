"""Every value of every engine has one JSON form, and it is strict JSON."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.database import SqlDatabase
from groundwire.database.values import LARGEST_EXACT_INTEGER, Interval, to_json

FIXTURES = Path(__file__).parent / "fixtures" / "values.txt"


def fixtures() -> Iterator[tuple[str, str, Any]]:
    for line in FIXTURES.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            engine, expression, form = (part.strip() for part in line.split(" | "))
            yield engine, expression, json.loads(form)


def test_every_value_of_an_engine_has_the_form_of_its_fixture(sql_database: SqlDatabase):
    wrong = []
    for engine, expression, form in fixtures():
        if engine == sql_database.dialect:
            ((given,),) = sql_database.execute(f"SELECT {expression}").to_json()["rows"]
            if (given, type(given)) != (form, type(form)):
                wrong.append(f"{expression}: {given!r}, not {form!r}")
    assert not wrong, "\n".join(wrong)


class Colour(Enum):
    RED = "red"


class Pair(NamedTuple):
    left: int
    right: Decimal


@pytest.mark.parametrize(
    ("value", "form"),
    [
        (True, True),
        (2**53, 2**53),
        (-(2**53) - 1, "-9007199254740993"),
        pytest.param(10**5000, "1" + "0" * 5000, id="5001 digits"),
        (Decimal("0.10"), 0.1),
        (Decimal("1E+400"), "1E+400"),
        (Decimal("1E-400"), "1E-400"),
        (Decimal("sNaN"), "NaN"),
        (Decimal("-Infinity"), "-Infinity"),
        (float("inf"), "Infinity"),
        (datetime(2020, 1, 2, 3, 4, 5, tzinfo=UTC), "2020-01-02T03:04:05+00:00"),
        (time(3, 4), "03:04:00"),
        (timedelta(days=-1, hours=-2), "P-1DT-2H"),
        (timedelta(microseconds=-1), "PT-0.000001S"),
        (Interval(months=-14, days=3, seconds=-61, nanoseconds=-500), "P-1Y-2M3DT-1M-1.0000005S"),
        (bytearray(b"\x01"), "\\x01"),
        (memoryview(b"\x02"), "\\x02"),
        ({date(2020, 1, 1): None, 1.5: {2}}, {"2020-01-01": None, "1.5": [2]}),
        ({(1, "a"): 1}, {'[1, "a"]': 1}),
        (Colour.RED, "red"),
        (Pair(1, Decimal("2.5")), {"left": 1, "right": 2.5}),
        (uuid.UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (object, "<class 'object'>"),
    ],
)
def test_a_value_has_its_form(value, form):
    assert to_json(value) == form
    assert type(to_json(value)) is type(form)


class Graph:
    """The shapes of a graph driver's values, which are known without its being imported."""

    class Node(dict):  # type: ignore[type-arg]
        element_id = "4:x:1"
        labels = frozenset({"Person", "Actor"})

    class Relationship(dict):  # type: ignore[type-arg]
        element_id = "5:x:1"
        type = "KNOWS"
        start_node = end_node = None

    class Path:
        nodes = ()
        relationships = ()

    class Point(tuple):  # type: ignore[type-arg]
        srid = 7203

    class Duration:
        def iso_format(self) -> str:
            return "P1M"


@pytest.mark.parametrize(
    ("value", "form"),
    [
        (Graph.Point((1.0, 2.0)), {"srid": 7203, "coordinates": [1.0, 2.0]}),
        (Graph.Path(), {"nodes": [], "relationships": []}),
        (Graph.Duration(), "P1M"),
    ],
)
def test_a_graph_value_is_known_by_its_shape(value, form):
    assert to_json(value) == form


scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.decimals(),
    st.text(),
    st.binary(),
    st.dates(),
    st.times(),
    st.datetimes(timezones=st.none() | st.just(UTC)),
    st.timedeltas(),
    st.uuids(),
    st.ip_addresses(),
    st.builds(Interval, st.integers(), st.integers(), st.integers()),
)
keys = st.text() | st.integers() | st.dates()
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(keys, inner, max_size=3)
    ),
    max_leaves=6,
)


@given(values)
def test_any_value_becomes_strict_json_that_reads_back_as_itself(value):
    form = to_json(value)
    assert json.loads(json.dumps(form, allow_nan=False)) == form


@given(st.integers() | st.decimals(allow_nan=False, allow_infinity=False))
def test_no_number_loses_a_digit_in_a_double(value):
    form = to_json(value)
    if isinstance(form, str):
        assert Decimal(form) == value
    else:
        assert Decimal(repr(float(form))) == value or abs(form) <= LARGEST_EXACT_INTEGER
        assert Decimal(repr(form)) == value


@given(st.timedeltas())
def test_a_duration_keeps_every_microsecond(value):
    text = to_json(value)
    assert isinstance(text, str)
    sign_free = text.replace("-", "")
    days, _, clock = sign_free[1:].partition("T")
    microseconds = int(days[:-1] or 0) * 86_400_000_000
    number = ""
    for character in clock:
        if character in "HMS":
            unit = {"H": 3_600_000_000, "M": 60_000_000, "S": 1_000_000}[character]
            microseconds += int(Decimal(number) * unit)
            number = ""
        else:
            number += character
    assert timedelta(microseconds=microseconds) == abs(value)

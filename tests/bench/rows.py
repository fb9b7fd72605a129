"""Results and pairs of results made by hand, and value strategies: no database is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from groundwire.bench import Case, Outcome
from groundwire.bench.metrics import Pair
from groundwire.database.graph_values import Node, Relationship
from groundwire.database.result import Result, ResultColumn
from tests.examples import examples

quick = examples(25, 300)

Rows = Sequence[Sequence[Any]]

CASE = Case("1", "db", "sql", "Which ones?", ("SELECT gold",))


def outcome(
    rows: Rows,
    columns: Sequence[str] | None = None,
    query: str = "SELECT gold",
    *,
    width: int | None = None,
    truncated: bool = False,
) -> Outcome:
    """What a query gave; without `columns` they are called c0, c1, …"""
    if columns is None:
        count = width if width is not None else (len(rows[0]) if rows else 1)
        columns = [f"c{place}" for place in range(count)]
    named = tuple(ResultColumn(name, "") for name in columns)
    return Outcome(query, Result(named, tuple(tuple(row) for row in rows), truncated))


def pair(
    gold: Rows | Outcome, prediction: Rows | Outcome, case: Case = CASE, **fields: Any
) -> Pair:
    """A pair of two results of two different queries."""
    left = gold if isinstance(gold, Outcome) else outcome(gold)
    right = (
        prediction
        if isinstance(prediction, Outcome)
        else outcome(prediction, query="SELECT prediction")
    )
    return Pair(case, left, right, "sqlite", **fields)


def with_tolerance(tolerance: float) -> Case:
    return replace(CASE, tolerance=tolerance)


ZONES = st.sampled_from([None, UTC, timezone(timedelta(hours=5, minutes=30))])

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.integers(),
    st.floats(allow_nan=True),
    st.sampled_from([0.0, -0.0, 0.5, 1.0, 2.0, float("nan"), float("inf")]),
    st.decimals(allow_nan=False, allow_infinity=False, places=2),
    st.sampled_from([Decimal("0.1"), Decimal(1), Decimal("NaN"), Decimal("1E+40")]),
    st.sampled_from(["", "a", "1", "2020-01-01", "A"]),
    st.text(max_size=4),
    st.binary(max_size=3),
    st.dates(date(1990, 1, 1), date(2040, 1, 1)),
    st.datetimes(datetime(1990, 1, 1), datetime(2040, 1, 1), timezones=ZONES),
    st.times(),
    st.timedeltas(timedelta(-9), timedelta(9)),
    st.builds(Node, st.sampled_from(["n1", "n2"]), st.just(("A",)), st.just({})),
    st.builds(
        Relationship,
        st.sampled_from(["r1", "r2"]),
        st.just("T"),
        st.just("n1"),
        st.just("n2"),
        st.just({}),
    ),
)
"""Values of every kind that drivers give."""

values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from("abc"), inner, max_size=2),
    ),
    max_leaves=4,
)


@st.composite
def tables(draw: st.DrawFn, *, cells: Any = values, least: int = 0) -> list[tuple[Any, ...]]:
    """Rows of one width."""
    width = draw(st.integers(1, 3))
    return draw(st.lists(st.tuples(*[cells] * width), min_size=least, max_size=6))

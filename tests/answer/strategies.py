"""Hypothesis strategies for small results of every shape."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from hypothesis import strategies as st

from groundwire.database.result import Result
from tests.answer.judged import table

WORDS = ["Alder", "Birch", "Cedar", "Dogwood", "Elm Street", "FIR TREE", "Gingko", "Hazel", "Ivy"]
texts = st.sampled_from(WORDS)
whole = st.integers(-10_000, 10_000_000)
broken = st.floats(-1e6, 1e6, allow_nan=False).map(lambda value: round(value, 4))
decimals = st.decimals(-100_000, 100_000, places=2)
days = st.dates(date(1990, 1, 1), date(2030, 1, 1))
moments = st.datetimes(datetime(1990, 1, 1), datetime(2030, 1, 1))
figures = st.one_of(whole, broken, decimals)
cells: st.SearchStrategy[Any] = st.one_of(st.none(), texts, figures, days, moments, st.booleans())
columns = st.sampled_from(["n", "count_star()", "total_sales", "avg(age)", "crimes", "MAX_PRICE"])


@st.composite
def single_values(draw: st.DrawFn) -> Result:
    """One cell."""
    return table([draw(columns)], [[draw(cells)]])


@st.composite
def groups(draw: st.DrawFn, cut: bool = False) -> Result:
    """Different names with one figure each."""
    names = draw(st.lists(texts, min_size=2, max_size=8, unique=True))
    values = st.one_of(st.none(), draw(st.sampled_from([whole, broken, decimals, st.just(7)])))
    rows = [[name, draw(values)] for name in names]
    return table(["kind", draw(columns)], rows, cut=cut)


@st.composite
def series(draw: st.DrawFn) -> Result:
    """Years, months or days with one figure each, in any order."""
    kind = draw(st.sampled_from(["year", "month", "day"]))
    if kind == "year":
        labels: list[Any] = draw(st.lists(st.integers(1990, 2030), min_size=2, unique=True))
    elif kind == "month":
        months = st.builds(date, st.integers(2000, 2030), st.integers(1, 12), st.just(1))
        labels = draw(st.lists(months, min_size=2, max_size=30, unique=True))
    else:
        labels = draw(st.lists(days, min_size=2, max_size=30, unique=True))
    return table([kind, "n"], [[label, draw(whole)] for label in labels])


@st.composite
def listings(draw: st.DrawFn) -> Result:
    """Rows of one to four columns, each of one kind; some columns share a name, some cells NULL."""
    width = draw(st.integers(1, 4))
    names = st.sampled_from(["name", "city", "n", "note"])
    kinds = st.sampled_from([texts, whole, broken, decimals, days, moments, st.booleans()])
    columns = [(draw(names), draw(kinds), draw(st.booleans())) for _ in range(width)]
    if sum(kind is texts for _, kind, _ in columns) > 1:
        # Two labels that are both NULL leave a row without a name; no sentence can tell it.
        columns = [(name, kind, False) for name, kind, _ in columns]
    row = st.tuples(
        *(st.one_of(st.none(), kind) if optional else kind for _, kind, optional in columns)
    )
    rows = draw(st.lists(row, max_size=8))
    return table([name for name, _, _ in columns], rows, cut=draw(st.booleans()) and bool(rows))


results = st.one_of(single_values(), groups(), groups(cut=True), series(), listings())

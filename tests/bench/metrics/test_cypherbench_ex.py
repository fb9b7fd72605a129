"""CypherBench's execution accuracy as published, flaws and all; `ex` beside it has none of them."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.bench.case import Case
from groundwire.bench.metrics import METRICS, ONE_LANGUAGE, Pair
from groundwire.bench.metrics.cypherbench_ex import cypherbench_ex
from groundwire.bench.metrics.ex import ex
from groundwire.bench.running import Outcome
from groundwire.database import Result
from groundwire.database.graph_values import Node, Path, Point, Relationship
from groundwire.database.result import ResultColumn
from groundwire.database.values import Interval

Rows = list[tuple[Any, ...]]


def outcome(rows: Rows, query: str) -> Outcome:
    width = len(rows[0]) if rows else 1
    columns = tuple(ResultColumn(f"c{number}", "ANY") for number in range(width))
    return Outcome(query, Result(columns, tuple(rows)))


def pair(gold: Rows, found: Rows, query: str = "MATCH (n) RETURN n.x") -> Pair:
    """Two results of different queries."""
    case = Case("1", "graph", "cypher", "?", (query,))
    return Pair(case, outcome(gold, query), outcome(found, "MATCH (m) RETURN m.x"), "kglite")


def both(gold: Rows, found: Rows, query: str = "MATCH (n) RETURN n.x") -> tuple[Any, Any]:
    """The published verdict and ours."""
    compared = pair(gold, found, query)
    return cypherbench_ex(compared), ex(compared)


def test_it_is_for_cypher_only() -> None:
    assert METRICS["cypherbench_ex"] is cypherbench_ex
    assert ONE_LANGUAGE["cypherbench_ex"] == "cypher"


def test_rows_are_a_bag() -> None:
    assert both([(1,), (2,), (2,)], [(2,), (1,), (2,)]) == (1, 1)
    assert both([(1,), (2,), (2,)], [(1,), (1,), (2,)]) == (0, 0)
    assert both([(1,), (2,)], [(1,), (2,), (2,)]) == (0, 0)
    assert both([(1,)], []) == (0, 0)


def test_columns_may_be_permuted_the_same_way_in_every_row() -> None:
    assert both([("a", 1), ("b", 2)], [(1, "a"), (2, "b")]) == (1, 1)
    assert both([("a", "b"), ("c", "d")], [("b", "a"), ("c", "d")]) == (0, 0)
    assert both([("a", 1)], [("a", 1, 1)]) == (0, 0)


def test_both_empty_is_right_as_published_and_undecided_for_us() -> None:
    assert both([], []) == (1, None)


def test_the_same_text_is_right() -> None:
    gold = outcome([(time(1),)], "RETURN time()")
    same = Pair(Case("1", "g", "cypher", "?", ("RETURN time()",)), gold, gold)
    assert cypherbench_ex(same) == 1


def test_an_order_by_anywhere_in_the_text_makes_order_matter() -> None:
    rows, turned = [(1,), (2,)], [(2,), (1,)]
    top = "MATCH (n) WITH n ORDER BY n.y LIMIT 2 RETURN n.x"
    assert both(rows, turned, top) == (0, 1)
    assert both(rows, turned, "MATCH (n) WHERE n.t = 'order by' RETURN n.x") == (0, 1)
    assert both(rows, turned, "MATCH (n) RETURN n.x ORDER  BY n.x") == (1, 1)


def test_ties_in_an_order_are_wrong() -> None:
    query = "MATCH (n) RETURN n.x, n.y ORDER BY n.x"
    assert both([(1, "a"), (1, "b")], [(1, "b"), (1, "a")], query) == (0, 1)


def test_the_order_of_a_list_is_lost() -> None:
    assert both([(["b", "a"],)], [(["a", "b"],)]) == (1, 0)


@pytest.mark.parametrize("items", [[1, "a"], ["a", None], [{"a": 1}, {"b": None}, 2]])
def test_a_list_that_cannot_be_sorted_is_wrong_even_beside_itself(items: list[Any]) -> None:
    assert both([(items,)], [(items,)]) == (0, 1)


@pytest.mark.parametrize(
    "value",
    [
        datetime(2020, 1, 2, tzinfo=UTC),
        datetime(2020, 1, 2),
        time(12, 30),
        Interval(months=1, days=0, seconds=0, nanoseconds=0),
        Point(4326, (1.0, 2.0)),
        Relationship("1", "KNOWS", "2", "3", {}),
        Path(
            (Node("1", ("A",), {}), Node("2", ("A",), {})),
            (Relationship("3", "KNOWS", "1", "2", {}),),
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_type_that_it_does_not_know_is_wrong_even_beside_itself(value: Any) -> None:
    assert both([(value,)], [(value,)]) == (0, 1)


def test_a_date_is_known_and_equals_its_text() -> None:
    day = date(1970, 1, 31)
    assert both([(day,)], [(day,)]) == (1, 1)
    assert both([(day,)], [("1970-01-31",)]) == (1, 0)


def test_fractions_have_no_tolerance() -> None:
    assert both([(0.1 + 0.2,)], [(0.3,)]) == (0, 1)


def test_a_truth_value_is_a_number() -> None:
    assert both([(True,)], [(1,)]) == (1, 0)


def test_a_whole_number_beside_a_fraction_is_not_its_floating_twin() -> None:
    assert both([(1, "x")], [(1.0, "x")]) == (1, 1)
    assert both([(1, 1.5)], [(1.0, 1.5)]) == (0, 1)


def test_a_node_is_its_properties_and_a_map_has_no_order() -> None:
    one, other = Node("1", ("A",), {"x": 1, "y": 2}), Node("2", ("B",), {"y": 2, "x": 1})
    assert both([(one,)], [(other,)]) == (1, 0)
    assert both([({"a": 1, "b": [2]},)], [({"b": [2], "a": 1},)]) == (1, 1)


VALUES = st.one_of(st.none(), st.integers(-3, 3), st.sampled_from("abc"), st.booleans())


@given(
    st.integers(1, 4).flatmap(
        lambda width: st.tuples(
            st.lists(st.tuples(*[VALUES] * width), max_size=6), st.permutations(range(width))
        )
    ),
    st.randoms(),
)
def test_any_permutation_of_rows_and_columns_is_right(drawn: Any, chance: Any) -> None:
    rows, order = drawn
    turned = [tuple(row[place] for place in order) for row in rows]
    chance.shuffle(turned)
    compared = pair(rows, turned)
    assert cypherbench_ex(compared) == 1


@given(st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=6), VALUES)
def test_one_row_more_is_wrong(rows: Rows, value: Any) -> None:
    assert cypherbench_ex(pair(rows, [*rows, (value, value)])) == 0

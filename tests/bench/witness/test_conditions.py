"""What a query asks of a property."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.bench.witness.conditions import Condition, alternatives, holds
from groundwire.bench.witness.template import templates
from groundwire.query.cypher import ast, parse


def read(predicate: str) -> list[set[str]]:
    """The alternatives of a WHERE, each as a set of short texts."""
    query = parse(f"MATCH (n:A)-[r:R]->(m:B) WHERE {predicate} RETURN n")
    assert query.ok, query.errors
    [match] = query.find(ast.Match)[:1]
    assert match.where is not None
    return [
        {
            " ".join(map(str, (c.owner, c.key, c.part, c.operator, c.value))).replace("  ", " ")
            for c in way
        }
        for way in alternatives(query, match.where)
    ]


@pytest.mark.parametrize(
    ("predicate", "expected"),
    [
        ("n.x > 3", [{"n x > 3"}]),
        ("3 >= n.x", [{"n x <= 3"}]),
        ("-3 < n.x <= 5", [{"n x > -3", "n x <= 5"}]),
        ("n.x = 1 AND r.y IS NULL", [{"n x = 1", "r y IS NULL None"}]),
        ("n.x = 1 OR m.y <> 'a'", [{"n x = 1"}, {"m y <> a"}]),
        ("NOT (n.x = 1 OR m.y < 2)", [{"n x <> 1", "m y >= 2"}]),
        ("NOT n.x CONTAINS 'a'", [{"n x NOT CONTAINS a"}]),
        ("n.x IN ['a', 'b']", [{"n x IN ('a', 'b')"}]),
        ("'a' IN n.x", [{"n x HAS a"}]),
        ("toLower(n.x) = 'a'", [{"n x folded = a"}]),
        ("size(n.x) > 2", [{"n x size > 2"}]),
        ("n.d.year = 1901", [{"n d year = 1901"}]),
        ("n.d < date('1901-02-03')", [{"n d < 1901-02-03"}]),
        ("n.d < date('the third')", [set()]),
        ("n.x = m.x", [set()]),
        (
            "n.x = 1 AND (m.y = 2 OR m.y = 3)",
            [{"n x = 1", "m y = 2"}, {"n x = 1", "m y = 3"}],
        ),
    ],
)
def test_the_ways_to_make_a_predicate_true(predicate: str, expected: list[set[str]]) -> None:
    assert read(predicate) == expected


@pytest.mark.parametrize(
    ("value", "part", "operator", "wanted", "expected"),
    [
        (3, "", ">", 2, True),
        (None, "", ">", 2, False),
        (None, "", "NOT >", 2, False),
        (None, "", "IS NULL", None, True),
        (3, "", "IS NOT NULL", None, True),
        ("abc", "", "STARTS WITH", "ab", True),
        ("abc", "", "NOT ENDS WITH", "bc", False),
        ("ABC", "folded", "CONTAINS", "b", True),
        (["a"], "", "HAS", "a", True),
        (["a", "b"], "size", "=", 2, True),
        (date(1901, 2, 3), "year", "=", 1901, True),
        ("text", "year", "=", 1901, False),
        ("text", "", "<", 3, False),
    ],
)
def test_whether_a_value_meets_a_condition(
    value: Any, part: str, operator: str, wanted: Any, expected: bool
) -> None:
    assert holds(value, Condition("n", None, "x", part, operator, wanted)) is expected


@given(
    st.one_of(st.integers(-5, 5), st.text("ab", max_size=3)),
    st.sampled_from(["=", "<>", "<", ">=", "CONTAINS", "STARTS WITH"]),
    st.one_of(st.integers(-5, 5), st.text("ab", max_size=3)),
)
def test_a_value_meets_a_condition_or_its_negation(value: Any, operator: str, wanted: Any) -> None:
    condition = Condition("n", None, "x", "", operator, wanted)
    if type(value) is type(wanted) and (isinstance(value, str) or len(operator) <= 2):
        assert holds(value, condition) != holds(value, condition.negated)
    assert condition.negated.negated == condition
    assert not holds(None, condition)


@pytest.mark.parametrize(
    ("query", "count", "nodes", "hops"),
    [
        ("MATCH (n:A) RETURN n", 1, 1, 0),
        ("MATCH (n:A)-->(:B), (n)-->(m:C) RETURN n", 1, 3, 2),
        ("MATCH (n:A) MATCH (n)<--(m) RETURN n", 1, 2, 1),
        ("MATCH (n:A) RETURN n UNION MATCH (m:B)-->(n:A) RETURN n", 2, 2, 1),
        ("CALL { MATCH (n:A) RETURN n UNION MATCH (n:B) RETURN n } RETURN n", 2, 1, 0),
        ("MATCH (n:A) WHERE EXISTS { (n)-->(:B) } RETURN n", 1, 2, 1),
        ("MATCH (n:A) WHERE NOT (n)-->(:B) RETURN n", 1, 1, 0),
        ("RETURN 1 AS x", 0, 0, 0),
    ],
)
def test_what_a_query_looks_for(query: str, count: int, nodes: int, hops: int) -> None:
    found = templates(parse(query))
    assert len(found) == count
    if found:
        assert max(len(template.nodes) for template in found) == nodes
        assert max(len(template.hops) for template in found) == hops

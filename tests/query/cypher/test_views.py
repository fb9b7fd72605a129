"""What a guard asks: which literals are compared with which properties, and what groups."""

from __future__ import annotations

import pytest

from groundwire.query.cypher import ast, grouping, parse

Use = tuple[str | None, str, str, object]


def uses(text: str) -> list[Use]:
    query = parse(text)
    assert query.ok, query.errors
    return [
        (use.owner.name if use.owner else None, use.key.value, use.operator, use.literal.value)
        for use in query.property_literals
    ]


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("n.x = 'a'", ("n", "x", "=", "a")),
        ("'a' = n.x", ("n", "x", "=", "a")),
        ("n.x <> -1", ("n", "x", "<>", -1)),
        ("n.x CONTAINS 'a'", ("n", "x", "CONTAINS", "a")),
        ("n.x STARTS  WITH 'a'", ("n", "x", "STARTS WITH", "a")),
        ("n.x =~ 'a.*'", ("n", "x", "=~", "a.*")),
        ("toLower(n.x) = 'a'", ("n", "x", "=", "a")),
        ("n.x = toLower('A')", ("n", "x", "=", "A")),
        ("NOT (n.y IS NULL) AND n.x >= 1.5", ("n", "x", ">=", 1.5)),
        ("EXISTS { (n)-->(m {x: 1}) }", ("m", "x", "=", 1)),
        ("EXISTS { (n)-->({x: 1}) }", (None, "x", "=", 1)),
    ],
)
def test_a_comparison_with_a_literal_is_found(condition: str, expected: Use) -> None:
    assert uses(f"MATCH (n) WHERE {condition} RETURN n") == [expected]


def test_each_element_of_a_list_comes_on_its_own() -> None:
    found = uses("MATCH (n) WHERE n.x IN ['a', 'b'] RETURN n")
    assert found == [("n", "x", "IN", "a"), ("n", "x", "IN", "b")]


def test_a_literal_in_a_map_has_its_pattern() -> None:
    query = parse("MATCH (n:A {x: 'a'})-[r:R {since: 1}]->() RETURN n")
    first, second = query.property_literals
    assert isinstance(first.element, ast.NodePattern)
    assert isinstance(second.element, ast.RelationshipPattern)
    assert second.key.value == "since"


def test_a_comparison_through_an_alias_is_found() -> None:
    found = uses("MATCH (n) WITH n.name AS name WHERE name = 'a' RETURN name")
    assert found == [("n", "name", "=", "a")]


def test_a_case_insensitive_comparison_says_so() -> None:
    folded, plain = parse(
        "MATCH (n) WHERE toLower(n.x) CONTAINS 'a' OR n.x = 'a' RETURN n"
    ).property_literals
    assert (folded.folded, plain.folded) == (True, False)


def test_the_span_of_a_literal_is_what_a_repair_replaces() -> None:
    text = "MATCH (n {name: 'Alcie'}) RETURN n"
    (use,) = parse(text).property_literals
    assert text[slice(*use.literal.span)] == "'Alcie'"


def test_what_is_not_aggregated_groups() -> None:
    (clause,) = parse("MATCH (n)-->(m) RETURN n.x, n.y AS y, count(m) + 1, sum(m.z)").find(
        ast.Return
    )
    found = grouping(clause)
    assert [item.alias.name if item.alias else None for item in found.keys] == [None, "y"]
    assert [call.name for call in found.aggregates] == ["count", "sum"]


def test_an_aggregate_inside_a_subquery_aggregates_nothing_outside() -> None:
    (clause, *_) = parse("MATCH (n) RETURN COLLECT { MATCH (m) RETURN count(m) } AS c").find(
        ast.Return
    )
    assert grouping(clause).aggregates == ()

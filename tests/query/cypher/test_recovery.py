"""A text that is half broken still gives the parts that can be read, and nothing hangs."""

from __future__ import annotations

import time

import pytest

from groundwire.query.cypher import ast, parse


def test_clauses_around_a_broken_one_are_read() -> None:
    query = parse("MATCH (a:A)-[:R]->(b) WHERE a.x = = 1 WITH a MATCH (a)-->(c:C) RETURN c")
    kinds = [type(clause) for clause in query.statements[0].query.branches[0].clauses]
    assert kinds == [ast.Broken, ast.With, ast.Match, ast.Return]
    assert len(query.errors) == 1


def test_the_patterns_of_a_broken_clause_are_kept() -> None:
    query = parse("MATCH (a:A)-[:R]->(b) WHERE a.x = = 1 RETURN a")
    (broken,) = query.find(ast.Broken)
    assert broken.keyword == "MATCH"
    assert [name.name for name in query.find(ast.LabelName)] == ["A", "R"]


def test_two_broken_clauses_are_two_errors() -> None:
    query = parse("MATCH (a RETURN a UNION MATCH (b)-- RETURN b")
    assert [problem.offset for problem in query.errors] == [9, 36]


def test_a_write_behind_a_syntax_error_is_seen() -> None:
    assert parse("MATCH (a)) DETACH DELETE a").writes


@pytest.mark.parametrize("depth", [50, 10_000])
@pytest.mark.parametrize(
    ("left", "middle", "right"),
    [
        ("(", "1", ")"),
        ("[", "1", "]"),
        ("{a: ", "1", "}"),
        ("size(", "'a'", ")"),
        ("NOT ", "true", ""),
        ("CASE WHEN true THEN ", "1", " END"),
        ("EXISTS { MATCH (n) WHERE ", "true", " }"),
        ("-", "1", ""),
        ("[x IN ", "[]", "]"),
        ("[(a {x: ", "1", "})-->(b) | 1]"),
        ("trim(", "'a'", ")"),
        ("reduce(a = ", "1", ", x IN [] | a)"),
        ("(n {x: ", "1", "})"),
    ],
)
def test_deep_nesting_gives_an_answer_or_a_clear_error(
    left: str, middle: str, right: str, depth: int
) -> None:
    text = "MATCH (a) RETURN " + left * depth + middle + right * depth + " AS x"
    start = time.process_time()
    query = parse(text)
    assert time.process_time() - start < 5
    if depth > 50:
        assert "deeper than" in query.errors[0].sentence or "too deeply" in query.errors[0].sentence


def test_a_little_stack_left_by_the_caller_is_a_clear_error() -> None:
    def deep(frames: int) -> str:
        if frames:
            return deep(frames - 1)
        return parse("RETURN " + "(" * 90 + "1" + ")" * 90).errors[0].sentence

    assert "too deeply" in deep(700)


LONG_TEXTS = {
    "list": "RETURN [" + "1, " * 300_000 + "1] AS x",
    "or": "MATCH (n) WHERE " + "n.x = 1 OR " * 90_000 + "true RETURN n",
    "string": "RETURN '" + "a" * 1_000_000 + "' AS x",
    "comment": "RETURN 1 /*" + "*" * 1_000_000 + "*/ AS x",
    "sum": "RETURN " + "1 + " * 250_000 + "1 AS x",
    "clauses": "MATCH (n) " * 100_000 + "RETURN n",
    "union": "RETURN 1 AS x" + " UNION RETURN 1 AS x" * 50_000,
    "patterns": "MATCH " + "(a)-->(b), " * 90_000 + "(c) RETURN c",
}
BROKEN_TEXTS = {
    "opened": "(" * 1_000_000,
    "undefined": "RETURN " + "x, " * 330_000 + "x",
    "clauses": "RETURN x, " * 90_000,
    "closed": "MATCH ) " * 125_000,
}
QUICK = ("list", "or", "string", "comment", "opened")


def by_name(texts: dict[str, str]) -> list[object]:
    """The texts as parameters; those that take seconds are marked as slow."""
    return [
        pytest.param(text, id=name, marks=() if name in QUICK else pytest.mark.slow)
        for name, text in texts.items()
    ]


@pytest.mark.parametrize("text", by_name(LONG_TEXTS))
def test_a_query_of_a_megabyte_takes_seconds(text: str) -> None:
    assert len(text) > 900_000
    start = time.process_time()
    assert parse(text).ok
    assert time.process_time() - start < 20


@pytest.mark.parametrize("text", by_name(BROKEN_TEXTS))
def test_a_broken_query_of_a_megabyte_takes_seconds(text: str) -> None:
    assert len(text) > 900_000 - 1
    start = time.process_time()
    assert 0 < len(parse(text).errors) <= 20
    assert time.process_time() - start < 20


def test_the_time_grows_with_the_length() -> None:
    def seconds(terms: int) -> float:
        text = "MATCH (n) WHERE " + "n.x = 1 OR " * terms + "true RETURN n"
        start = time.process_time()
        assert parse(text).ok
        return time.process_time() - start

    seconds(1000)
    assert seconds(40_000) < 20 * max(seconds(5_000), 0.01)

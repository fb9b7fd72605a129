"""Each fixture pair: what Neo4j takes is taken, what it refuses is refused at its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundwire.query.cypher import parse

FIXTURES = Path(__file__).parent / "fixtures"


def accepted() -> list[str]:
    lines = (FIXTURES / "accepted.cypher").read_text(encoding="utf-8").splitlines()
    text = "\n".join(line for line in lines if not line.startswith("//"))
    return [query.strip() for query in text.split("\n\n") if query.strip()]


def rejected() -> list[tuple[str, int, str]]:
    lines = [
        line
        for line in (FIXTURES / "rejected.txt").read_text(encoding="utf-8").splitlines()
        if line.strip() and not line.startswith("#")
    ]
    pairs = zip(lines[::2], lines[1::2], strict=True)
    return [(query, mark.index("^"), mark.partition("^")[2].strip()) for query, mark in pairs]


@pytest.mark.parametrize("query", accepted())
def test_a_query_that_neo4j_takes_has_no_errors(query: str) -> None:
    assert parse(query).errors == ()


@pytest.mark.parametrize(("query", "offset", "sentence"), rejected())
def test_a_query_that_neo4j_refuses_has_its_error_at_the_same_place(
    query: str, offset: int, sentence: str
) -> None:
    first = parse(query).errors[0]
    assert (first.offset, first.column) == (offset, offset + 1)
    assert sentence in first.sentence


def test_an_error_in_a_later_line_has_line_and_column() -> None:
    (problem,) = parse("MATCH (a)\nWHERE a.x = 1\nRETURN b").errors
    assert (problem.line, problem.column, problem.offset) == (3, 8, 31)


def test_a_syntax_error_says_what_was_expected() -> None:
    (problem,) = parse("MATCH (a) RETURN (1").errors
    assert problem.expected == "')' or an operator"
    assert problem.sentence == "The query ends where ')' or an operator was expected."


def test_an_empty_text_is_no_query() -> None:
    for text in ("", "  \n", "// nothing"):
        assert not parse(text).ok


def test_functions_of_a_plugin_can_be_made_known() -> None:
    query = "RETURN apoc.text.join(['a'], ',') AS x"
    assert not parse(query).ok
    assert parse(query, functions={"apoc.text.join"}).ok

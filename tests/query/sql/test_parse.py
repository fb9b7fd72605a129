"""Reading SQL never raises, and every name knows its place in the text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.query.sql import parse

DIALECTS = ["postgres", "duckdb", "sqlite"]


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    ("text", "offset", "part"),
    [
        ("", 0, "no statement"),
        ("-- only a comment", 0, "no statement"),
        ("SELECT FROM WHERE", 12, "WHERE"),
        ("SELECT a FROM t WHERE b = 'open", 26, "never closed"),
        ("SELECT a\nFROM t\nWHERE (b = 1", 28, "line 3"),
        ("hello world", 0, "does not begin"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(
    text: str, offset: int, part: str, dialect: str
) -> None:
    query = parse(text, dialect)
    assert not query.ok
    assert not query.statements
    problem = query.errors[0]
    assert part in problem.sentence
    assert abs(problem.offset - offset) <= 1


def test_a_text_of_a_thousand_brackets_is_an_error_and_no_crash() -> None:
    query = parse("SELECT " + "(" * 10_000 + "1" + ")" * 10_000, "postgres")
    assert "nested too deeply" in query.errors[0].sentence


@given(st.text(max_size=200), st.sampled_from(DIALECTS))
def test_any_text_is_read_or_told_why_not(text: str, dialect: str) -> None:
    query = parse(text, dialect)
    assert query.ok == bool(query.statements)
    for problem in query.errors:
        assert 0 <= problem.offset <= len(text)
        assert problem.line >= 1
        assert problem.sentence


NAMES = st.sampled_from(["a", "primary_type", '"Mixed Case"', "t.b", '"x"."y"'])


@given(st.lists(NAMES, min_size=1, max_size=4), st.sampled_from([" ", "\n", " /* c */ "]))
def test_the_span_of_a_name_is_the_name_as_written(names: list[str], space: str) -> None:
    from sqlglot import exp

    text = f"SELECT{space}" + f",{space}".join(names) + f"{space}FROM t"
    query = parse(text, "postgres")
    assert [query.written(column) for column in query.statements[0].find_all(exp.Column)] == names


@pytest.mark.parametrize("text", ["SELECT 1;", "SELECT 1 -- done", "SELECT 1 ; ; -- x", "TABLE t"])
def test_counting_rows_keeps_the_text_of_the_query(text: str) -> None:
    from groundwire.query.sql.count import count_text

    counted = parse(count_text(parse(text, "postgres")), "postgres")
    assert counted.ok
    assert len(counted.statements) == 1


def test_a_text_that_is_too_long_is_not_read() -> None:
    text = f"SELECT 1 IN ({', '.join(['1'] * 50_000)})"
    assert "longer than 100,000 characters" in parse(text, "duckdb").errors[0].sentence
    assert parse(f"SELECT '{'x' * 90_000}'", "duckdb").ok

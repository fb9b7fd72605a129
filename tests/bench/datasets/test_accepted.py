"""The golds that a gold of Defog's sql-eval stands for."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.bench.datasets.defog import accepted


@pytest.mark.parametrize(
    ("gold", "queries"),
    [
        ("SELECT 1", ["SELECT 1"]),
        ("SELECT 1;", ["SELECT 1"]),
        ("SELECT 1; SELECT 2 ;", ["SELECT 1", "SELECT 2"]),
        ("SELECT {a, b} FROM t", ["SELECT a, b FROM t", "SELECT a FROM t", "SELECT b FROM t"]),
        ("SELECT {a} FROM t", ["SELECT a FROM t"]),
        ("SELECT ';' ; SELECT 1", ["SELECT ';'", "SELECT 1"]),
        ("SELECT '{a, b}'", ["SELECT '{a, b}'"]),
        ("SELECT x ~ 'a{2}' FROM t", ["SELECT x ~ 'a{2}' FROM t"]),
        ("SELECT 'it''s; {x}'", ["SELECT 'it''s; {x}'"]),
        ('SELECT "a;b"', ['SELECT "a;b"']),
        (
            "SELECT {f(a, b), c} FROM t",
            ["SELECT f(a, b), c FROM t", "SELECT f(a, b) FROM t", "SELECT c FROM t"],
        ),
        (
            "SELECT {a AS x, b} FROM t GROUP BY {}",
            [
                "SELECT a AS x, b FROM t GROUP BY a, b",
                "SELECT a AS x FROM t GROUP BY a",
                "SELECT b FROM t GROUP BY b",
            ],
        ),
        (
            "SELECT {a, b}, {c} FROM t",
            ["SELECT a, b, c FROM t", "SELECT a, c FROM t", "SELECT b, c FROM t"],
        ),
        ("SELECT {a, b FROM t", ["SELECT {a, b FROM t"]),
        ("SELECT a FROM t GROUP BY {}", ["SELECT a FROM t GROUP BY {}"]),
        ("SELECT { a , } FROM t", ["SELECT a FROM t"]),
        ("", []),
        (" ; ", []),
    ],
)
def test_a_gold_is_taken_apart(gold: str, queries: list[str]) -> None:
    assert list(accepted(gold)) == queries


def test_of_many_optional_columns_all_and_each_alone_are_accepted() -> None:
    columns = [f"c{number}" for number in range(8)]
    found = accepted("SELECT {" + ", ".join(columns) + "} FROM t")
    assert found[0] == f"SELECT {', '.join(columns)} FROM t"
    assert list(found[1:]) == [f"SELECT {column} FROM t" for column in columns]


@settings(deadline=None)
@given(st.text(alphabet="ab,;{}()'\" ", max_size=40))
def test_any_text_is_taken_apart(text: str) -> None:
    assert all(query.strip() for query in accepted(text))

"""Cypher for kglite: the pairs of `rewrites.txt`, and what must hold of every rewriting."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.database.graph_kglite_names import RESERVED, mangle, mangle_values, unmangle
from groundwire.database.graph_rewrite import result_names, rewrite
from groundwire.query.cypher import parse


def pairs() -> list[tuple[str, str, bool]]:
    text = (Path(__file__).parent / "rewrites.txt").read_text(encoding="utf-8")
    found = []
    for block in text.split("\n\n"):
        lines = [line for line in block.splitlines() if line and not line.startswith("#")]
        marked = lines[:1] == ["graph: marked"]
        lines = lines[1:] if marked else lines
        if lines:
            query, expected = lines
            found.append((query, query if expected == "=" else expected, marked))
    return found


@pytest.mark.parametrize(("query", "expected", "marked"), pairs())
def test_it_becomes(query, expected, marked):
    assert rewrite(parse(query), marked=marked) == expected


@pytest.mark.parametrize(("query", "expected", "marked"), pairs())
def test_what_was_rewritten_needs_no_rewriting(query, expected, marked):
    assert rewrite(parse(expected), marked=False) == expected


@given(st.text() | st.sampled_from(sorted(RESERVED)).flatmap(
    lambda name: st.integers(0, 3).map(lambda n: name + "__" * n)
))  # fmt: skip
def test_a_stored_name_is_read_back(name):
    assert unmangle(mangle(name)) == name
    assert mangle(name) not in RESERVED


def test_the_keys_of_a_parameters_maps_are_stored_names_too():
    assert mangle_values([{"name": {"id": 1}, "born": 2}]) == [{"name__": {"id__": 1}, "born": 2}]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("MATCH (n) RETURN n.name, count( * ) AS c, (1)", ["n.name", "c", "(1)"]),
        ("RETURN 1 AS `a b` UNION RETURN 2 AS `a b`", ["a b"]),
        ("MATCH (n) RETURN *", None),
        ("CALL db.labels()", None),
    ],
)
def test_columns_are_named_by_the_text(query, names):
    assert result_names(parse(query)) == names

"""What the text of a gold says about order and chance; the forms run in `test_audit.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundwire.bench.audit import audit
from groundwire.bench.case import Case, Language
from groundwire.bench.golds import chance_of_limit, has_order
from groundwire.bench.running import Databases
from groundwire.database.graph_load import load_graph


@pytest.mark.parametrize(
    ("language", "query", "ordered"),
    [
        ("sql", "SELECT a FROM t", False),
        ("sql", "SELECT a FROM t ORDER BY a", True),
        ("sql", "SELECT 'ORDER BY a' FROM t", False),
        ("sql", "SELECT a FROM (SELECT a FROM t ORDER BY a) AS s", True),
        ("sql", "SELECT a FROM", True),
        ("cypher", "MATCH (n) RETURN n.a", False),
        ("cypher", "MATCH (n) RETURN n.a ORDER BY n.a", True),
        ("cypher", "MATCH (n) WITH n ORDER BY n.a RETURN n.a", True),
        ("cypher", "MATCH (n) WHERE n.a = 'ORDER BY n.a' RETURN n", False),
    ],
)
def test_an_order_by_is_found_where_it_is_one(
    language: Language, query: str, ordered: bool
) -> None:
    assert has_order(query, language, "duckdb") == ordered


@pytest.mark.parametrize(
    ("query", "upwards"),
    [
        ("MATCH (n) RETURN n.a LIMIT 1", "MATCH (n) RETURN n.a ORDER BY n.a ASC LIMIT 1"),
        (
            "MATCH (n) RETURN n.a AS x, count(*) ORDER BY x DESC LIMIT 2 // `end`",
            "MATCH (n) RETURN n.a AS x, count(*) ORDER BY x DESC, x ASC, count(*) ASC LIMIT 2"
            " // `end`",
        ),
        (
            "MATCH (n) WITH n ORDER BY n.a LIMIT 1 MATCH (n)--(m) RETURN m",
            "MATCH (n) WITH n ORDER BY n.a, n ASC LIMIT 1 MATCH (n)--(m) RETURN m",
        ),
        ("MATCH (n) RETURN n.a ORDER BY n.a", None),
        ("MATCH (n) RETURN * LIMIT 1", None),
        ("MATCH (n RETURN n LIMIT 1", None),
    ],
)
def test_equal_rows_are_sorted_by_what_is_returned(query: str, upwards: str | None) -> None:
    forms = chance_of_limit(query, "cypher", "kglite")
    if upwards is None:
        assert forms == ()
    else:
        assert forms == (upwards, upwards.replace(" ASC", " DESC"))


def test_sql_without_a_limit_has_no_chance_in_it() -> None:
    assert chance_of_limit("SELECT a FROM t ORDER BY a", "sql", "duckdb") == ()
    assert chance_of_limit("SELECT a FROM LIMIT", "sql", "duckdb") == ()
    assert len(chance_of_limit("SELECT a FROM t LIMIT 1", "sql", "duckdb")) == 2


@pytest.mark.parametrize(
    ("query", "kinds"),
    [
        ("MATCH (p:Planet) RETURN p.name ORDER BY p.moons DESC LIMIT 1", []),
        ("MATCH (p:Planet) RETURN p.name ORDER BY p.moons LIMIT 1", ["ties"]),
        ("MATCH (p:Planet) WITH p ORDER BY p.moons LIMIT 1 RETURN p.name", ["ties"]),
        ("MATCH (p:Planet) RETURN p.name LIMIT 2", ["ties"]),
        ("MATCH (p:Planet) RETURN p.moons ORDER BY p.moons LIMIT 1", []),
        ("MATCH (p:Planet) WHERE p.moons > 99 RETURN p.name", ["empty"]),
        ("MATCH (p:Planet RETURN p", ["fails"]),
    ],
)
def test_golds_in_cypher_are_audited_alike(tmp_path: Path, query: str, kinds: list[str]) -> None:
    moons = {"Venus": 0, "Mercury": 0, "Earth": 1}
    nodes = [
        {"id": name, "labels": ["Planet"], "properties": {"name": name, "moons": count}}
        for name, count in moons.items()
    ]
    load_graph(nodes, [], f"kglite:///{tmp_path}/planets.kgl")
    with Databases(str(tmp_path)) as databases:
        faults = audit([Case("1", "planets", "cypher", "Which?", (query,))], databases)
    assert [fault.kind for fault in faults] == kinds

"""`groundwire graph`, and the other commands on a graph."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Ran

Call = Callable[..., Ran]


@pytest.fixture
def graph_url(groundwire: Call, tmp_path: Path) -> str:
    url = f"kglite:///{tmp_path / 'people.kgl'}"
    assert groundwire("graph", "demo", "--into", url, "--people", "30").code == 0
    return url


def test_the_demo_graph_can_be_looked_at(groundwire: Call, graph_url: str) -> None:
    shown = groundwire("schema", graph_url).out
    for part in ("(:Person)", "[:REPORTS_TO]", "stored in the reverse direction too"):
        assert part in shown
    described = groundwire("schema", graph_url, "--json").json
    assert described["language"] == "cypher"
    assert {label["name"] for label in described["labels"]} >= {"Person", "Town"}
    assert "labels and" in groundwire("doctor", graph_url).out


def test_a_doubled_count_is_caught(groundwire: Call, graph_url: str) -> None:
    draft = "MATCH (p:Person)-[:MARRIED_TO]-(q:Person) RETURN count(*) AS n"
    ran = groundwire("check", graph_url, draft, "--json", "--run")
    assert ran.code == 1
    assert ran.json["findings"][0]["code"] == "DIR3"
    assert ran.json["findings"][0]["evidence"][0]["statement"]
    directed = draft.replace("]-(q", "]->(q")
    assert ran.json["query"] == directed
    doubled = groundwire(
        "check", graph_url, "MATCH ()-[:MARRIED_TO]->() RETURN count(*) AS n", "--json", "--run"
    )
    assert ran.json["rows"] == doubled.json["rows"]


@pytest.mark.parametrize(
    "draft",
    [
        "MATCH (n) DETACH DELETE n",
        "CREATE (:Person {name: 'x'})",
        "MATCH (n) RETURN n; MATCH (n) DELETE n",
        "LOAD CSV FROM 'file:///etc/passwd' AS line RETURN line",
        "CALL dbms.killQuery('x')",
    ],
)
def test_what_does_not_only_read_is_refused(groundwire: Call, graph_url: str, draft: str) -> None:
    ran = groundwire("check", graph_url, draft, "--json")
    assert ran.code == 3
    assert ran.json["error"]["code"] == "NOT_READ_ONLY"


def test_files_are_loaded_and_bad_lines_put_aside(groundwire: Call, tmp_path: Path) -> None:
    nodes, edges = tmp_path / "nodes.jsonl", tmp_path / "edges.jsonl"
    people = [{"id": i, "labels": ["Person"], "properties": {"name": f"P{i}"}} for i in (1, 2)]
    nodes.write_text("\n".join([*map(json.dumps, people), "no json"]))
    edge = {"start": 1, "type": "KNOWS", "end": 2, "properties": {}}
    edges.write_text(json.dumps(edge))
    ran = groundwire(
        "graph",
        "load",
        str(nodes),
        str(edges),
        "--into",
        f"kglite:///{tmp_path / 'g.kgl'}",
        "--json",
    )
    assert ran.code == 0, ran.err
    assert ran.json["nodes"] == 2
    assert ran.json["rejected"] == 1


@pytest.mark.parametrize(
    ("lines", "why", "rejected"),
    [("", "the file of nodes is empty", 0), ("no json\n{}", "every line was put aside", 2)],
)
def test_a_load_that_stores_nothing_is_told_and_not_called_done(
    groundwire: Call, tmp_path: Path, lines: str, why: str, rejected: int
) -> None:
    nodes, edges = tmp_path / "nodes.jsonl", tmp_path / "edges.jsonl"
    nodes.write_text(lines)
    edges.write_text("")
    into = f"kglite:///{tmp_path / 'g.kgl'}"
    ran = groundwire("graph", "load", str(nodes), str(edges), "--into", into, "--json")
    assert ran.code == 2
    assert ran.json["rejected"] == rejected
    assert why in ran.err

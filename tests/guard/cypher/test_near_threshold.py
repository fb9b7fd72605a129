"""A sample that cannot tell whether a type is reciprocal is settled by counting, once."""

from __future__ import annotations

from typing import Any

import pytest

from groundwire.database import graph_reciprocity
from groundwire.database.graph_catalog import Reciprocity
from groundwire.errors import QueryTimeout
from groundwire.guard import Guard
from tests.graph_fixtures import NewGraph, edge, node

PAIRS = 60
DRAFT = "MATCH (a:Person)-[:KNOWS]-(b:Person) RETURN a.name, b.name"


def fill(graph: NewGraph, one_way: int) -> None:
    """60 pairs stored both ways, and some one way."""
    people = [node(n, "Person", name=str(n)) for n in range(2 * (PAIRS + one_way))]
    edges = []
    for n in range(PAIRS + one_way):
        edges.append(edge(2 * n, "KNOWS", 2 * n + 1))
        if n < PAIRS:
            edges.append(edge(2 * n + 1, "KNOWS", 2 * n))
    graph.load(people, edges)


@pytest.fixture(autouse=True)
def small_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph_reciprocity, "EXACT", 50)
    monkeypatch.setattr(graph_reciprocity, "SAMPLE", 100)


@pytest.mark.parametrize(("one_way", "turned"), [(11, True), (15, False)])
def test_the_exact_share_decides(new_graph: NewGraph, one_way: int, turned: bool) -> None:
    fill(new_graph, one_way)  # 120 of 131 (91.6 %), 120 of 135 (88.9 %)
    with new_graph.connect() as database:
        sampled = database.catalog().reciprocity_of("KNOWS")
        assert sampled is not None
        assert not sampled.exact
        assert sampled.straddles(0.9)
        verdict = Guard(database).check(DRAFT)
        assert (verdict.outcome == "repaired") == turned
        if turned:
            assert verdict.findings[0].evidence[0].answer == pytest.approx(120 / 131)


def test_it_is_counted_once(new_graph: NewGraph, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(new_graph, 11)
    with new_graph.connect() as database:
        counted: list[str] = []
        count = database.measure_reciprocity

        def measure(type_name: str, label: str, **options: Any) -> Reciprocity:
            counted.append(type_name)
            return count(type_name, label, **options)

        monkeypatch.setattr(database, "measure_reciprocity", measure)
        for _ in range(3):
            Guard(database).check(DRAFT)
        assert counted == ["KNOWS"]


def test_what_takes_too_long_to_count_is_a_doubt(
    new_graph: NewGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(new_graph, 0)
    with new_graph.connect() as database:
        sampled = Reciprocity("Person", "KNOWS", 120, 30, 28, 0.79, 0.98, False, "", 0.0)

        def slow(type_name: str, label: str, **options: Any) -> Reciprocity:
            raise QueryTimeout("too slow", hint="")

        monkeypatch.setattr(database, "measure_reciprocity", slow)
        assert database.decide_reciprocity(sampled, 0.9) is sampled

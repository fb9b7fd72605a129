"""The small graph on which Cypher drafts are judged, on each graph engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

import pytest

from groundwire.database.graph import GraphDatabase
from groundwire.guard import Guard
from tests.graph_fixtures import GRAPH_ENGINES, NewGraph, edge, make_graph, node

NODES = [
    node(1, "Person", name="Ann Lee", born=1960, nick="ann"),
    node(2, "Person", name="Bob Ray", born=1970),
    node(3, "Person", name="Cid Fox", born=1980),
    node(4, "Person", name="Dee Orr"),
    node(5, "Person Star", name="Eve Kay", born=1955, rank=1),
    node(11, "Movie", title="The Lake", released=1999, genres=["drama", "crime"]),
    node(12, "Movie", title="Red Sand", released=2005, genres=["comedy"]),
    node(13, "Movie", title="North", released=2005, genres=["drama"]),
    node(21, "Company", name="Acme", founded=date(1980, 5, 1), listed=True),
    node(31, "Town", name="São Rio", code="SR-1", people=1200, area=7),
    node(32, "Town", name="Kirchhofen", code="KH-2", people=900, area=4),
    node(33, "Town", name="Port Elba", code="PE-3", people=900, area=3),
    node(34, "Town", name="Newport", code="NP-4", people=100, area=2),
    node(35, "Town", name="newport", code="NP-5"),
    node(36, "Town", name="Springfield", code="SF-6", people=300, area=9),
    node(37, "Town", name="Springfield", code="SF-7", people=200, area=5),
    node(38, "Town", name="Oak Hill", code="OH-8"),
    node(41, "Shop", name="Ink", tags=["Books", "Paper"], rent="900", rating=3),
    node(42, "Shop", name="Oven", tags=["Bread"], rent="1200", rating=4.5),
    node(43, "Shop", name="Loft", tags=["Books"], rent="80"),
]
RELATIONSHIPS = [
    edge(1, "ACTED_IN", 11, role="Kim"),
    edge(2, "ACTED_IN", 11, role="Lou"),
    edge(2, "ACTED_IN", 12, role="Max"),
    edge(3, "ACTED_IN", 13, role="Ned"),
    edge(4, "DIRECTED", 11),
    edge(4, "DIRECTED", 13),
    edge(1, "MARRIED_TO", 2),
    edge(2, "MARRIED_TO", 1),
    edge(3, "MARRIED_TO", 5),
    edge(5, "MARRIED_TO", 3),
    edge(2, "REPORTS_TO", 1),
    edge(3, "REPORTS_TO", 1),
    edge(4, "REPORTS_TO", 2),
    edge(1, "WORKS_AT", 21, since=1990),
    edge(2, "WORKS_AT", 21, since=2000),
    edge(31, "BORDERS", 32),
    edge(33, "BORDERS", 31),
    edge(36, "BORDERS", 33),
    edge(41, "SELLS_IN", 31, price=3),
    edge(41, "SELLS_IN", 36, price=4),
    edge(42, "SELLS_IN", 36, price=4),
    edge(41, "SELLS_IN", 32, price=5),
    edge(42, "SELLS_IN", 33, price=5),
    edge(43, "SELLS_IN", 37, price=5),
    edge(43, "SELLS_IN", 31, price=6),
]


@pytest.fixture(params=GRAPH_ENGINES, scope="module")
def cinema(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> NewGraph:
    """The graph on each engine in turn."""
    graph = make_graph(request.param, request, tmp_path_factory.mktemp("cinema"))
    assert graph.load(NODES, RELATIONSHIPS).rejected == ()
    return graph


@pytest.fixture
def guarded(cinema: NewGraph) -> Iterator[Callable[..., tuple[str, Guard]]]:
    """Call with settings to get (engine, guard) of the graph on each engine in turn."""
    opened: list[GraphDatabase] = []

    def open_guard(**settings: Any) -> tuple[str, Guard]:
        opened.append(cinema.connect(**settings))
        return opened[-1].dialect, Guard(opened[-1])

    yield open_guard
    for database in opened:
        database.close()


@pytest.fixture
def graph(cinema: NewGraph) -> Iterator[GraphDatabase]:
    """A new connection to the graph on each engine in turn."""
    with cinema.connect() as database:
        yield database

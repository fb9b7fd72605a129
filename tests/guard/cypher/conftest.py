"""The small graph on which Cypher drafts are judged, on each graph engine."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest

from groundwire.database.graph import GraphDatabase
from tests.graph_fixtures import GRAPH_ENGINES, NewGraph, edge, make_graph, node

NODES = [
    node(1, "Person", name="Ann Lee", born=1960, nick="ann"),
    node(2, "Person", name="Bob Ray", born=1970),
    node(3, "Person", name="Cid Fox", born=1980),
    node(4, "Person", name="Dee Orr"),
    node(5, "Person", name="Eve Kay", born=1955),
    node(11, "Movie", title="The Lake", released=1999, genres=["drama", "crime"]),
    node(12, "Movie", title="Red Sand", released=2005, genres=["comedy"]),
    node(13, "Movie", title="North", released=2005, genres=["drama"]),
    node(21, "Company", name="Acme", founded=date(1980, 5, 1), listed=True),
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
]


@pytest.fixture(params=GRAPH_ENGINES, scope="module")
def cinema(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> NewGraph:
    """The graph on each engine in turn."""
    graph = make_graph(request.param, request, tmp_path_factory.mktemp("cinema"))
    assert graph.load(NODES, RELATIONSHIPS).rejected == ()
    return graph


@pytest.fixture
def graph(cinema: NewGraph) -> Iterator[GraphDatabase]:
    """A new connection to the graph on each engine in turn."""
    with cinema.connect() as database:
        yield database

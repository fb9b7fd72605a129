"""Fixtures of the graph tests: the village, a small graph that nothing may change."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from groundwire.database.graph import GraphDatabase
from tests.database.graph.village import NODES, RELATIONSHIPS
from tests.graph_fixtures import GRAPH_ENGINES, NewGraph, make_graph


@pytest.fixture(params=GRAPH_ENGINES, scope="module")
def village(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> NewGraph:
    """The village on each graph engine in turn."""
    graph = make_graph(request.param, request, tmp_path_factory.mktemp("village"))
    report = graph.load(NODES, RELATIONSHIPS)
    assert report.rejected == ()
    return graph


@pytest.fixture(scope="module")
def graph(village: NewGraph) -> Iterator[GraphDatabase]:
    """A connection to the village on each graph engine in turn, one for the whole module."""
    with village.connect() as database:
        yield database


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        parameters = getattr(getattr(item, "callspec", None), "params", {})
        for mark in item.iter_markers("notimpl"):
            if {parameters.get("graph_engine"), parameters.get("village")} & set(mark.args):
                reason = f"notimpl: {mark.kwargs['reason']}"
                item.add_marker(pytest.mark.xfail(reason=reason, strict=True))

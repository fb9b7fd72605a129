"""Fixtures for graphs: a Neo4j server, fresh graphs on either engine.

    neo4j_server, neo4j_auth_server   a running server, without and with passwords
    neo4j_url                         its database, empty
    new_graph                         a fresh, empty graph of each engine in turn
    graph_engine                      the name of that engine

A test that wants Neo4j runs in the group `neo4j`, so that one process has one server.
`@pytest.mark.notimpl("kglite", reason=…)` says what an engine lacks: the test must fail there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from groundwire.database import connect
from groundwire.database.graph import GraphDatabase
from groundwire.database.graph_load import LoadReport, load_graph
from groundwire.settings import Settings
from tests import neo4j_server as server_starter

NEO4J_GROUP = pytest.mark.xdist_group("neo4j")
GRAPH_ENGINES = ("kglite", pytest.param("neo4j", marks=NEO4J_GROUP))

Rows = Iterable[Mapping[str, Any]]

WIPE = "MATCH (n) WITH n LIMIT 10000 DETACH DELETE n RETURN count(*)"
"""Some nodes at a time: a small server has no memory for more in one transaction."""


@dataclass
class NewGraph:
    """A graph that a test fills and connects to."""

    engine: str
    url: str

    def load(self, nodes: Rows, relationships: Rows = ()) -> LoadReport:
        """Load nodes and relationships in the loader's own form."""
        return load_graph(nodes, relationships, self.url)

    def connect(self, **settings: Any) -> GraphDatabase:
        """A new read-only connection."""
        database = connect(self.url, Settings(**settings))
        assert isinstance(database, GraphDatabase)
        return database


def node(number: int | str, labels: str, /, **properties: Any) -> dict[str, Any]:
    """A node in the loader's form; labels stand with a blank between them."""
    return {"id": number, "labels": labels.split(), "properties": properties}


def edge(start: int | str, kind: str, end: int | str, /, **properties: Any) -> dict[str, Any]:
    """A relationship in the loader's form."""
    return {"type": kind, "start": start, "end": end, "properties": properties}


@pytest.fixture(scope="session")
def neo4j_server() -> Iterator[server_starter.Neo4jServer]:
    """Neo4j 5 Community without passwords."""
    yield from _started(auth=False)


@pytest.fixture(scope="session")
def neo4j_auth_server() -> Iterator[server_starter.Neo4jServer]:
    """Neo4j 5 Community whose user neo4j has the password `open sesame`."""
    from neo4j import GraphDatabase

    for server in _started(auth=True):
        initial = ("neo4j", "neo4j")
        with GraphDatabase.driver(server.url, auth=initial) as driver:
            driver.execute_query(
                "ALTER CURRENT USER SET PASSWORD FROM 'neo4j' TO 'open sesame'",
                database_="system",
            )
        yield server


def _started(*, auth: bool) -> Iterator[server_starter.Neo4jServer]:
    try:
        server = server_starter.start(auth=auth)
    except server_starter.Missing as reason:
        pytest.skip(str(reason))
    yield server
    server.stop()


@pytest.fixture
def neo4j_url(neo4j_server: server_starter.Neo4jServer) -> str:
    """The database of the Neo4j server, empty."""
    wipe_neo4j(neo4j_server.url)
    return neo4j_server.url


def wipe_neo4j(url: str) -> None:
    """Remove all nodes, relationships, constraints and indexes."""
    from neo4j import GraphDatabase

    with GraphDatabase.driver(url) as driver, driver.session() as session:
        for name in session.run("SHOW CONSTRAINTS YIELD name").value():
            session.run(f"DROP CONSTRAINT `{name}`").consume()
        for name, kind in session.run("SHOW INDEXES YIELD name, type").values():
            if kind != "LOOKUP":
                session.run(f"DROP INDEX `{name}`").consume()
        while session.run(WIPE).single(strict=True).value():
            pass


@pytest.fixture(params=GRAPH_ENGINES)
def graph_engine(request: pytest.FixtureRequest) -> str:
    """The name of each graph engine in turn."""
    return str(request.param)


@pytest.fixture
def new_graph(graph_engine: str, request: pytest.FixtureRequest, tmp_path: Path) -> NewGraph:
    """A fresh, empty graph of each engine in turn."""
    return make_graph(graph_engine, request, tmp_path)


def make_graph(engine: str, request: pytest.FixtureRequest, folder: Path) -> NewGraph:
    """A fresh, empty graph of an engine; a kglite file appears with the first load."""
    if engine == "kglite":
        return NewGraph(engine, f"kglite:///{folder / 'graph.kgl'}")
    server: server_starter.Neo4jServer = request.getfixturevalue("neo4j_server")
    wipe_neo4j(server.url)
    return NewGraph(engine, server.url)

"""Fixtures for all tests: databases.

    postgres_server, installed_postgres_server   a running server, one for each test process
    postgres_url, postgres15_url                 a fresh, empty database on it, for one test
    new_database                                 a fresh, empty database of each SQL engine in turn
    library, sql_database                        a filled one, shared, and a new connection to it
    new_graph, neo4j_url, …                      graphs: see `graph_fixtures.py`

`@pytest.mark.notimpl("sqlite", reason=…)` says that an engine lacks what a test of `new_database`
or `sql_database` asks for: the test must fail there, and the run says so when it does not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from groundwire.database import SqlDatabase, connect
from groundwire.database.writing import open_for_writing
from groundwire.settings import Settings
from tests.graph_fixtures import (  # noqa: F401  (fixtures are found by their names)
    graph_engine,
    neo4j_auth_server,
    neo4j_server,
    neo4j_url,
    new_graph,
)
from tests.postgres_server import (
    PostgresServer,
    installed_binaries,
    start_installed,
    start_packaged,
)

# A busy machine is no fault of a property test.
settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")

ENGINES = ("duckdb", "sqlite", "postgres", "postgres15")

LIBRARY = (
    """CREATE TABLE author (
        id INTEGER PRIMARY KEY, "fullName" VARCHAR(80) NOT NULL, born DATE, rank INTEGER)""",
    """CREATE TABLE book (
        id INTEGER PRIMARY KEY, author_id INTEGER NOT NULL REFERENCES author (id),
        isbn VARCHAR(13) UNIQUE, price NUMERIC(10, 2), published TIMESTAMP,
        "3pointplay" INTEGER, note TEXT)""",
    "CREATE VIEW cheap_book AS SELECT id, price FROM book WHERE price < 10",
    """INSERT INTO author VALUES
        (1, 'Ursula K. Le Guin', '1929-10-21', 1), (2, 'Stanisław Lem', '1921-09-12', 2),
        (3, 'Nobody', NULL, NULL)""",
    """INSERT INTO book VALUES
        (1, 1, '9780441478125', 9.99, '1969-03-01 00:00:00', 3, NULL),
        (2, 1, '9780547773742', 8.50, '1968-11-01 12:30:00', NULL, '100% magic'),
        (3, 2, '9780156027601', 14.00, '1961-06-01 00:00:00', 3, NULL)""",
)


@dataclass(frozen=True)
class NewDatabase:
    """A database of an engine, to be filled and then connected to."""

    engine: str
    url: str

    def fill(self, *statements: str) -> None:
        """Run statements that write."""
        with open_for_writing(self.url) as connection:
            for statement in statements:
                connection.execute(statement)

    def connect(self, **settings: Any) -> SqlDatabase:
        """Connect read-only, with some settings changed."""
        database = connect(self.url, Settings(**settings))
        assert isinstance(database, SqlDatabase)
        return database


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """PostgreSQL 18 from the test dependencies."""
    server = start_packaged()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def installed_postgres_server() -> Iterator[PostgresServer]:
    """The machine's own PostgreSQL (15 in the continuous integration)."""
    binaries = installed_binaries()
    if binaries is None:
        pytest.skip("no PostgreSQL of the machine's own below /usr/lib/postgresql")
    server = start_installed(binaries)
    yield server
    server.stop()


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> Iterator[str]:
    """A fresh, empty database on PostgreSQL 18."""
    url = postgres_server.create_database()
    yield url
    postgres_server.drop_database(url)


@pytest.fixture
def postgres15_url(installed_postgres_server: PostgresServer) -> Iterator[str]:
    """A fresh, empty database on the machine's own PostgreSQL."""
    url = installed_postgres_server.create_database()
    yield url
    installed_postgres_server.drop_database(url)


@pytest.fixture(params=ENGINES)
def new_database(request: pytest.FixtureRequest, tmp_path: Path) -> NewDatabase:
    """A fresh, empty database of each SQL engine in turn."""
    engine = request.param
    if engine in ("duckdb", "sqlite"):
        return new_file(engine, tmp_path)
    return NewDatabase(engine, request.getfixturevalue(f"{engine}_url"))


@pytest.fixture(params=ENGINES, scope="session")
def library(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[NewDatabase]:
    """The library in a database of each SQL engine in turn; nothing may change it."""
    engine = request.param
    if engine in ("duckdb", "sqlite"):
        new = new_file(engine, tmp_path_factory.mktemp("library"))
        new.fill(*LIBRARY)
        yield new
        return
    fixture = "postgres_server" if engine == "postgres" else "installed_postgres_server"
    server = request.getfixturevalue(fixture)
    new = NewDatabase(engine, server.create_database())
    new.fill(*LIBRARY)
    yield new
    server.drop_database(new.url)


@pytest.fixture
def sql_database(library: NewDatabase) -> Iterator[SqlDatabase]:
    """A new connection to the library in each SQL engine in turn."""
    with library.connect() as database:
        yield database


def new_file(engine: str, folder: Path) -> NewDatabase:
    """An empty DuckDB or SQLite file."""
    new = NewDatabase(engine, f"{engine}:///{folder / f'library.{engine}'}")
    new.fill("CREATE TABLE first (a INTEGER)", "DROP TABLE first")
    return new


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "notimpl(*engines, reason): these engines lack it; the test must fail there"
    )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        parameters = getattr(getattr(item, "callspec", None), "params", {})
        for mark in item.iter_markers("notimpl"):
            if {parameters.get("new_database"), parameters.get("library")} & set(mark.args):
                reason = f"notimpl: {mark.kwargs['reason']}"
                item.add_marker(pytest.mark.xfail(reason=reason, strict=True))

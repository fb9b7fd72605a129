"""Fixtures for all tests: databases.

    postgres_server, installed_postgres_server   a running server, one for each test process
    postgres_url, postgres15_url                 a fresh, empty database on it, for one test
    sql_database                                 a filled database of each SQL engine in turn

`make_sql_database` fills a database of any engine from a few statements.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.postgres_server import (
    PostgresServer,
    installed_binaries,
    start_installed,
    start_packaged,
)


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

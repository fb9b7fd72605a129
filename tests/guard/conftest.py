"""The databases on which drafts are judged, in each engine.

`guarded` opens a small one that is new for each test, `shop` is one for the whole session with
rows that the statistics checks are about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from groundwire.database import SqlDatabase, connect
from groundwire.database.writing import open_for_writing
from groundwire.guard import Guard
from groundwire.settings import Settings
from tests.postgres_server import PostgresServer

SCHEMA = [
    "CREATE TABLE areas (area integer PRIMARY KEY, area_name text, secret text)",
    "CREATE TABLE crimes (id integer PRIMARY KEY, happened timestamp, primary_type text,"
    " area integer REFERENCES areas (area))",
    'CREATE TABLE camel (id integer, "createdAt" timestamp)',
    "INSERT INTO areas VALUES (1, 'Rogers Park', 'x'), (2, 'West Ridge', 'y')",
    "INSERT INTO crimes VALUES (1, '2020-01-01 10:00:00', 'THEFT', 1),"
    " (2, '2020-02-01 11:00:00', 'BATTERY', 1), (3, '2021-01-01 12:00:00', 'THEFT', 2)",
]


@pytest.fixture(params=["duckdb", "sqlite", "postgres"])
def engine_url(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, str]:
    """(engine, URL) of a database with the schema above."""
    engine = request.param
    if engine == "postgres":
        url = request.getfixturevalue("postgres_url")
    else:
        url = f"{engine}:///{tmp_path / 'guarded.db'}"
    with open_for_writing(url) as connection:
        for statement in SCHEMA:
            connection.execute(statement)
        connection.commit()
    return engine, url


@pytest.fixture
def guarded(engine_url: tuple[str, str]) -> Iterator[Callable[..., tuple[str, Guard]]]:
    """Call with settings to get (engine, guard)."""
    engine, url = engine_url
    opened: list[SqlDatabase] = []

    def open_guard(settings: Settings | None = None) -> tuple[str, Guard]:
        database = connect(url, settings)
        assert isinstance(database, SqlDatabase)
        opened.append(database)
        return engine, Guard(database)

    yield open_guard
    for database in opened:
        database.close()


SHOP = Path(__file__).parent / "sql" / "shop.sql"


def statements() -> list[str]:
    """The statements of the shop, comments left out."""
    lines = SHOP.read_text(encoding="utf-8").splitlines()
    text = "\n".join(line for line in lines if not line.startswith("--"))
    return [part.strip() for part in text.split(";") if part.strip()]


@pytest.fixture(scope="session", params=["duckdb", "sqlite", "postgres"])
def shop(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[SqlDatabase]:
    """The shop, open for reading, in each engine in turn."""
    server: PostgresServer | None = None
    if request.param == "postgres":
        server = request.getfixturevalue("postgres_server")
        url = server.create_database()
    else:
        url = f"{request.param}:///{tmp_path_factory.mktemp('shop') / 'shop.db'}"
    with open_for_writing(url) as connection:
        for statement in statements():
            connection.execute(statement)
        connection.commit()
    database = connect(url)
    assert isinstance(database, SqlDatabase)
    yield database
    database.close()
    if server is not None:
        server.drop_database(url)

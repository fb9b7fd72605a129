"""The databases on which drafts are judged, in each engine, open for the whole session.

`guarded` is a small one, `shop` has rows that the statistics checks are about. Both are read only:
a test that writes fills one of its own by `engine_url`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pytest

from groundwire.database import SqlDatabase, connect
from groundwire.database.writing import open_for_writing
from groundwire.guard import Guard
from groundwire.settings import Settings
from tests.postgres_server import PostgresServer

ENGINES = ("duckdb", "sqlite", "postgres")
SCHEMA = [
    "CREATE TABLE areas (area integer PRIMARY KEY, area_name text, secret text)",
    "CREATE TABLE crimes (id integer PRIMARY KEY, happened timestamp, primary_type text,"
    " area integer REFERENCES areas (area))",
    'CREATE TABLE camel (id integer, "createdAt" timestamp)',
    "INSERT INTO areas VALUES (1, 'Rogers Park', 'x'), (2, 'West Ridge', 'y')",
    "INSERT INTO crimes VALUES (1, '2020-01-01 10:00:00', 'THEFT', 1),"
    " (2, '2020-02-01 11:00:00', 'BATTERY', 1), (3, '2021-01-01 12:00:00', 'THEFT', 2)",
]
SHOP = Path(__file__).parent / "sql" / "shop.sql"

Open = Callable[[str, Settings | None], SqlDatabase]


def fill(url: str, statements: list[str]) -> None:
    with open_for_writing(url) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def shop_statements() -> list[str]:
    """The statements of the shop, comments left out."""
    lines = SHOP.read_text(encoding="utf-8").splitlines()
    text = "\n".join(line for line in lines if not line.startswith("--"))
    return [part.strip() for part in text.split(";") if part.strip()]


@pytest.fixture(params=ENGINES)
def engine_url(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, str]:
    """(engine, URL) of a database with the schema above that is new for each test."""
    engine = request.param
    if engine == "postgres":
        url = request.getfixturevalue("postgres_url")
    else:
        url = f"{engine}:///{tmp_path / 'guarded.db'}"
    fill(url, SCHEMA)
    return engine, url


def opener(
    name: str, statements: list[str], request: pytest.FixtureRequest, kept: ExitStack
) -> Open:
    """Fills one database of an engine and opens one connection with some settings, when asked."""
    folders: pytest.TempPathFactory = request.getfixturevalue("tmp_path_factory")

    @cache
    def filled(engine: str) -> str:
        if engine == "postgres":
            server: PostgresServer = request.getfixturevalue("postgres_server")
            url = server.create_database()  # it goes with the server
        else:
            url = f"{engine}:///{folders.mktemp(name) / f'{name}.db'}"
        fill(url, statements)
        return url

    @cache
    def opened(engine: str, settings: Settings | None) -> SqlDatabase:
        database = connect(filled(engine), settings)
        assert isinstance(database, SqlDatabase)
        return kept.enter_context(database)

    return opened


@pytest.fixture(scope="session")
def open_guarded(request: pytest.FixtureRequest) -> Iterator[Open]:
    with ExitStack() as kept:
        yield opener("guarded", SCHEMA, request, kept)


@pytest.fixture(scope="session")
def open_shop(request: pytest.FixtureRequest) -> Iterator[Open]:
    with ExitStack() as kept:
        yield opener("shop", shop_statements(), request, kept)


@pytest.fixture(params=ENGINES)
def guarded(request: pytest.FixtureRequest, open_guarded: Open) -> Callable[..., tuple[str, Guard]]:
    """Call with settings to get (engine, guard)."""
    engine = request.param

    def open_guard(settings: Settings | None = None) -> tuple[str, Guard]:
        return engine, Guard(open_guarded(engine, settings))

    return open_guard


@pytest.fixture(params=ENGINES)
def shop(request: pytest.FixtureRequest, open_shop: Open) -> SqlDatabase:
    """The shop, open for reading, in each engine in turn."""
    return open_shop(request.param, None)

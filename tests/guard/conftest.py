"""The small database on which drafts are judged, in each engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from groundwire.database import SqlDatabase, connect
from groundwire.database.writing import open_for_writing
from groundwire.guard import Guard
from groundwire.settings import Settings

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

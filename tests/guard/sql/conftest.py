"""The shop on which the statistics checks are judged, once a session in each engine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from groundwire.database import SqlDatabase, connect
from groundwire.database.writing import open_for_writing
from tests.postgres_server import PostgresServer

SHOP = Path(__file__).with_name("shop.sql")


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

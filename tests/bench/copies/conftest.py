"""A small shop in SQLite and in DuckDB, with keys, references, ties and NULLs."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundwire.database.writing import open_for_writing

SHOP = (
    "CREATE TABLE city (id INTEGER PRIMARY KEY, name VARCHAR NOT NULL, country VARCHAR)",
    """CREATE TABLE client (
        id INTEGER PRIMARY KEY, city_id INTEGER REFERENCES city (id), name VARCHAR UNIQUE,
        age INTEGER CHECK (age < 200), joined DATE)""",
    """CREATE TABLE sale (
        client_id INTEGER REFERENCES client (id), item VARCHAR, price DOUBLE,
        PRIMARY KEY (client_id, item))""",
    "CREATE VIEW adult AS SELECT * FROM client WHERE age >= 18",
    """INSERT INTO city VALUES (1, 'Oslo', 'Norway'), (2, 'Bergen', 'Norway'),
        (3, 'Paris', 'France'), (4, 'Lyon', 'France'), (5, 'Atlantis', NULL)""",
    """INSERT INTO client VALUES (1, 1, 'Ann', 18, '2020-01-01'), (2, 1, 'Bob', 30, '2020-06-01'),
        (3, 3, 'Cyd', 41, '2021-01-01'), (4, 4, 'Dan', 30, NULL), (5, NULL, 'Eve', 17, NULL)""",
    """INSERT INTO sale VALUES (1, 'tea', 2.5), (1, 'jam', 4.0), (2, 'tea', 2.5),
        (3, 'tea', 2.75), (4, 'ink', 9.99)""",
)


@pytest.fixture(params=["sqlite", "duckdb"])
def shop(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Its URL, in each engine in turn."""
    return _made(request.param, tmp_path)


@pytest.fixture
def sqlite_shop(tmp_path: Path) -> str:
    """Its URL in SQLite, of which copies are made in a moment."""
    return _made("sqlite", tmp_path)


def _made(engine: str, folder: Path) -> str:
    url = f"{engine}:///{folder / f'my shop.{engine}'}"
    with open_for_writing(url) as connection:
        for statement in SHOP:
            connection.execute(statement)
    return url

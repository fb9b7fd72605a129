"""Operators and types that PostgreSQL's extensions bring are read, and what is behind them seen."""

from __future__ import annotations

import psycopg
import pytest

from groundwire.database import SqlDatabase, connect
from groundwire.database.writing import open_for_writing
from groundwire.guard import Guard

ADMITTED = [
    "SELECT name FROM places WHERE name % 'Rogers'",
    "SELECT name FROM places WHERE 'Rog' <% name OR name %> 'Rog' OR 'Rog' <<% name",
    "SELECT name FROM places ORDER BY name <-> 'Rogers', name <->>> 'Rog', 'Rog' <<<-> name",
    "SELECT '(1,2)'::cube <-> cube '(3,4)' AS apart, cube(array[1,2]) AS corner FROM places",
    "SELECT cube(array[1,2]) <#> '(3,4)'::cube AS taxi, '(1,2)'::cube ~> 1 AS first FROM places",
]


def test_the_operators_of_extensions_are_admitted(postgres15_url: str) -> None:
    try:
        with open_for_writing(postgres15_url) as connection:
            connection.execute("CREATE EXTENSION pg_trgm")
            connection.execute("CREATE EXTENSION cube")
            connection.execute("CREATE TABLE places (name text)")
            connection.execute("INSERT INTO places VALUES ('Rogers Park')")
            connection.commit()
    except psycopg.errors.FeatureNotSupported as error:
        pytest.skip(f"the server has no contributed extensions: {error}")
    with connect(postgres15_url) as database:
        assert isinstance(database, SqlDatabase)
        for draft in ADMITTED:
            verdict = Guard(database).check(draft)
            assert verdict.outcome == "admitted", (draft, verdict.error)
            database.execute(verdict.query)
        hidden = Guard(database).check("SELECT name FROM places WHERE name % pg_sleep(1)::text")
        assert hidden.outcome == "refused"
        assert hidden.findings[0].code == "NOT_READ_ONLY"

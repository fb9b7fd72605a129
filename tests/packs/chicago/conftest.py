"""Small exports in the portal's format, and databases to load them into."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from groundwire.packs.chicago import generate, load

TODAY = date(2026, 11, 1)
HEADER = (
    "ID", "Case Number", "Date", "Block", "IUCR", "Primary Type", "Description",
    "Location Description", "Arrest", "Domestic", "Beat", "District", "Ward", "Community Area",
    "FBI Code", "X Coordinate", "Y Coordinate", "Year", "Updated On", "Latitude", "Longitude",
    "Location",
)  # fmt: skip

ROW = {
    "ID": "1",
    "Case Number": "HZ100001",
    "Date": "05/04/2016 09:30:00 PM",
    "Block": "012XX W BELMONT AVE",
    "IUCR": "0820",
    "Primary Type": "THEFT",
    "Description": "$500 AND UNDER",
    "Location Description": "STREET",
    "Arrest": "false",
    "Domestic": "false",
    "Beat": "1924",
    "District": "019",
    "Ward": "44",
    "Community Area": "6",
    "FBI Code": "06",
    "X Coordinate": "1167800",
    "Y Coordinate": "1921300",
    "Year": "2016",
    "Updated On": "02/10/2018 03:50:01 PM",
    "Latitude": "41.939700000",
    "Longitude": "-87.659100000",
    "Location": "(41.939700000, -87.659100000)",
}

Query = Callable[[str], list[tuple[Any, ...]]]


def row(**changes: str) -> dict[str, str]:
    """The row above with some cells changed; `case_number="X"` is the cell "Case Number"."""
    names = {name.replace(" ", "_").lower(): name for name in HEADER}
    return {**ROW, **{names[key]: value for key, value in changes.items()}}


def write_export(path: Path, rows: Iterable[Mapping[str, str]]) -> Path:
    """The rows as the portal writes them."""
    with path.open("w", newline="", encoding="utf-8") as target:
        writer = csv.DictWriter(target, HEADER, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return path


def query(url: str, sql: str) -> list[tuple[Any, ...]]:
    """The rows of a statement, on a connection of its own."""
    scheme, _, rest = url.partition(":///")
    if scheme == "duckdb":
        import duckdb

        with duckdb.connect(rest) as connection:
            return connection.execute(sql).fetchall()
    if scheme == "sqlite":
        import sqlite3
        from contextlib import closing

        with closing(sqlite3.connect(rest)) as lite:
            lite.execute("ATTACH ? AS CHICAGO_LOAD", (rest + ".chicago_load",))
            return lite.execute(sql).fetchall()
    import psycopg

    with psycopg.connect(url) as server:
        return server.execute(sql.encode()).fetchall()


@dataclass(frozen=True)
class Synthetic:
    """An export of twenty thousand rows, and the DuckDB that it was loaded into."""

    export: Path
    url: str


@pytest.fixture(scope="session")
def twenty_thousand(tmp_path_factory: pytest.TempPathFactory) -> Synthetic:
    """Synthetic rows of 2001 to 2026 that nothing changes."""
    export = tmp_path_factory.mktemp("synthetic") / "crimes.csv"
    generate(20_000, 7, export, today=TODAY)
    made = Synthetic(export, f"duckdb:///{export.with_suffix('.duckdb')}")
    load(export, made.url)
    return made


@pytest.fixture
def duckdb_url(tmp_path: Path) -> str:
    """A DuckDB file that does not exist yet."""
    return f"duckdb:///{tmp_path}/crimes.duckdb"


@pytest.fixture(params=["duckdb", "sqlite", "postgres"])
def any_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of each kind in turn."""
    if request.param == "postgres":
        return str(request.getfixturevalue("postgres_url"))
    return f"{request.param}:///{tmp_path}/crimes.{request.param}"

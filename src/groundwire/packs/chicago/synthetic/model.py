"""The tables that the statement of `statement.py` reads, in a DuckDB in memory."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from groundwire.packs.chicago.reference import read_table
from groundwire.packs.chicago.synthetic.alias import alias_cells
from groundwire.packs.chicago.synthetic.calendar import Day
from groundwire.packs.chicago.synthetic.city import BLOCKS_PER_PLACE, blocks, places
from groundwire.packs.chicago.synthetic.profiles import Distributions, distributions
from groundwire.packs.chicago.synthetic.statement import macros, rows_statement

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

__all__ = ["prepare"]

# Together they bound the IDs to 8 digits and the case numbers to 6, as long as the rows allow it.
_ID_RANGE, _CASE_RANGE = 12_800_000, 800_000


def prepare(connection: DuckDBPyConnection, calendar: list[Day], rows: int, seed: int) -> str:
    """Create the tables and macros; returns the statement that makes the rows."""
    connection.execute(macros(random.Random(f"rows {seed}").getrandbits(62)))
    _fill(connection, "days", "day DATE, first BIGINT, rows BIGINT, in_year BIGINT", calendar)
    sizes = {
        name: _fill_draws(connection, name, group)
        for name, group in distributions(calendar[-1].day.year).items()
    }
    _fill_types(connection)
    _fill_codes(connection)
    _fill_city(connection)
    busiest = max(day.in_year + day.rows for day in calendar)
    return rows_statement(sizes, max(1, _ID_RANGE // rows), max(1, _CASE_RANGE // busiest))


def _fill_draws(connection: DuckDBPyConnection, name: str, group: Distributions) -> int:
    """The cells of all distributions of a group, equally many for each; returns how many."""
    size = max(sum(weight > 0 for weight in weights) for weights in group.values())
    cells = [
        (profile, *cell)
        for profile, weights in group.items()
        for cell in alias_cells(weights, size)
    ]
    columns = "profile VARCHAR, cell INTEGER, threshold DOUBLE, own INTEGER, other INTEGER"
    _fill(connection, f"draw_{name}", columns, cells)
    return size


def _fill_types(connection: DuckDBPyConnection) -> None:
    columns = """kind INTEGER, primary_type VARCHAR, arrest DOUBLE, domestic DOUBLE, hours VARCHAR,
        places VARCHAR, areas VARCHAR, late DOUBLE, unplaced DOUBLE"""
    names = ("PRIMARY_TYPE", "ARREST", "DOMESTIC", "HOURS", "PLACES", "AREAS", "LATE", "UNPLACED")
    rows = [(n, *(row[name] for name in names)) for n, row in enumerate(read_table("crime_types"))]
    _fill(connection, "crime_types", columns, rows)


def _fill_codes(connection: DuckDBPyConnection) -> None:
    columns = """code INTEGER, iucr VARCHAR, description VARCHAR, fbi_code VARCHAR,
        code_arrest DOUBLE, code_domestic DOUBLE, code_places VARCHAR"""
    names = ("IUCR", "DESCRIPTION", "FBI_CODE", "ARREST", "DOMESTIC", "PLACES")
    rows = [
        (n, *(row[name] or None for name in names))
        for n, row in enumerate(read_table("iucr_codes"))
    ]
    _fill(connection, "iucr_codes", columns, rows)


def _fill_city(connection: DuckDBPyConnection) -> None:
    names = [(n, row["LOCATION_DESCRIPTION"]) for n, row in enumerate(read_table("locations"))]
    _fill(connection, "location_names", "loc INTEGER, location VARCHAR", names)
    rows = [
        (
            block.place * BLOCKS_PER_PLACE + block.number,
            places()[block.place].beat,
            block.block,
            block.ward,
            block.latitude,
            block.longitude,
        )
        for block in blocks()
    ]
    columns = """block_id INTEGER, beat VARCHAR, block VARCHAR, ward INTEGER,
        block_latitude DOUBLE, block_longitude DOUBLE"""
    _fill(connection, "place_blocks", columns, rows)


def _fill(
    connection: DuckDBPyConnection, table: str, columns: str, rows: Iterable[Sequence[Any]]
) -> None:
    """Create and fill a table, one list a column: far faster than row by row."""
    connection.execute(f"CREATE TABLE {table} ({columns})")
    lists = [list(values) for values in zip(*rows, strict=True)]
    unnested = ", ".join(["unnest(?)"] * len(lists))
    connection.execute(f"INSERT INTO {table} SELECT {unnested}", lists)

"""The tables that the statement of `statement.py` reads, in a DuckDB in memory."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

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


class _Table(NamedTuple):
    """A table, its columns as in CREATE TABLE, and the values of each column as a JSON list."""

    name: str
    columns: str
    values: tuple[str, ...]


def prepare(connection: DuckDBPyConnection, calendar: list[Day], rows: int, seed: int) -> str:
    """Create the tables and macros; returns the statement that makes the rows."""
    connection.execute(macros(random.Random(f"rows {seed}").getrandbits(62)))
    _fill(
        connection,
        _table("days", "day DATE, first BIGINT, rows BIGINT, in_year BIGINT", calendar),
    )
    sizes, draws = _draws(calendar[-1].day.year)
    for table in (*draws, *_reference()):
        _fill(connection, table)
    busiest = max(day.in_year + day.rows for day in calendar)
    return rows_statement(sizes, max(1, _ID_RANGE // rows), max(1, _CASE_RANGE // busiest))


@cache
def _draws(last_year: int) -> tuple[dict[str, int], tuple[_Table, ...]]:
    """For each group of distributions the cells that each has, and the table of all cells."""
    groups = distributions(last_year)
    sizes = {
        name: max(sum(weight > 0 for weight in weights) for weights in group.values())
        for name, group in groups.items()
    }
    return sizes, tuple(_cells(name, group, sizes[name]) for name, group in groups.items())


def _cells(name: str, group: Distributions, size: int) -> _Table:
    cells = [
        (profile, *cell)
        for profile, weights in group.items()
        for cell in alias_cells(weights, size)
    ]
    columns = "profile VARCHAR, cell INTEGER, threshold DOUBLE, own INTEGER, other INTEGER"
    return _table(f"draw_{name}", columns, cells)


@cache
def _reference() -> tuple[_Table, ...]:
    """What holds whatever the seed and the days."""
    return _types(), _codes(), _locations(), _blocks()


def _types() -> _Table:
    columns = """kind INTEGER, primary_type VARCHAR, arrest DOUBLE, domestic DOUBLE, hours VARCHAR,
        places VARCHAR, areas VARCHAR, late DOUBLE, unplaced DOUBLE"""
    names = ("PRIMARY_TYPE", "ARREST", "DOMESTIC", "HOURS", "PLACES", "AREAS", "LATE", "UNPLACED")
    rows = [(n, *(row[name] for name in names)) for n, row in enumerate(read_table("crime_types"))]
    return _table("crime_types", columns, rows)


def _codes() -> _Table:
    columns = """code INTEGER, iucr VARCHAR, description VARCHAR, fbi_code VARCHAR,
        code_arrest DOUBLE, code_domestic DOUBLE, code_places VARCHAR"""
    names = ("IUCR", "DESCRIPTION", "FBI_CODE", "ARREST", "DOMESTIC", "PLACES")
    rows = [
        (n, *(row[name] or None for name in names))
        for n, row in enumerate(read_table("iucr_codes"))
    ]
    return _table("iucr_codes", columns, rows)


def _locations() -> _Table:
    names = [(n, row["LOCATION_DESCRIPTION"]) for n, row in enumerate(read_table("locations"))]
    return _table("location_names", "loc INTEGER, location VARCHAR", names)


def _blocks() -> _Table:
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
    return _table("place_blocks", columns, rows)


def _table(name: str, columns: str, rows: Iterable[Sequence[Any]]) -> _Table:
    lists = zip(*rows, strict=True)
    return _Table(name, columns, tuple(json.dumps(values, default=str) for values in lists))


def _fill(connection: DuckDBPyConnection, table: _Table) -> None:
    """Create and fill a table: one text a column is read twice as fast as a list of objects."""
    connection.execute(f"CREATE TABLE {table.name} ({table.columns})")
    types = [column.split()[1] for column in table.columns.split(",")]
    unnested = ", ".join(f"unnest(?::JSON::{kind}[])" for kind in types)
    connection.execute(f"INSERT INTO {table.name} SELECT {unnested}", list(table.values))

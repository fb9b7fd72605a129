"""Cleaning one piece of the file in DuckDB.

The work tables are in a DuckDB in memory, the current one of the connection that cleans, and hold
one piece at a time:

    typed      the 22 columns, cleaned; `reason` of a bad record, `cells` of a changed one
    placed     the same with the line that each record began on, and how many it spans
    incoming   what may go into CRIMES, one row an ID: the 22 columns of `typed`
    changed    what cleaning changed: id, column, old and new value, rule
    refused    the lines that are put aside: line, reason, original text
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from groundwire.packs.chicago.loading.records import BLANK, Record, split_records
from groundwire.packs.chicago.loading.rules import changes_sql, typed_sql
from groundwire.packs.chicago.loading.schema import COLUMNS
from groundwire.packs.chicago.loading.source import Piece

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

__all__ = ["Counts", "clean_piece"]

_DIALECT = """auto_detect = false, header = false, delim = ',', quote = '"', escape = '"',
    new_line = '\\n', max_line_size = 1048576, buffer_size = 8388608"""


@dataclass(frozen=True, slots=True)
class Counts:
    """Of one piece: records (those that are put aside too), blank lines, IDs that it repeats."""

    records: int
    blank: int
    repeated: int


def clean_piece(
    connection: DuckDBPyConnection, piece: Piece, columns: tuple[str, ...], path: Path
) -> Counts:
    """Fill the work tables from a piece of the file.

    Args:
        columns: for each field of a line its column of CRIMES, or "".
        path: a temporary file to use.
    """
    data = piece.data.replace(b"\r\n", b"\n")
    connection.execute("CREATE OR REPLACE TABLE refused (LINE BIGINT, REASON TEXT, ORIGINAL TEXT)")
    blank, split = 0, 0
    if not _read_whole(connection, data, piece, columns, path):
        blank, split = _read_carefully(connection, data, piece, columns, path)
    path.unlink(missing_ok=True)
    records = _one(connection, "SELECT count(*) FROM typed")
    _put_aside(connection, data, piece.first_line)
    repeated = _drop_repeated(connection)
    connection.execute(f"""CREATE OR REPLACE TABLE touched AS
        SELECT {", ".join(COLUMNS)}, unnest(cells) FROM typed WHERE cells IS NOT NULL""")
    connection.execute(f"CREATE OR REPLACE TABLE changed AS {changes_sql('touched')}")
    connection.execute(f"CREATE OR REPLACE VIEW incoming AS SELECT {', '.join(COLUMNS)} FROM typed")
    return Counts(records + split, blank, repeated)


def _read_whole(
    connection: DuckDBPyConnection, data: bytes, piece: Piece, columns: tuple[str, ...], path: Path
) -> bool:
    """DuckDB reads the piece; false if any line of it is not one plain record."""
    import duckdb

    if b"\r" in data or b"\0" in data:
        return False
    path.write_bytes(data)
    try:
        _read_typed(connection, path, _fields(columns), ())
    except duckdb.InvalidInputException:
        return False
    connection.execute(f"""CREATE OR REPLACE VIEW placed AS
        SELECT rowid + {piece.first_line} AS line, 1 AS span, * FROM typed""")
    return _one(connection, "SELECT count(*) FROM typed") == piece.lines


def _read_carefully(
    connection: DuckDBPyConnection, data: bytes, piece: Piece, columns: tuple[str, ...], path: Path
) -> tuple[int, int]:
    """Our own splitter reads the piece; returns the numbers of blank lines and of bad ones."""
    lines = data.split(b"\n")
    if not lines[-1]:
        lines.pop()
    blank, refused = 0, []
    with path.open("w", encoding="utf-8", newline="") as target:
        writer = csv.writer(target, quoting=csv.QUOTE_ALL, lineterminator="\n")
        for found in split_records(lines, piece.first_line, len(columns)):
            if isinstance(found, Record):
                writer.writerow([found.line, found.span, *found.fields])
            elif found.reason == BLANK:
                blank += 1
            else:
                refused.append((found.line, found.reason, found.original))
    places = {"line": "BIGINT", "span": "INTEGER"}
    _read_typed(connection, path, {**places, **_fields(columns)}, tuple(places))
    connection.execute("CREATE OR REPLACE VIEW placed AS FROM typed")
    _refuse(connection, refused)
    return blank, len(refused)


def _fields(columns: tuple[str, ...]) -> dict[str, str]:
    return {_field(n, column): "VARCHAR" for n, column in enumerate(columns)}


def _field(position: int, column: str) -> str:
    return f"r_{column}" if column else f"ignored_{position}"


def _read_typed(
    connection: DuckDBPyConnection, path: Path, fields: dict[str, str], extra: tuple[str, ...]
) -> None:
    name = str(path).replace("'", "''")
    cells = f"read_csv('{name}', columns = {fields}, {_DIALECT})"
    connection.execute(f"CREATE OR REPLACE TABLE typed AS {typed_sql(cells, extra)}")


def _put_aside(connection: DuckDBPyConnection, data: bytes, first_line: int) -> None:
    """Move the records that cannot be loaded from `typed` to `refused`, as they stood."""
    bad = connection.execute(
        "SELECT line, span, reason FROM placed WHERE reason IS NOT NULL ORDER BY line"
    ).fetchall()
    if not bad:
        return
    lines = data.split(b"\n")
    rows = [
        (line, reason, b"\n".join(lines[line - first_line :][:span]).decode("utf-8"))
        for line, span, reason in bad
    ]
    _refuse(connection, rows)
    connection.execute("DELETE FROM typed WHERE reason IS NOT NULL")


def _refuse(connection: DuckDBPyConnection, rows: list[tuple[int, str, str]]) -> None:
    if rows:
        values = [list(column) for column in zip(*rows, strict=True)]
        connection.execute("INSERT INTO refused SELECT unnest(?), unnest(?), unnest(?)", values)


def _drop_repeated(connection: DuckDBPyConnection) -> int:
    """Of rows with one ID keep the one updated last, the first of these in the file."""
    connection.execute("""CREATE OR REPLACE TABLE repeated AS
        SELECT row FROM (
            SELECT rowid AS row, row_number() OVER (
                PARTITION BY ID ORDER BY UPDATED_ON DESC NULLS LAST, rowid) AS place
            FROM typed
            WHERE ID IN (SELECT ID FROM typed GROUP BY ID HAVING count(*) > 1))
        WHERE place > 1""")
    count = _one(connection, "SELECT count(*) FROM repeated")
    if count:
        connection.execute("DELETE FROM typed WHERE rowid IN (SELECT row FROM repeated)")
    return count


def _one(connection: DuckDBPyConnection, sql: str) -> int:
    ((value,),) = connection.execute(sql).fetchall()
    return int(value)

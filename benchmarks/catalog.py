"""How long the catalog of 1,000 tables with 10 columns takes to read, and to find unchanged.

Every table has a primary key, a unique column, a comment on itself and on two columns, and a
foreign key to the table before it; every tenth has an enum column.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator

from groundwire.database import SqlDatabase, connect
from groundwire.database.writing import open_for_writing

TABLES = 1000
RUNS = 5


def main() -> None:
    """Print one line for each engine."""
    from tests.postgres_server import installed_binaries, start_installed, start_packaged

    with tempfile.TemporaryDirectory() as folder:
        measure(f"duckdb:///{folder}/catalog.duckdb", list(ddl(comments=True)))
        measure(f"sqlite:///{folder}/catalog.sqlite", list(ddl(comments=False)))
    servers = [start_packaged()]
    binaries = installed_binaries()
    if binaries is not None:
        servers.append(start_installed(binaries))
    for server in servers:
        try:
            measure(server.create_database(), list(ddl(comments=True)))
        finally:
            server.stop()


def ddl(comments: bool) -> Iterator[str]:
    """The statements that make the tables."""
    if comments:
        yield "CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy')"
    for number in range(TABLES):
        kind = "mood" if comments and number % 10 == 0 else "TEXT"
        before = f"REFERENCES t{number - 1} (id)" if number else ""
        yield (
            f'CREATE TABLE t{number} (id INTEGER PRIMARY KEY, "previousId" INTEGER {before}, '
            f"code VARCHAR(20) UNIQUE, mood {kind}, price NUMERIC(10, 2), made TIMESTAMP, "
            "day DATE, amount BIGINT NOT NULL, share DOUBLE PRECISION, note TEXT)"
        )
        if comments:
            yield f"COMMENT ON TABLE t{number} IS 'Table number {number}'"
            yield f"COMMENT ON COLUMN t{number}.price IS 'in dollars'"
            yield f"COMMENT ON COLUMN t{number}.share IS 'between 0 and 1'"


def measure(url: str, statements: list[str]) -> None:
    """Make the tables and print the median times."""
    with open_for_writing(url) as connection:
        for statement in statements:
            connection.execute(statement)
    with connect(url) as database:
        assert isinstance(database, SqlDatabase)
        first = seconds(lambda: database.catalog(refresh=True))
        columns = sum(len(table.columns) for table in database.catalog().tables)
        again = statistics.median(
            seconds(lambda: database.catalog(refresh=True)) for _ in range(RUNS)
        )
        unchanged = statistics.median(seconds(database.catalog) for _ in range(RUNS))
        print(
            f"{database.server_version()}: {len(database.catalog().tables)} tables, "
            f"{columns} columns: first {first:.3f} s, again {again:.3f} s, "
            f"found unchanged in {unchanged * 1000:.1f} ms"
        )


def seconds(work: Callable[[], object]) -> float:
    """Wall time of one call."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started

"""Generating and loading the Chicago data: rows a second and peak memory of each step.

`GROUNDWIRE_BENCH_ROWS` sets the number of rows (8.5 million, as many as the portal has). Each step
runs in a process of its own, beside what DuckDB needs alone for the same file: reading it, storing
it with its own guesses of the types, and storing it in a table with the pack's keys.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import tempfile
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path

ROWS = int(os.environ.get("GROUNDWIRE_BENCH_ROWS", "8500000"))
TODAY = date(2026, 11, 30)

Step = Callable[[Path], None]


def main() -> None:
    """Print one line for each step."""
    steps: dict[str, Step] = {
        "generate": generate_rows,
        "load into DuckDB": load_rows,
        "load again, all there": load_rows,
        "DuckDB: read_csv": duckdb_reads,
        "DuckDB: CREATE TABLE AS read_csv": duckdb_stores,
        "DuckDB: COPY into the same tables": duckdb_copies,
    }
    print(f"{ROWS:,} rows")
    with tempfile.TemporaryDirectory(prefix="groundwire-bench-") as folder:
        for name, step in steps.items():
            seconds, processor, megabytes = measure(step, Path(folder))
            print(
                f"{name:36} {seconds:8.1f} s  {ROWS / seconds:10,.0f} rows/s"
                f"  {processor:8.1f} s of processor  {megabytes:6,.0f} MB peak",
                flush=True,
            )


def measure(step: Step, folder: Path) -> tuple[float, float, float]:
    """Seconds, seconds of processor time and peak megabytes of a step in a new process."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=report, args=(step, folder, sender))
    process.start()
    sender.close()
    measured: tuple[float, float, float] = receiver.recv()
    process.join()
    return measured


def report(step: Step, folder: Path, sender: multiprocessing.connection.Connection) -> None:
    """Run a step and send what it took."""
    started = time.perf_counter()
    step(folder)
    seconds = time.perf_counter() - started
    usage = resource.getrusage(resource.RUSAGE_SELF)
    sender.send((seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024))


def generate_rows(folder: Path) -> None:
    from groundwire.packs.chicago import generate

    generate(ROWS, 7, folder / "crimes.csv", today=TODAY)


def load_rows(folder: Path) -> None:
    from groundwire.packs.chicago import load

    result = load(folder / "crimes.csv", f"duckdb:///{folder}/crimes.duckdb")
    assert result.inserted + result.already_there == result.lines == ROWS


def duckdb_reads(folder: Path) -> None:
    execute(
        folder,
        f"""SELECT count("Block"), count("Location"), max("Updated On")
            FROM read_csv('{folder}/crimes.csv', all_varchar = true)""",
    )


def duckdb_stores(folder: Path) -> None:
    execute(folder, f"CREATE TABLE crimes AS FROM read_csv('{folder}/crimes.csv')")


def duckdb_copies(folder: Path) -> None:
    from groundwire.packs.chicago.loading.schema import TABLES
    from groundwire.packs.chicago.reference import read_table

    areas = ", ".join(f"({row['COMMUNITY_AREA']}, '')" for row in read_table("community_areas"))
    codes = ", ".join(f"('{row['IUCR']}', '', '', '')" for row in read_table("iucr_codes"))
    execute(
        folder,
        *(f"CREATE TABLE {table} ({definition})" for table, definition in TABLES.items()),
        f"INSERT INTO COMMUNITY_AREAS VALUES {areas}",
        f"INSERT INTO IUCR_CODES VALUES {codes}",
        f"""COPY CRIMES FROM '{folder}/crimes.csv'
            (HEADER, TIMESTAMPFORMAT '%m/%d/%Y %I:%M:%S %p')""",
    )


def execute(folder: Path, *statements: str) -> None:
    """Run statements in a new DuckDB file with the memory that a load allows itself."""
    import duckdb

    path = folder / "plain.duckdb"
    path.unlink(missing_ok=True)
    with duckdb.connect(str(path), config={"memory_limit": "900MB"}) as connection:
        connection.execute("SET enable_progress_bar = false")
        for statement in statements:
            connection.execute(statement).fetchall()


if __name__ == "__main__":
    main()

"""Write a synthetic export of the city portal, the same bytes for the same seed and day."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from groundwire.errors import StorageError, UsageError
from groundwire.packs.cancelling import cancellable
from groundwire.packs.chicago.synthetic.calendar import FIRST_DAY, Day, days
from groundwire.packs.chicago.synthetic.model import prepare
from groundwire.packs.progress import Progress, silent

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

__all__ = ["Generated", "generate"]

_ROWS_PER_PART = 200_000
_WORKERS = max(1, min(4, os.cpu_count() or 1))
_MOST_ROWS = 100_000_000
# One thread a statement, since the workers are the parallel part; joins stay in the written order,
# so that the rows come in the order of their numbers.
_CONFIGURATION: dict[str, str | bool | int | float | list[str]] = {
    "threads": 1,
    "memory_limit": "800MB",
    "disabled_optimizers": "join_order,build_side_probe_side",
}


@dataclass(frozen=True, slots=True)
class Generated:
    """What `generate` wrote."""

    path: Path
    rows: int
    size: int
    seconds: float


def generate(
    rows: int,
    seed: int,
    out: Path,
    *,
    today: date | None = None,
    progress: Progress = silent,
) -> Generated:
    """Write `rows` synthetic crimes from 2001 to the day before `today` in the portal's CSV format.

    The file appears under its name only when it is complete.

    Args:
        rows: 1 to 100 million.
        seed: decides every value; same seed, rows and day give the same bytes.
        out: the CSV file; a name that ends in `.gz` is compressed.
        today: None = the current day.

    Raises:
        UsageError: a number or the path makes no sense.
        StorageError: the file cannot be written.
        Cancelled: interrupted from the keyboard.
    """
    today = date.today() if today is None else today
    _check(rows, out, today)
    started = time.monotonic()
    with _storage_errors(out):
        folder = Path(tempfile.mkdtemp(prefix=f".{out.name}.", dir=out.parent))
    whole = folder / "whole"
    try:
        with _storage_errors(out), cancellable("Stopped; nothing was written.", "Run it again."):
            _write(days(rows, seed, today), rows, seed, today, whole, out.suffix == ".gz", progress)
            size = whole.stat().st_size
            os.replace(whole, out)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return Generated(out, rows, size, time.monotonic() - started)


def _check(rows: int, out: Path, today: date) -> None:
    if not 1 <= rows <= _MOST_ROWS:
        raise UsageError(f"Cannot generate {rows} rows.", hint=f"Ask for 1 to {_MOST_ROWS:,}.")
    if today <= FIRST_DAY:
        raise UsageError(f"The data begin in {FIRST_DAY.year}; {today} is too early.")
    if out.is_dir():
        raise UsageError(
            f"{out} is a folder.", hint="Name a file, such as crimes.csv or crimes.csv.gz."
        )
    if not out.parent.is_dir():
        raise UsageError(f"There is no folder {out.parent}.", hint="Create it first.")


@contextmanager
def _storage_errors(out: Path) -> Iterator[None]:
    import duckdb

    try:
        yield
    except (OSError, duckdb.IOException) as error:
        raise StorageError(
            f"Cannot write {out}: {error}",
            hint="Choose a place with enough space that you may write.",
        ) from error


def _write(
    calendar: list[Day],
    rows: int,
    seed: int,
    today: date,
    whole: Path,
    compress: bool,
    progress: Progress,
) -> None:
    """Make the parts in parallel, each by a COPY of its own, and join them in their order."""
    import duckdb

    options = "FORMAT csv, HEADER {header}" + (", COMPRESSION gzip" if compress else "")
    with (
        duckdb.connect(":memory:", config=_CONFIGURATION) as connection,
        whole.open("wb") as target,
        ThreadPoolExecutor(_WORKERS) as pool,
    ):
        statement = prepare(connection, calendar, rows, seed)
        cursors: list[DuckDBPyConnection] = []

        def make(start: int) -> Path:
            """Write the rows of the days that begin in one range of row numbers."""
            cursor = connection.cursor()
            cursors.append(cursor)
            cursor.execute("SET enable_progress_bar = false")
            path = whole.with_name(f"part{start}")
            target_name = str(path).replace("'", "''")
            copy = f"COPY ({statement}) TO '{target_name}' ({options.format(header=start == 0)})"
            bounds = {"start": start, "stop": start + _ROWS_PER_PART, "today": today}
            cursor.execute(copy, bounds)
            return path

        try:
            for done, path in enumerate(_in_order(pool, make, range(0, rows, _ROWS_PER_PART)), 1):
                with path.open("rb") as part:
                    shutil.copyfileobj(part, target, 1 << 20)
                path.unlink()
                progress("generating", min(1.0, done * _ROWS_PER_PART / rows))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for cursor in cursors:
                cursor.interrupt()
            raise


def _in_order(
    pool: ThreadPoolExecutor, work: Callable[[int], Path], starts: Iterable[int]
) -> Iterator[Path]:
    """The results in the order of `starts`, only a few of them made ahead."""
    pending: deque[Future[Path]] = deque()
    for start in starts:
        pending.append(pool.submit(work, start))
        if len(pending) > _WORKERS + 1:
            yield pending.popleft().result()
    while pending:
        yield pending.popleft().result()

"""Load an export of the city portal into a database."""

from __future__ import annotations

import time
from contextlib import closing
from pathlib import Path

from groundwire.database.url import mask
from groundwire.packs.cancelling import cancellable
from groundwire.packs.chicago.loading.ahead import cleaned_pieces
from groundwire.packs.chicago.loading.catalog import prepare_tables
from groundwire.packs.chicago.loading.filling import fill_pending
from groundwire.packs.chicago.loading.merging import merge_piece
from groundwire.packs.chicago.loading.progress import Run, begin
from groundwire.packs.chicago.loading.report import LoadReport
from groundwire.packs.chicago.loading.source import Source, open_source
from groundwire.packs.chicago.loading.targets import Target, open_target
from groundwire.packs.progress import Progress, silent

__all__ = ["load"]


def load(file: Path, url: str, *, progress: Progress = silent) -> LoadReport:
    """Clean the file as the SQL-agent paper's table 1 says and merge it into the database by ID.

    A row replaces the one of its ID only if it was updated later. The file is taken in pieces, each
    in one transaction that also notes how far the load is, so an interrupted load goes on where it
    was; what only the whole file can tell (missing coordinates and dates) is filled in at the end.
    Lines that are no records are put aside in `CHICAGO_LOAD.REJECTED`.

    Args:
        file: the CSV, as the portal gives it or compressed with gzip.
        url: `duckdb:///file`, `sqlite:///file` or `postgresql://…`; a missing file is created.

    Raises:
        UsageError: the file is not the portal's export or the URL names no database to load into.
        StorageError: the file cannot be read, the disk is full or the database not writable.
        Cancelled: interrupted from the keyboard; the same call goes on later.
        OperatorError: as `groundwire.connect`.
    """
    started = time.monotonic()
    progress("checking the file", 0.0)
    source = open_source(file)
    with (
        cancellable(
            "The load was stopped.", "What is loaded stays; the same command goes on from there."
        ),
        open_target(url) as target,
    ):
        prepare_tables(target)
        run = begin(target, source)
        _load_pieces(target, source, run, progress)
        progress("filling in what is missing", 1.0)
        fill_pending(target, run)
        target.tidy()
        return _report(target, source, run, mask(url), time.monotonic() - started)


def _load_pieces(target: Target, source: Source, run: Run, progress: Progress) -> None:
    # Closed here, so that the thread that cleans has ended before the target is.
    with closing(cleaned_pieces(target, source, run.next_byte, run.next_line)) as pieces:
        for cleaned in pieces:
            merge_piece(target, run, cleaned)
            progress("loading", cleaned.piece.next_byte / source.size)


def _report(target: Target, source: Source, run: Run, url: str, seconds: float) -> LoadReport:
    return LoadReport(
        file=str(source.path),
        url=url,
        lines=run.tally["lines"],
        inserted=run.tally["inserted"],
        updated=run.tally["updated"],
        already_there=run.tally["already_there"],
        duplicates=run.tally["duplicates"],
        rejected=_grouped(target, "REJECTED", "REASON", run),
        changes=_grouped(target, "CHANGES", "RULE", run),
        coordinates_missing=run.tally["coordinates_missing"],
        blank_lines=run.tally["blank"],
        ignored_columns=source.ignored,
        resumed=run.resumed,
        seconds=seconds,
    )


def _grouped(target: Target, table: str, column: str, run: Run) -> dict[str, int]:
    rows = target.execute(
        f"""SELECT {column}, count(*) FROM CHICAGO_LOAD.{table} WHERE LOAD_ID = ?
            GROUP BY {column} ORDER BY count(*) DESC, {column}""",
        run.number,
    )
    return {str(name): int(count) for name, count in rows}

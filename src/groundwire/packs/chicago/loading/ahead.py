"""Cleaning in a thread of its own, one piece ahead of the one that is being merged."""

from __future__ import annotations

from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import cycle

from groundwire.packs.chicago.loading.cleaning import Counts, clean_piece
from groundwire.packs.chicago.loading.source import Piece, Source
from groundwire.packs.chicago.loading.targets import WORK, Target

__all__ = ["Cleaned", "cleaned_pieces"]


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A piece whose rows are in the work tables of the DuckDB `work`, until the next but one."""

    piece: Piece
    counts: Counts
    work: str


def cleaned_pieces(
    target: Target, source: Source, next_byte: int, next_line: int
) -> Generator[Cleaned]:
    """The pieces from a place of the file on, each cleaned while the one before is merged."""
    pieces = source.pieces(next_byte, next_line)

    def clean_next(work: str) -> Cleaned | None:
        piece = next(pieces, None)
        if piece is None:
            return None
        with target.engine.cursor() as cursor:
            cursor.execute("SET enable_progress_bar = false")
            cursor.execute(f"USE {work}")
            path = target.folder / f"{work}.csv"
            return Cleaned(piece, clean_piece(cursor, piece, source.columns, path), work)

    works = cycle(WORK)
    with ThreadPoolExecutor(1, thread_name_prefix="clean") as pool:
        ahead = pool.submit(clean_next, next(works))
        while (cleaned := ahead.result()) is not None:
            ahead = pool.submit(clean_next, next(works))
            yield cleaned

"""The ceiling on the bytes of a result: a few huge values fill a memory as many rows do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from groundwire.errors import QueryError

__all__ = ["TOO_LARGE", "too_large", "within"]

TOO_LARGE = "TOO_LARGE"
SMALL = 16
"""Bytes that a number, a date or the like is counted for."""


def within(rows: Iterable[tuple[Any, ...]], most: int, max_bytes: int) -> list[tuple[Any, ...]]:
    """The first `most` rows; what comes behind the ceiling is never asked for.

    Args:
        rows: as they come from the database.
        most: rows.
        max_bytes: of all values together, each character counted as one.

    Raises:
        QueryError: the values take more.
    """
    found: list[tuple[Any, ...]] = []
    size = 0
    for row in islice(rows, most):
        size += sum(map(_size, row))
        if size > max_bytes:
            raise too_large(max_bytes, f"after {len(found):,} of its rows")
        found.append(row)
    return found


def too_large(max_bytes: int, where: str) -> QueryError:
    """The error of a result, or of one value in it, that is above the ceiling."""
    return QueryError(
        f"The result was stopped {where}: it holds more than {max_bytes:,} bytes.",
        hint="Select fewer or shorter values, or raise the limit (GROUNDWIRE_MAX_BYTES).",
        code=TOO_LARGE,
    )


def _size(value: Any) -> int:
    if isinstance(value, str | bytes | bytearray | memoryview):
        return len(value)
    return sum(map(_size, _parts(value))) + SMALL


def _parts(value: Any) -> Iterator[Any]:
    if isinstance(value, Mapping):
        yield from value
        yield from value.values()
    elif isinstance(value, list | tuple | set | frozenset):
        yield from value

"""The words that cannot stand as a name without quotes."""

from __future__ import annotations

from functools import cache
from importlib import resources

__all__ = ["reserved_words"]


@cache
def reserved_words() -> frozenset[str]:
    """Words, in capitals, that PostgreSQL, DuckDB or SQLite do not take as a bare name."""
    file = resources.files(__package__).joinpath("reserved_words.txt")
    return frozenset(file.read_text("utf-8").split())

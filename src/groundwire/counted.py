"""A number with the noun that it counts, for every sentence that a person reads."""

from __future__ import annotations

__all__ = ["counted"]


def counted(number: int, one: str, many: str = "") -> str:
    """`1 row`, `2,000 rows`; `many` is what stands behind other numbers where an s is not enough.

    It may take the verb along: `counted(n, "row is left", "rows are left")`.
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"

"""What a sample says of the whole."""

from __future__ import annotations

import math

__all__ = ["share_interval", "unseen_pairs"]


def unseen_pairs(seen: int, rows: int) -> float:
    """The share of rows that may repeat another one though a sample shows no two alike.

    Of D pairs a sample shows D·(seen/rows)² on average; none is seen with less than 5 percent
    chance where that is above 3 (rule of three).
    """
    return min(1.0, 3 * rows / seen**2) if seen else 1.0


def share_interval(found: int, seen: int) -> tuple[float, float]:
    """The 95 percent interval of a share (Wilson 1927, score interval)."""
    if not seen:
        return 0.0, 1.0
    z, share = 1.96, found / seen
    centre = share + z * z / (2 * seen)
    spread = z * math.sqrt(share * (1 - share) / seen + z * z / (4 * seen * seen))
    scale = 1 + z * z / seen
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)

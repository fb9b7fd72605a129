"""Drawing from a discrete distribution with one random number: Walker's alias method.

A distribution over k outcomes becomes k cells of equal width; each holds at most two outcomes, its
own up to a threshold and another one beyond it. So a table join on the cell's number draws from
any distribution exactly, in constant time (A. J. Walker, ACM TOMS 3(3), 1977).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["Cell", "alias_cells"]


class Cell(NamedTuple):
    """Outcome `own` while the fraction drawn within the cell is below `threshold`, else `other`."""

    cell: int
    threshold: float
    own: int
    other: int


def alias_cells(weights: Sequence[float], size: int) -> list[Cell]:
    """The cells of a distribution over the positions of `weights`.

    Args:
        weights: not negative, not all zero; they need not add up to one.
        size: number of cells, at least the number of positive weights.
    """
    positions = [index for index, weight in enumerate(weights) if weight > 0]
    positions += positions[-1:] * (size - len(positions))
    total, known = sum(weights), len({*positions})
    scaled = [weights[p] * size / total if n < known else 0.0 for n, p in enumerate(positions)]
    small = [n for n, value in enumerate(scaled) if value < 1]
    large = [n for n, value in enumerate(scaled) if value >= 1]
    cells: dict[int, Cell] = {}
    while small and large:
        low, high = small.pop(), large.pop()
        cells[low] = Cell(low, scaled[low], positions[low], positions[high])
        scaled[high] -= 1 - scaled[low]
        (small if scaled[high] < 1 else large).append(high)
    for rest in small + large:
        cells[rest] = Cell(rest, 1.0, positions[rest], positions[rest])
    return [cells[n] for n in range(size)]

"""How far a figure can be trusted: intervals for shares and means, tests for pairs.

Everything is seeded: the same values give the same interval.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean

__all__ = ["Estimate", "McNemar", "difference", "estimate", "mcnemar"]

RESAMPLES = 2_000
DRAWS = 4_000_000
"""Values drawn for one interval at most: a large sample is resampled less often."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean of `count` values with its interval; `method` says how that was found."""

    mean: float
    low: float
    high: float
    count: int
    method: str

    def to_json(self) -> dict[str, float | int | str]:
        """`{mean, low, high, count, method}`, to six digits."""
        return {
            "mean": round(self.mean, 6),
            "low": round(self.low, 6),
            "high": round(self.high, 6),
            "count": self.count,
            "method": self.method,
        }

    def __str__(self) -> str:
        return f"{self.mean:.3f} [{self.low:.3f}, {self.high:.3f}]"


@dataclass(frozen=True, slots=True)
class McNemar:
    """Paired right and wrong: `gained` = only the second is right, `lost` = only the first.

    `p` is the exact two-sided probability of a split at least this uneven by chance.
    """

    gained: int
    lost: int
    p: float


def estimate(values: Sequence[float], level: float = 0.95, seed: int = 0) -> Estimate | None:
    """The mean of values with an interval; None where there is no value.

    A share (values 0 and 1) gets Wilson's score interval (E. B. Wilson, JASA 22, 1927): a
    bootstrap of values that are all equal has no width, however few they are. Any other mean gets
    a percentile bootstrap (B. Efron, Ann. Statist. 7, 1979) over the values.
    """
    if not values:
        return None
    if all(value in (0, 1) for value in values):
        low, high = _wilson(sum(values), len(values), level)
        return Estimate(fmean(values), low, high, len(values), "wilson")
    low, high = _bootstrap(values, level, seed)
    return Estimate(fmean(values), low, high, len(values), "bootstrap")


def difference(
    first: Sequence[float], second: Sequence[float], level: float = 0.95, seed: int = 0
) -> Estimate | None:
    """The mean of `second - first`, pair by pair, with a percentile bootstrap over the pairs.

    Raises:
        ValueError: they are not equally long.
    """
    gains = [after - before for before, after in zip(first, second, strict=True)]
    if not gains:
        return None
    low, high = _bootstrap(gains, level, seed)
    return Estimate(fmean(gains), low, high, len(gains), "paired bootstrap")


def mcnemar(first: Sequence[bool], second: Sequence[bool]) -> McNemar:
    """The exact McNemar test (Q. McNemar, Psychometrika 12, 1947) on paired verdicts.

    Under chance the pairs that differ split like a fair coin: a two-sided binomial test.

    Raises:
        ValueError: they are not equally long.
    """
    pairs = list(zip(first, second, strict=True))
    gained = sum(after and not before for before, after in pairs)
    lost = sum(before and not after for before, after in pairs)
    return McNemar(gained, lost, _coin(min(gained, lost), gained + lost))


def _coin(few: int, tosses: int) -> float:
    """Twice the probability of at most `few` heads."""
    if tosses == 0:
        return 1.0
    ways = sum(math.comb(tosses, heads) for heads in range(few + 1))
    return min(1.0, float(2 * ways / 2**tosses))


def _wilson(right: float, count: int, level: float) -> tuple[float, float]:
    z = NormalDist().inv_cdf(0.5 + level / 2)
    share, weight = right / count, z * z / count
    middle = (share + weight / 2) / (1 + weight)
    half = z * math.sqrt(share * (1 - share) / count + weight / (4 * count)) / (1 + weight)
    low = 0.0 if right == 0 else middle - half
    return low, 1.0 if right == count else middle + half


def _bootstrap(values: Sequence[float], level: float, seed: int) -> tuple[float, float]:
    chance, size = random.Random(seed), len(values)
    resamples = max(200, min(RESAMPLES, DRAWS // size))
    means = sorted(fmean(chance.choices(values, k=size)) for _ in range(resamples))
    cut = (1 - level) / 2
    return means[math.floor(cut * resamples)], means[math.ceil((1 - cut) * resamples) - 1]

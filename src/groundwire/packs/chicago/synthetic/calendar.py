"""How many crimes are reported on each day: yearly totals, seasons, weekdays and special days."""

from __future__ import annotations

import random
from datetime import date, timedelta
from itertools import accumulate
from typing import NamedTuple

__all__ = ["FIRST_DAY", "Day", "days"]

FIRST_DAY = date(2001, 1, 1)

# Thousands of crimes a year after the portal's totals; later years repeat the last one.
_YEARS = (486, 487, 476, 470, 454, 448, 437, 427, 393, 371, 352, 336, 308, 276, 265, 270, 269, 269,
          262, 213, 209, 240, 263, 260, 238)  # fmt: skip
_MONTHS = (0.90, 0.88, 0.95, 0.98, 1.05, 1.07, 1.11, 1.10, 1.05, 1.03, 0.96, 0.92)
_WEEKDAYS = (0.98, 0.98, 0.99, 0.99, 1.06, 1.02, 0.98)
_LOCKDOWN = (date(2020, 3, 20), date(2020, 6, 3), 0.78)
_SPECIAL = {(1, 1): 1.7, (7, 4): 1.06, (10, 31): 1.08, (12, 24): 0.86, (12, 25): 0.70}
_UNREST = date(2020, 5, 31)


class Day(NamedTuple):
    """`rows` reports were made on `day`, the first of them with the number `first`.

    `in_year` is the number of the day's first report within its year.
    """

    day: date
    first: int
    rows: int
    in_year: int


def days(rows: int, seed: int, today: date) -> list[Day]:
    """Spread `rows` reports over every day from `FIRST_DAY` up to the day before `today`."""
    draw = random.Random(f"days {seed}")
    calendar = [FIRST_DAY + timedelta(n) for n in range((today - FIRST_DAY).days)]
    sums = list(accumulate(_weight(day) * draw.uniform(0.92, 1.08) for day in calendar))
    ends = [round(rows * value / sums[-1]) for value in sums]
    found: list[Day] = []
    first, year_start = 0, 0
    for day, end in zip(calendar, ends, strict=True):
        if (day.month, day.day) == (1, 1):
            year_start = first
        found.append(Day(day, first, end - first, first - year_start))
        first = end
    return found


def _weight(day: date) -> float:
    year = _YEARS[min(day.year - FIRST_DAY.year, len(_YEARS) - 1)]
    weight = year * _MONTHS[day.month - 1] * _WEEKDAYS[day.weekday()]
    if _LOCKDOWN[0] <= day <= _LOCKDOWN[1]:
        weight *= _LOCKDOWN[2]
    if day == _UNREST:
        weight *= 3.2
    return weight * _SPECIAL.get((day.month, day.day), 1.0)

"""What is drawn for a report: its type, code, hour, place and kind of place.

Each is a named group of distributions; the weights are those of the tables in `data/`, and an
outcome is the position of a row in its table.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

from groundwire.packs.chicago.reference import read_table
from groundwire.packs.chicago.synthetic.calendar import FIRST_DAY
from groundwire.packs.chicago.synthetic.city import places

__all__ = ["Distributions", "distributions"]

_SHARE_YEARS = (2001, 2010, 2019, 2025)
# Before these years the state had no such offence.
_FIRST_YEAR = {"CONCEALED CARRY LICENSE VIOLATION": 2014, "HUMAN TRAFFICKING": 2013}
_AREA_PROFILES = {"general": "", "violence": "VIOLENCE", "commerce": "COMMERCE", "drugs": "DRUGS"}

Distributions = Mapping[str, Sequence[float]]


def distributions(last_year: int) -> dict[str, Distributions]:
    """The groups, each with its distributions by name.

    `type` by month since 2001, `code` by primary type, `hour` and `location`
    by profile, `area` by profile, `place` by area (`12 old` before 2012).
    """
    return {
        "type": _types(last_year),
        "code": _codes(),
        "hour": _columns("hours"),
        "location": _columns("locations"),
        "area": _areas(),
        "place": _places(),
    }


def _types(last_year: int) -> Distributions:
    rows = read_table("crime_types")
    found: dict[str, Sequence[float]] = {}
    for month in range((last_year - FIRST_DAY.year + 1) * 12):
        season = math.cos((month % 12 - 6) / 12 * 2 * math.pi)
        found[str(month)] = [
            _share(row, FIRST_DAY.year + month / 12) * (1 + float(row["SUMMER"]) * season)
            for row in rows
        ]
    return found


def _share(row: dict[str, str], year: float) -> float:
    """The percentage of a type at a time, linear between the years of the table."""
    if year < _FIRST_YEAR.get(row["PRIMARY_TYPE"], 0):
        return 0.0
    year = min(year, _SHARE_YEARS[-1])
    start, end = next((a, b) for a, b in pairwise(_SHARE_YEARS) if year <= b)
    low, high = float(row[f"SHARE_{start}"]), float(row[f"SHARE_{end}"])
    return low + (high - low) * (year - start) / (end - start)


def _codes() -> Distributions:
    rows = read_table("iucr_codes")
    return {
        kind["PRIMARY_TYPE"]: [
            float(row["WEIGHT"]) if row["PRIMARY_TYPE"] == kind["PRIMARY_TYPE"] else 0.0
            for row in rows
        ]
        for kind in read_table("crime_types")
    }


def _columns(table: str) -> Distributions:
    rows = read_table(table)
    return {column: [float(row[column]) for row in rows] for column in list(rows[0])[1:]}


def _areas() -> Distributions:
    rows = read_table("community_areas")
    return {
        profile: [float(r["SHARE"]) * (float(r[column]) if column else 1.0) for r in rows]
        for profile, column in _AREA_PROFILES.items()
    }


def _places() -> Distributions:
    """Beats come in the order of their number of crimes; those of closed districts were busy."""
    found: dict[str, Sequence[float]] = {}
    for area in {place.area for place in places()}:
        inside = [place.area == area for place in places()]
        weights = [
            (1.5 if place.old else 1 / (1 + 0.25 * place.rank)) if here else 0.0
            for place, here in zip(places(), inside, strict=True)
        ]
        found[f"{area} old"] = weights
        found[f"{area}"] = [
            0.0 if place.old else weight for place, weight in zip(places(), weights, strict=True)
        ]
    return found

"""The city: community areas, the beats that lie in them, and the blocks of each.

A *place* is the part of one beat that lies in one community area. Positions come from the address
grid (800 address numbers a mile from State and Madison), so a block's name, its coordinates, its
beat and its area agree with each other. The city is the same whatever the seed.
"""

from __future__ import annotations

import math
import random
from bisect import bisect_left
from functools import cache
from typing import NamedTuple

from groundwire.packs.chicago.reference import read_table

__all__ = ["BLOCKS_PER_PLACE", "Block", "Place", "blocks", "places"]

BLOCKS_PER_PLACE = 64

_ORIGIN_LATITUDE, _ORIGIN_LONGITUDE = 41.8820, -87.6278
_MILE_NORTH, _MILE_EAST = 0.014493, 0.019490
_GOLDEN_ANGLE = math.pi * (3 - math.sqrt(5))
# Between Madison and 31st Street the numbers run faster than 800 a mile.
_SOUTH_MILES = (
    (0.0, 0.0, 1200.0),
    (1.0, 1200.0, 1000.0),
    (2.0, 2200.0, 900.0),
    (3.0, 3100.0, 800.0),
)


class Place(NamedTuple):
    """The part of a beat in an area, the `rank`-th busiest of it.

    `old` marks a beat of a district that closed in 2012.
    """

    place: int
    area: int
    rank: int
    beat: str
    old: bool
    latitude: float
    longitude: float
    north_south: float
    east_west: float
    wards: tuple[int, ...]


class Block(NamedTuple):
    """One block of a place, at its centre in degrees."""

    place: int
    number: int
    block: str
    ward: int
    latitude: float
    longitude: float


@cache
def places() -> tuple[Place, ...]:
    """All places, those of one area side by side."""
    found: list[Place] = []
    for row in read_table("community_areas"):
        wards = tuple(int(ward) for ward in row["WARDS"].split())
        now, before = row["BEATS"].split(), row["OLD_BEATS"].split()
        for beats, old in ((now, False), (before, True)):
            for index, beat in enumerate(beats):
                radius = math.sqrt((index + 0.5) / len(beats))
                angle = index * _GOLDEN_ANGLE
                height, width = float(row["NORTH_SOUTH"]), float(row["EAST_WEST"])
                found.append(
                    Place(
                        place=len(found),
                        area=int(row["COMMUNITY_AREA"]),
                        rank=index,
                        beat=beat,
                        old=old,
                        latitude=float(row["LATITUDE"]) + 0.7 * height * radius * math.sin(angle),
                        longitude=float(row["LONGITUDE"]) + 0.7 * width * radius * math.cos(angle),
                        north_south=height / math.sqrt(len(beats)),
                        east_west=width / math.sqrt(len(beats)),
                        wards=wards[index % len(wards) :] + wards[: index % len(wards)],
                    )
                )
    return tuple(found)


@cache
def blocks() -> tuple[Block, ...]:
    """`BLOCKS_PER_PLACE` blocks of every place."""
    return tuple(_block(place, number) for place in places() for number in range(BLOCKS_PER_PLACE))


def _block(place: Place, number: int) -> Block:
    draw = random.Random(f"{place.area}/{place.beat}/{number}")
    latitude = place.latitude + draw.uniform(-0.6, 0.6) * place.north_south
    longitude = place.longitude + draw.uniform(-0.6, 0.6) * place.east_west
    north, east = _address_north(latitude), (longitude - _ORIGIN_LONGITUDE) / _MILE_EAST * 800
    if number % 2:
        name, position = _nearest(_streets("north-south"), east)
        longitude = _ORIGIN_LONGITUDE + position / 800 * _MILE_EAST
        text = f"{_hundreds(north)} {'N' if north >= 0 else 'S'} {name}"
    else:
        name, position = _nearest(_streets("east-west"), north)
        latitude = _latitude_of(position)
        text = f"{_hundreds(east)} {'E' if east >= 0 else 'W'} {name}"
    ward = place.wards[min(int(draw.random() ** 2 * len(place.wards)), len(place.wards) - 1)]
    return Block(place.place, number, text, ward, round(latitude, 6), round(longitude, 6))


def _hundreds(address: float) -> str:
    return f"{int(abs(address)) // 100:03d}XX"


def _address_north(latitude: float) -> float:
    miles = (latitude - _ORIGIN_LATITUDE) / _MILE_NORTH
    if miles >= 0:
        return miles * 800
    start, base, pace = [step for step in _SOUTH_MILES if step[0] <= -miles][-1]
    return -(base + (-miles - start) * pace)


def _latitude_of(address: float) -> float:
    if address >= 0:
        return _ORIGIN_LATITUDE + address / 800 * _MILE_NORTH
    start, base, pace = [step for step in _SOUTH_MILES if step[1] <= -address][-1]
    return _ORIGIN_LATITUDE - (start + (-address - base) / pace) * _MILE_NORTH


@cache
def _streets(runs: str) -> tuple[tuple[float, str], ...]:
    named = [(float(r["ADDRESS"]), r["STREET"]) for r in read_table("streets") if r["RUNS"] == runs]
    if runs == "east-west":
        taken = {position for position, _ in named}
        numbered = [(-100.0 * n, f"{_ordinal(n)} ST") for n in range(13, 139)]
        named += [street for street in numbered if street[0] not in taken]
    return tuple(sorted(named))


def _ordinal(number: int) -> str:
    if number % 100 in (11, 12, 13):
        return f"{number}TH"
    ending = {1: "ST", 2: "ND", 3: "RD"}.get(number % 10, "TH")
    return f"{number}{ending}"


def _nearest(streets: tuple[tuple[float, str], ...], position: float) -> tuple[str, float]:
    index = bisect_left(streets, (position, ""))
    around = streets[max(index - 1, 0) : index + 1]
    best = min(around, key=lambda street: abs(street[0] - position))
    return best[1], best[0]

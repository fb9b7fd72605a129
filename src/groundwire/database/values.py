"""The one JSON form of every value that a database driver gives.

A JSON number stands only where every reader, JavaScript's doubles included, gets the very same
value back; other numbers are their digits in a string. The forms:

    bool, None, text               themselves
    int, Decimal                   a number when a double holds it exactly, else its digits
    float                          a number; "NaN", "Infinity", "-Infinity"
    date, time, timestamp          ISO 8601 text, with the offset where there is one
    timedelta, Interval            ISO 8601 duration, each part with its own sign: "P1M-3DT4H"
    bytes                          hexadecimal text as PostgreSQL writes it: "\\x00ff"
    UUID, network, bits, geometry  text
    range, multirange              text as PostgreSQL writes it: "[1,5)", "{[1,3),[5,7)}"
    list, tuple, set               an array
    dict, struct, map, composite   an object; a key that is not text becomes text
    point                          {"srid", "coordinates"}
    node                           {"id", "labels", "properties"}
    relationship                   {"id", "type", "start", "end", "properties"}
    path                           {"nodes", "relationships"}

A driver adds a type of its own with `@to_json.register(Type)`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, time, timedelta
from decimal import Decimal
from enum import Enum
from functools import singledispatch
from typing import Any

__all__ = ["Interval", "Json", "read_json", "to_json"]

Json = None | bool | int | float | str | list[Any] | dict[str, Any]

LARGEST_EXACT_INTEGER = 2**53
"""Up to here a double holds every integer (IEEE 754 binary64)."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A span of time with months in it, which no number of days can stand for.

    The parts are kept apart as the server keeps them; `nanoseconds` has the sign of `seconds`.
    """

    months: int = 0
    days: int = 0
    seconds: int = 0
    nanoseconds: int = 0

    def __str__(self) -> str:
        return _duration(self.months, self.days, self.seconds, self.nanoseconds)


def read_json(text: str | bytes) -> Any:
    """The value of a JSON text, with fractions as decimals: a double would round them."""
    return json.loads(text, parse_float=Decimal)


@singledispatch
def to_json(value: Any) -> Json:
    """The JSON form of a driver's value, as the module says.

    `json.dumps(to_json(value), allow_nan=False)` never fails. A type that nobody registered is
    known by its shape (graph values) or becomes its own text.
    """
    if hasattr(value, "iso_format"):  # the temporal types of the neo4j driver
        return str(value.iso_format())
    if hasattr(value, "labels") and hasattr(value, "element_id"):
        properties = {key: to_json(item) for key, item in value.items()}
        return {"id": value.element_id, "labels": sorted(value.labels), "properties": properties}
    if hasattr(value, "start_node") and hasattr(value, "type"):
        return _relationship(value)
    if hasattr(value, "relationships") and hasattr(value, "nodes"):
        return {
            "nodes": [to_json(node) for node in value.nodes],
            "relationships": [to_json(step) for step in value.relationships],
        }
    if isinstance(value, Mapping):
        return _object(value)
    return str(value)


@to_json.register(type(None))
@to_json.register(bool)
@to_json.register(str)
def _itself(value: bool | str | None) -> Json:
    return value


@to_json.register
def _integer(value: int) -> Json:
    return value if abs(value) <= LARGEST_EXACT_INTEGER else _digits(value)


def _digits(value: int) -> str:
    """`str(value)` without the interpreter's limit on the digits of an integer."""
    return format(Decimal(value), "f")


@to_json.register
def _float(value: float) -> Json:
    if math.isfinite(value):
        return value
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


@to_json.register
def _decimal(value: Decimal) -> Json:
    if not value.is_finite():
        return "NaN" if value.is_nan() else str(value)
    if value == value.to_integral_value() and value.copy_abs() <= LARGEST_EXACT_INTEGER:
        return int(value)
    nearest = float(value)
    if math.isfinite(nearest) and Decimal(repr(nearest)) == value:
        return nearest
    return str(value)


@to_json.register(date)
@to_json.register(time)
def _moment(value: date | time) -> Json:
    return value.isoformat()


@to_json.register
def _timedelta(value: timedelta) -> Json:
    microseconds = value // timedelta(microseconds=1)
    sign = -1 if microseconds < 0 else 1
    seconds, fraction = divmod(abs(microseconds), 1_000_000)
    days, seconds = divmod(seconds, 86_400)
    return _duration(0, sign * days, sign * seconds, sign * fraction * 1000)


@to_json.register
def _interval(value: Interval) -> Json:
    return str(value)


@to_json.register(bytes)
@to_json.register(bytearray)
@to_json.register(memoryview)
def _bytes(value: bytes | bytearray | memoryview) -> Json:
    return "\\x" + bytes(value).hex()


@to_json.register(list)
@to_json.register(set)
@to_json.register(frozenset)
def _array(value: list[Any] | set[Any] | frozenset[Any]) -> Json:
    return [to_json(item) for item in value]


@to_json.register
def _tuple(value: tuple) -> Json:  # type: ignore[type-arg]  # singledispatch takes plain classes
    srid = getattr(value, "srid", None)  # the points of the neo4j driver are tuples
    if srid is not None:
        return {"srid": srid, "coordinates": [to_json(item) for item in value]}
    fields = getattr(value, "_fields", None)
    if fields is not None:
        return {name: to_json(item) for name, item in zip(fields, value, strict=True)}
    return [to_json(item) for item in value]


@to_json.register(dict)
def _object(value: Mapping[Any, Any]) -> Json:
    return {_key(key): to_json(item) for key, item in value.items()}


@to_json.register
def _enum(value: Enum) -> Json:
    return to_json(value.value)


def _key(key: Any) -> str:
    form = to_json(key)
    return form if isinstance(form, str) else json.dumps(form, allow_nan=False)


def _relationship(value: Any) -> Json:
    ends = (value.start_node, value.end_node)
    start, end = (None if node is None else node.element_id for node in ends)
    return {
        "id": value.element_id,
        "type": value.type,
        "start": start,
        "end": end,
        "properties": {key: to_json(item) for key, item in value.items()},
    }


def _duration(months: int, days: int, seconds: int, nanoseconds: int) -> str:
    years, months = _divide(months, 12)
    minutes, rest = _divide(seconds, 60)
    hours, minutes = _divide(minutes, 60)
    day_part = "".join(f"{n}{unit}" for n, unit in ((years, "Y"), (months, "M"), (days, "D")) if n)
    time_part = "".join(f"{n}{unit}" for n, unit in ((hours, "H"), (minutes, "M")) if n)
    if rest or nanoseconds:
        sign = "-" if rest < 0 or nanoseconds < 0 else ""
        fraction = f".{abs(nanoseconds):09d}".rstrip("0") if nanoseconds else ""
        time_part += f"{sign}{abs(rest)}{fraction}S"
    if not day_part and not time_part:
        return "PT0S"
    return f"P{day_part}" + (f"T{time_part}" if time_part else "")


def _divide(number: int, by: int) -> tuple[int, int]:
    """Quotient and remainder, both with the sign of the number."""
    quotient, rest = divmod(abs(number), by)
    return (quotient, rest) if number >= 0 else (-quotient, -rest)

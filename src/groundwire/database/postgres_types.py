"""What PostgreSQL's types are called, and how their values are read.

psycopg refuses dates that Python cannot hold (`infinity`, the year 10000, `24:00`) and turns
months into 30 days; here the first stay text and the second an Interval. Types that psycopg
does not know (enums, geometry, composites) are text, and arrays of them arrays of text.
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg.adapt import AdaptersMap, Loader, Transformer
from psycopg.types import TypeInfo
from psycopg.types.json import set_json_loads
from psycopg.types.multirange import Multirange
from psycopg.types.range import Range

from groundwire.database.result import ResultColumn
from groundwire.database.values import Interval, read_json, to_json

if TYPE_CHECKING:
    from psycopg.abc import Buffer
    from psycopg.pq.abc import PGresult

__all__ = ["TypeBook"]

TEMPORAL = ("date", "time", "timetz", "timestamp", "timestamptz")

NAMES = """
SELECT asked.oid, asked.modifier, format_type(asked.oid, asked.modifier),
       CASE WHEN t.typcategory = 'A' THEN t.typelem END
FROM unnest($1::oid[], $2::int[]) AS asked(oid, modifier)
LEFT JOIN pg_type AS t ON t.oid = asked.oid
"""

PART = re.compile(r"(-?\d+(?:\.\d+)?)([YMWDHS])")


class TypeBook:
    """The types met so far, for all connections of one database. A psycopg adapt context."""

    def __init__(self) -> None:
        self.adapters = AdaptersMap(psycopg.adapters)
        self.connection: psycopg.Connection[Any] | None = None
        for name in TEMPORAL:
            self.adapters.register_loader(name, _tolerant(name))
        self.adapters.register_loader("interval", IntervalLoader)
        set_json_loads(read_json, context=self)
        self._names: dict[tuple[int, int], str] = {}

    def read(
        self, connection: psycopg.Connection[Any], result: PGresult, rows: list[tuple[Any, ...]]
    ) -> tuple[tuple[ResultColumn, ...], list[tuple[Any, ...]]]:
        """The columns of a result, and its rows with the arrays of new types read as arrays."""
        keys = [(result.ftype(i), result.fmod(i)) for i in range(result.nfields)]
        new_arrays = self._learn(connection, [key for key in keys if key not in self._names])
        if new_arrays:
            rows = self._read_arrays([oid for oid, _ in keys], new_arrays, rows)
        columns = (
            ResultColumn((result.fname(i) or b"").decode(), self._names[key])
            for i, key in enumerate(keys)
        )
        return tuple(columns), rows

    def _learn(
        self, connection: psycopg.Connection[Any], keys: list[tuple[int, int]]
    ) -> dict[int, int]:
        """Ask for the names of new types; register and return the arrays among them."""
        if not keys:
            return {}
        oids, modifiers = [oid for oid, _ in keys], [modifier for _, modifier in keys]
        cursor = psycopg.RawCursor(connection)
        arrays: dict[int, int] = {}
        for oid, modifier, name, element in cursor.execute(NAMES, [oids, modifiers]):
            self._names[oid, modifier] = name or "unknown"
            if element and self.adapters.types.get(oid) is None:
                arrays[oid] = element
        for oid, element in arrays.items():
            TypeInfo(f"_{oid}", element, oid).register(self)
            TypeInfo(f"_{oid}", element, oid).register(connection)
        return arrays

    def _read_arrays(
        self, oids: list[int], arrays: dict[int, int], rows: list[tuple[Any, ...]]
    ) -> list[tuple[Any, ...]]:
        transformer = Transformer(self)
        loaders = {
            i: transformer.get_loader(oid, psycopg.pq.Format.TEXT)
            for i, oid in enumerate(oids)
            if oid in arrays
        }
        return [
            tuple(
                loaders[i].load(value.encode()) if i in loaders and value is not None else value
                for i, value in enumerate(row)
            )
            for row in rows
        ]


class IntervalLoader(Loader):
    """Reads the ISO 8601 form of an interval, which keeps months, days and seconds apart."""

    def load(self, data: Buffer) -> Interval | timedelta | str:
        text = bytes(data).decode()
        date_part, _, time_part = text.partition("T")
        days = {unit: int(number) for number, unit in PART.findall(date_part)}
        clock = {unit: Decimal(number) for number, unit in PART.findall(time_part)}
        seconds = clock.get("H", 0) * 3600 + clock.get("M", 0) * 60 + clock.get("S", Decimal(0))
        if not text.startswith("P"):
            return text  # infinity, since PostgreSQL 17
        months = days.get("Y", 0) * 12 + days.get("M", 0)
        microseconds = int(seconds * 1_000_000)
        if not months:
            try:
                return timedelta(days=days.get("D", 0), microseconds=microseconds)
            except OverflowError:
                pass  # Python's end at 999,999,999 days
        sign = -1 if microseconds < 0 else 1
        whole, fraction = divmod(abs(microseconds), 1_000_000)
        return Interval(months, days.get("D", 0), sign * whole, sign * fraction * 1000)


@cache
def _tolerant(name: str) -> type[Loader]:
    """The loader of a type that gives the server's text where Python has no such value."""
    oid = psycopg.adapters.types[name].oid
    strict = psycopg.adapters.get_loader(oid, psycopg.pq.Format.TEXT) or Loader

    class Tolerant(Loader):
        def __init__(self, oid: int, context: Any = None) -> None:
            super().__init__(oid, context)
            self._strict: Any = strict(oid, context)

        def load(self, data: Buffer) -> Any:
            try:
                return self._strict.load(data)
            except psycopg.DataError:
                return bytes(data).decode()

    return Tolerant


@to_json.register
def _range(value: Range) -> str:  # type: ignore[type-arg]  # singledispatch takes plain classes
    """As PostgreSQL writes it."""
    if value.isempty:
        return "empty"
    lower, upper = ("" if end is None else _end(end) for end in (value.lower, value.upper))
    return f"{value.bounds[0]}{lower},{upper}{value.bounds[1]}"


@to_json.register
def _multirange(value: Multirange) -> str:  # type: ignore[type-arg]
    return "{" + ",".join(_range(item) for item in value) + "}"


def _end(value: Any) -> str:
    return value.isoformat() if isinstance(value, date) else str(value)

"""Values that DuckDB gave as text, because its Python driver would have cut them."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from typing import Any

from groundwire.database.values import Interval, read_json

__all__ = ["from_text"]

UNIT = re.compile(r"(-?\d+) (year|month|day)s?")
CLOCK = re.compile(r"(-?)(\d+):(\d\d):(\d\d)(?:\.(\d+))?$")


def from_text(text: str, kind: str) -> Any:
    """The value of a type (`INTERVAL`, `DATE`, …) from DuckDB's text of it, if Python has it."""
    if kind == "JSON":
        return read_json(text)
    if kind == "INTERVAL":
        return _interval(text)
    try:
        if kind == "DATE":
            return date.fromisoformat(text)
        if kind in ("TIMESTAMP", "TIMESTAMP WITH TIME ZONE"):
            return datetime.fromisoformat(text)
    except ValueError:
        return text  # infinite, before the year 1 or after 9999
    return text.replace(" ", "T", 1) if kind == "TIMESTAMP_NS" else text


def _interval(text: str) -> Interval | timedelta:
    parts = {"year": 0, "month": 0, "day": 0}
    for number, unit in UNIT.findall(text):
        parts[unit] = int(number)
    months, days = parts["year"] * 12 + parts["month"], parts["day"]
    clock = CLOCK.search(text)
    seconds = nanoseconds = 0
    if clock:
        sign, hours, minutes, rest, fraction = clock.groups()
        factor = -1 if sign else 1
        seconds = factor * (int(hours) * 3600 + int(minutes) * 60 + int(rest))
        nanoseconds = factor * int((fraction or "0").ljust(9, "0"))
    if months:
        return Interval(months, days, seconds, nanoseconds)
    return timedelta(days=days, seconds=seconds, microseconds=nanoseconds // 1000)

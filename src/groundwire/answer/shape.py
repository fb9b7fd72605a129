"""What kind of result it is: which columns name things, which measure them, what orders them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Literal

from groundwire.answer.wording import MONTH_NUMBERS, Grain, is_number
from groundwire.database.result import Result

__all__ = ["Form", "Kind", "Shape", "shape_of", "time_key"]

Kind = Literal["number", "time", "text", "truth", "other", "nothing"]
Form = Literal["empty", "value", "row", "list", "groups", "series", "table"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_MEASURE_WORDS = _words(
    """count cnt n num number total sum avg average mean median min max minimum maximum amount amt
    price cost revenue sales share pct percent percentage rate ratio qty quantity score value
    crimes arrests incidents cases orders difference diff change growth duration length"""
)
_LABEL_WORDS = _words(
    """id key code year month day date hour week weekday quarter decade district ward beat area
    zip zipcode rank level grade class block"""
)
_TIME_WORDS = _words("year month day week quarter hour weekday decade")


@dataclass(frozen=True, slots=True)
class Shape:
    """Column numbers by what they do.

    `labels` name what a row is about, `measures` hold its figures. `time` is the label that
    orders the rows of a series, told to the precision `grain`.
    """

    form: Form
    kinds: tuple[Kind, ...]
    labels: tuple[int, ...]
    measures: tuple[int, ...]
    time: int | None = None
    grain: Grain | None = None


def shape_of(result: Result) -> Shape:
    """Read the shape of a result from its columns' names and its values."""
    columns = [[row[place] for row in result.rows] for place in range(len(result.columns))]
    names = [column.name for column in result.columns]
    kinds = tuple(_kind(name, values) for name, values in zip(names, columns, strict=True))
    measures = _measures(names, kinds)
    labels = tuple(place for place in range(len(kinds)) if place not in measures)
    time = next((place for place in labels if kinds[place] == "time"), None)
    form = _form(result, columns, labels, measures, time)
    grain = _grain(names[time], columns[time]) if time is not None else None
    return Shape(form, kinds, labels, measures, time, grain)


def time_key(value: Any) -> tuple[int, ...] | None:
    """(year, month, day, hour, minute, second) of a date, a year, a quarter, a month or ISO text.

    None for anything else. Missing parts are 0, so that keys of one column compare.
    """
    if isinstance(value, datetime):
        return (value.year, value.month, value.day, value.hour, value.minute, value.second)
    if isinstance(value, date):
        return (value.year, value.month, value.day, 0, 0, 0)
    if is_number(value) and value == int(value):
        return (int(value), 0, 0, 0, 0, 0)
    if isinstance(value, str) and (key := _named_time(value)):
        return key
    iso = re.fullmatch(
        r"(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d))?.*)?)?)?", str(value)
    )
    return tuple(int(part or 0) for part in iso.groups()) if iso else None


def _named_time(text: str) -> tuple[int, ...] | None:
    """`Q3`, `2022-Q3`, `Q3 2022`, `March`, `Mar 2022`: quarters and months in words."""
    quarter = re.fullmatch(
        r"(?:(\d{4})[- ]?)?Q([1-4])(?:[- ](\d{4}))?", text.strip(), re.IGNORECASE
    )
    if quarter:
        return (int(quarter[1] or quarter[3] or 0), 3 * int(quarter[2]) - 2, 0, 0, 0, 0)
    month = re.fullmatch(r"([A-Za-z]{3,9})\.?(?:[- ](\d{4}))?", text.strip())
    if month and (number := MONTH_NUMBERS.get(month[1].lower())):
        return (int(month[2] or 0), number, 0, 0, 0, 0)
    return None


def _name_words(name: str) -> set[str]:
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()
    return set(re.findall(r"[^\W_]+", spaced))


def _kind(name: str, values: Sequence[Any]) -> Kind:
    present = [value for value in values if value is not None]
    if not present:
        return "nothing"
    if all(isinstance(value, bool) for value in present):
        return "truth"
    if all(isinstance(value, date) for value in present):
        return "time"
    named_time = bool(_name_words(name) & _TIME_WORDS)
    if all(is_number(value) for value in present):
        whole = all(value == value // 1 for value in present if value - value == 0)
        return "time" if named_time and whole and not _is_measure_name(name) else "number"
    if all(isinstance(value, str) for value in present):
        return "time" if all(_looks_like_time(value) for value in present) else "text"
    return "other"


def _looks_like_time(text: str) -> bool:
    return bool(_named_time(text) or (re.match(r"\d{4}-\d\d", text) and time_key(text)))


def _is_measure_name(name: str) -> bool:
    return "(" in name or bool(_name_words(name) & _MEASURE_WORDS)


def _measures(names: Sequence[str], kinds: Sequence[Kind]) -> tuple[int, ...]:
    numbers = [place for place, kind in enumerate(kinds) if kind == "number"]
    sure = [place for place in numbers if _is_measure_name(names[place])]
    labels = [place for place in numbers if place not in sure and _is_label_name(names[place])]
    open_ = [place for place in numbers if place not in sure and place not in labels]
    if len(numbers) == len(kinds) > 1 and open_ and open_[0] == 0 and len(open_) + len(sure) > 1:
        # Figures only: the first column names the rows ("district, n") unless it is a measure.
        open_ = open_[1:]
    if not sure and not open_:
        alone = [place for place in labels if names[place].lower() in ("area", "level", "grade")]
        open_ = numbers if len(kinds) == 1 else alone if "text" in kinds else []
    return tuple(sorted(sure + open_))


def _is_label_name(name: str) -> bool:
    """`community_area` and `id`, but not `area_km2`: the last word says what a name names."""
    words = re.findall(r"[^\W_]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower())
    return bool(words) and words[-1] in _LABEL_WORDS


def _form(
    result: Result,
    columns: Sequence[Sequence[Any]],
    labels: Sequence[int],
    measures: Sequence[int],
    time: int | None,
) -> Form:
    if not result.rows or not columns:
        return "empty"
    if len(result.rows) == 1:
        return "value" if len(columns) == 1 else "row"
    if len(columns) == 1:
        return "list"
    if len(labels) == len(measures) == 1 and _all_different(columns[labels[0]]):
        return "series" if time is not None and _in_order(columns[time]) else "groups"
    return "table"


def _all_different(values: Sequence[Any]) -> bool:
    """Whether each is said in words of its own; times are said to the second, without `fold`."""
    said = [time_key(value) if isinstance(value, datetime) else value for value in values]
    return len({repr(value) for value in said}) == len(values)


def _in_order(values: Sequence[Any]) -> bool:
    return all(time_key(value) is not None for value in values if value is not None)


def _grain(name: str, values: Sequence[Any]) -> Grain:
    words = _name_words(name)
    keys = [time_key(value) for value in values if value is not None]
    known = [key for key in keys if key is not None]
    if all(is_number(value) for value in values if value is not None):
        return "year"
    if all(key[1:] in ((1, 1, 0, 0, 0), (0, 0, 0, 0, 0)) for key in known) and "year" in words:
        return "year"
    if all(key[2:] in ((1, 0, 0, 0), (0, 0, 0, 0)) for key in known) and "month" in words:
        return "month"
    if any(key[5:] != (0,) for key in known):
        return "second"
    return "time" if any(key[3:] != (0, 0, 0) for key in known) else "day"

"""When two values of results are the same.

Strict values (`strict`): NULL equals NULL, NaN equals NaN; numbers are equal by value, whatever
their type; two fractions, or a fraction and a whole number of a floating type, are equal within a
relative tolerance, two whole numbers only exactly; a truth value is no number; a date is no
timestamp; the order in a list counts. Loose values (`loose`), for metrics that forgive more:
a timestamp at midnight is a date, a time zone is put to UTC, text that is a date or a number is
one, a truth value is 0 or 1.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from decimal import Decimal, InvalidOperation
from typing import Any, TypeAlias

from groundwire.database.graph_values import Node, Path, Relationship
from groundwire.database.values import to_json

__all__ = ["Number", "Value", "loose", "mask", "same", "strict"]

ABSOLUTE = 1e-9
"""Two numbers this close are the same under any tolerance but 0: a relative one fails at zero."""

NUMBER = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d{1,3})?")
DATE = re.compile(
    r"\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}(:?\d{2})?)?)?"
)


@dataclass(frozen=True, slots=True)
class Number:
    """A number; `exact` where it is a whole number of a type that holds no fractions."""

    value: int | float
    exact: bool

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Number) and self.value == other.value

    def __hash__(self) -> int:
        return hash(self.value)


Value: TypeAlias = Any
"""Hashable; equal values have one hash. `Number`, text, or a tuple that begins with its kind."""


def strict(value: Any) -> Value:
    """A driver's value in a form that compares as the module says."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return ("truth", value)
    if isinstance(value, int | float | Decimal):
        return _number(value)
    if isinstance(value, Mapping):
        items = ((str(key), strict(item)) for key, item in value.items())
        return ("map", *sorted(items, key=lambda item: item[0]))
    if isinstance(value, Node | Relationship | Path):
        return ("entity", *_identity(value))
    if isinstance(value, set | frozenset):
        return ("set", frozenset(strict(item) for item in value))
    if isinstance(value, list | tuple) and not hasattr(value, "_fields"):
        return ("list", *(strict(item) for item in value))
    if isinstance(value, datetime):
        return ("moment", value.astimezone(UTC) if value.tzinfo is not None else value)
    if isinstance(value, date | time):
        return (type(value).__name__, value)
    if isinstance(value, bytes | bytearray | memoryview):
        return ("bytes", bytes(value))
    return (type(value).__name__, _hashable(to_json(value)))


def loose(value: Any) -> Value:
    """As `strict`, and forgiving: dates, times of midnight, zones, and text that is a value."""
    if isinstance(value, bool):
        return _number(int(value))
    if isinstance(value, datetime):
        return _moment(value)
    if isinstance(value, date):
        return _moment(datetime.combine(value, time()))
    if isinstance(value, str):
        return _text(value.strip())
    if isinstance(value, list | tuple) and not hasattr(value, "_fields"):
        return ("list", *(loose(item) for item in value))
    return strict(value)


def same(left: Value, right: Value, tolerance: float) -> bool:
    """Whether two values are equal, numbers within a relative tolerance."""
    if isinstance(left, Number) and isinstance(right, Number):
        if left.value == right.value:
            return True
        if tolerance == 0 or (left.exact and right.exact):
            return False
        return _close(left.value, right.value, tolerance)
    if isinstance(left, tuple) and isinstance(right, tuple) and len(left) == len(right):
        return all(same(a, b, tolerance) for a, b in zip(left, right, strict=True))
    return bool(left == right)


def mask(value: Value) -> Value:
    """The value with every number taken out: equal for all values that may be the `same`."""
    if isinstance(value, Number):
        return Number
    if isinstance(value, tuple):
        return tuple(mask(item) for item in value)
    return value


def _number(value: int | float | Decimal) -> Value:
    if value != value:
        return ("nan",)
    if isinstance(value, Decimal):
        if not value.is_finite():
            return Number(math.inf if value > 0 else -math.inf, False)
        whole = value == value.to_integral_value()
        return Number(int(value), True) if whole else Number(float(value), False)
    return Number(value, isinstance(value, int))


def _close(left: int | float, right: int | float, tolerance: float) -> bool:
    try:
        return math.isclose(left, right, rel_tol=tolerance, abs_tol=ABSOLUTE)
    except OverflowError:  # a whole number beyond the doubles
        return False


def _moment(value: datetime) -> Value:
    if value.tzinfo is not None:
        value = value.astimezone(UTC).replace(tzinfo=None)
    return ("moment", value)


def _text(text: str) -> Value:
    if DATE.fullmatch(text):
        try:
            return _moment(datetime.fromisoformat(text))
        except ValueError:  # the 31st of February
            return text
    if NUMBER.fullmatch(text) and not re.match(r"[-+]?0\d", text):
        try:
            return _number(Decimal(text))
        except InvalidOperation:
            return text
    return text


def _identity(value: Node | Relationship | Path) -> tuple[Any, ...]:
    if isinstance(value, Path):
        parts: tuple[Node | Relationship, ...] = (*value.nodes, *value.relationships)
        return ("path", *(_identity(part) for part in parts))
    return (type(value).__name__, value.id)


def _hashable(form: Any) -> Any:
    if isinstance(form, list):
        return tuple(_hashable(item) for item in form)
    if isinstance(form, dict):
        return tuple((key, _hashable(form[key])) for key in sorted(form))
    return form

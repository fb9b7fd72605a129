"""Values, names and lists in words: how a figure, a date or a column is written for a person."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any, Literal

from groundwire.database.values import to_json

__all__ = [
    "MONTHS",
    "MONTH_NUMBERS",
    "Grain",
    "column_names",
    "cut",
    "is_number",
    "listed",
    "plain_text",
    "say",
    "say_number",
    "visible",
]

Grain = Literal["year", "month", "day", "time", "second"]

MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
MONTH_NUMBERS = {
    **{name.lower(): number for number, name in enumerate(MONTHS, 1)},
    **{name[:3].lower(): number for number, name in enumerate(MONTHS, 1)},
    "sept": 9,
}
LONGEST = 60
"""Characters of one stored text in a sentence."""


def is_number(value: Any) -> bool:
    """An int, float or Decimal that is not a truth value."""
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def visible(text: str) -> str:
    """A text that cannot steer a terminal: what would not be seen becomes a visible escape.

    Covers control characters, escape sequences, directional overrides and lone surrogates. The
    joiners that some scripts and emoji need stay.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_visible_character(character) for character in text)


def _visible_character(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    category = unicodedata.category(character)
    if category in ("Cc", "Cs", "Zl", "Zp") or (category == "Cf" and code not in (0x200C, 0x200D)):
        return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
    return character


def cut(text: str, length: int = LONGEST) -> str:
    """The text, or its beginning and `…`."""
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


def listed(parts: Sequence[str], joint: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {joint} {parts[-1]}"


def say_number(value: int | float | Decimal) -> str:
    """A figure with thousands separators; a rounded one says `about`.

    Up to two decimals are kept as they are; more are rounded to two, or to three significant
    digits where the number is smaller than one.
    """
    if isinstance(value, int):
        return f"{value:,}"
    exact = value if isinstance(value, Decimal) else Decimal(repr(value))
    if not exact.is_finite():
        return "not a number" if exact.is_nan() else f"{'minus ' if exact < 0 else ''}infinity"
    if exact == exact.to_integral_value() and abs(exact) < Decimal(10) ** 15:
        return f"{int(exact):,}"
    if abs(exact) >= Decimal(10) ** 15 or abs(exact) < Decimal("0.001"):
        short = f"{exact:.2e}"
        return short if Decimal(short) == exact else f"about {short}"
    places = 2 if abs(exact) >= 1 else 2 - exact.adjusted()
    decimals = -int(exact.as_tuple().exponent)
    if decimals > places:
        decimals = -int(exact.normalize().as_tuple().exponent)
    if decimals <= places:
        return f"{exact:,.{decimals}f}"
    return f"about {exact:,.{places}f}"


def say(value: Any, grain: Grain | None = None) -> str:
    """One value of a result in words. `grain` says how much of a date to tell."""
    if value is None:
        return "no value"
    if isinstance(value, bool):
        return "true" if value else "false"
    if is_number(value):
        return str(value) if grain == "year" and isinstance(value, int) else say_number(value)
    if isinstance(value, date):
        return _say_date(value, grain)
    if isinstance(value, timedelta):
        return str(value)
    return _say_text(plain_text(value))


def plain_text(value: Any) -> str:
    """A stored value that is no number, date or truth value as text, its JSON form if need be."""
    if isinstance(value, str):
        return value
    form = to_json(value)
    return form if isinstance(form, str) else json.dumps(form, ensure_ascii=False, allow_nan=False)


def _say_text(text: str) -> str:
    if not text.strip():
        return "an empty text"
    shown = cut(visible(text))
    plain = re.fullmatch(r"\w[\w \-&/'.]*\w|\w", shown)
    return shown if plain else f"“{shown}”"


def _say_date(value: date, grain: Grain | None) -> str:
    if grain == "year":
        return str(value.year)
    month = f"{MONTHS[value.month - 1]} {value.year}"
    if grain == "month":
        return month
    day = f"{value.day} {month}"
    if not isinstance(value, datetime) or grain == "day":
        return day
    clock = value.strftime("%H:%M:%S" if value.second or grain == "second" else "%H:%M")
    # Beside times of the same day, midnight would be taken for the day.
    whole_day = clock == "00:00" and value.tzinfo is None and grain != "time"
    return day if whole_day else f"{day} {clock}"


_FUNCTIONS = {
    "count": "count of",
    "sum": "total",
    "avg": "average",
    "mean": "average",
    "median": "median",
    "min": "lowest",
    "max": "highest",
}
_COUNTS = {"count", "count(*)", "count_star()", "cnt", "n", "count(1)"}


def column_names(names: Iterable[str]) -> tuple[str, ...]:
    """Columns in words, in order; columns that share a name are told apart by their place."""
    words = [_column_name(name) for name in names]
    return tuple(
        f"{word} (column {place})" if words.count(word) > 1 else word
        for place, word in enumerate(words, 1)
    )


def _column_name(name: str) -> str:
    lowered = name.strip().lower()
    if lowered in _COUNTS:
        return "count"
    call = re.fullmatch(r"(\w+)\(\s*(distinct\s+)?\"?([\w.]+)\"?\s*\)", lowered)
    if call and call[1] in _FUNCTIONS:
        distinct = "different " if call[2] else ""
        return f"{_FUNCTIONS[call[1]]} {distinct}{_words(call[3].rsplit('.', 1)[-1])}"
    if not re.fullmatch(r"[\w .\-%#/&']+", lowered):
        return "result"
    return _words(name.strip())


def _words(name: str) -> str:
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).replace("_", " ")
    return cut(visible(" ".join(spaced.lower().split())))

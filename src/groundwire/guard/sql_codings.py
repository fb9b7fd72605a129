"""How the texts of a column write yes and no, codes with zeros before them, and dates."""

from __future__ import annotations

import re
from datetime import date, datetime
from itertools import pairwise

from groundwire.database.base import CanExplain
from groundwire.database.result import Result
from groundwire.errors import QueryError
from groundwire.guard.context import SqlContext
from groundwire.guard.findings import Evidence
from groundwire.guard.selects import Stored

__all__ = [
    "date_format",
    "flags",
    "is_refused",
    "meant",
    "padded",
    "read_date",
    "readings",
    "says",
    "unsorted_dates",
]

_YES = frozenset({"y", "yes", "true", "t", "1"})
_NO = frozenset({"n", "no", "false", "f", "0"})
_UNKNOWN = frozenset({"unknown", "unk", "u", "n/a", "na", "none", "?", "-", ""})
_FLAG_VALUES = 6
_READ_DATES = 500
_CODE = re.compile(r"\d[0-9A-Za-z]*")
_MOST_ZEROS = 6
_FORMATS = (
    "%Y-%m-%d", "%m/%d/%Y", "%d/%m/%Y", "%d.%m.%Y", "%m-%d-%Y", "%d-%m-%Y", "%Y/%m/%d", "%Y%m%d",
    "%B %d, %Y", "%b %d, %Y", "%d %B %Y", "%d %b %Y",
)  # fmt: skip


def says(text: str) -> bool | None:
    """Whether a text says yes or no; None for all others, "" and `unknown` among them."""
    word = text.strip().casefold()
    return True if word in _YES else False if word in _NO else None


def flags(
    context: SqlContext, stored: Stored
) -> tuple[tuple[str, ...], tuple[str, ...], Evidence] | None:
    """(the values, those of them that mean unknown) of a column that holds nothing but yes, no and
    unknown; one probe.
    """
    name = context.database.quote(stored.column.name)
    statement = (
        f"SELECT DISTINCT {name} FROM {context.database.source(stored.table)} "
        f"WHERE {name} IS NOT NULL LIMIT {_FLAG_VALUES}"
    )
    result = context.probes.ask(statement, rows=_FLAG_VALUES)
    if result is None or not 0 < len(result.rows) < _FLAG_VALUES:
        return None
    values = tuple(sorted(str(value) for (value,) in result.rows))
    unknown = tuple(value for value in values if value.strip().casefold() in _UNKNOWN)
    said = {says(value) for value in values if value not in unknown}
    if said != {True, False}:
        return None
    sentence = f"{stored.name} holds {', '.join(map(repr, values))}."
    return values, unknown, Evidence(sentence, statement, values, result.elapsed)


def meant(values: tuple[str, ...], truth: bool) -> str | None:
    """The one stored value that says yes, or no."""
    found = [value for value in values if says(value) is truth]
    return found[0] if len(found) == 1 else None


def padded(context: SqlContext, stored: Stored, text: str) -> tuple[str, Evidence] | None:
    """The one stored code that differs from a text, which is not stored, in the zeros before it.

    Zeros are added where all values have one width, and taken away where none begins with a zero.
    One statement over the column.
    """
    bare = text.lstrip("0")
    if not _CODE.fullmatch(text) or not bare:
        return None
    name, source = context.database.quote(stored.column.name), context.database.source(stored.table)
    forms = [bare.rjust(width, "0") for width in range(len(bare), len(text) + _MOST_ZEROS + 1)]
    listed = ", ".join(f"'{form}'" for form in forms if form != text)
    same = f"CASE WHEN {name} IN ({listed}) THEN {name} END"
    statement = (
        f"SELECT min({same}), max({same}), min(length({name})), max(length({name})), "
        f"count(CASE WHEN {name} LIKE '0%' THEN 1 END) FROM {source}"
    )
    result = context.probes.ask(statement, rows=1)
    if result is None or result.rows[0][0] is None:
        return None
    least, greatest, shortest, longest, with_zeros = result.rows[0]
    code = str(least).rstrip()
    is_added = len(code) > len(text) and shortest == longest
    is_taken_away = len(code) < len(text) and not with_zeros
    if least != greatest or not (is_added or is_taken_away):
        return None
    rest = f"all its values have {longest} characters" if is_added else "none begins with a zero"
    sentence = f"{stored.name} holds {code!r} and not {text!r}; {rest}."
    return code, Evidence(sentence, statement, code, result.elapsed)


def date_format(context: SqlContext, stored: Stored) -> tuple[str, str, Evidence] | None:
    """(the one format in which all texts of a column are dates, one of them); one probe."""
    read = _some_texts(context, stored)
    if read is None:
        return None
    texts, result, statement = read
    fitting = [form for form in _FORMATS if all(read_date(text, form) for text in texts)]
    if len(fitting) != 1:
        return None
    sentence = f"All texts of {stored.name} are dates like {texts[0]!r}."
    return fitting[0], texts[0], Evidence(sentence, statement, texts[0], result.elapsed)


def unsorted_dates(context: SqlContext, stored: Stored) -> tuple[str, str, Evidence] | None:
    """(an earlier date, a later one that stands before it as text) of a column whose texts are all
    dates; one probe.
    """
    read = _some_texts(context, stored)
    if read is None:
        return None
    texts, result, statement = read
    turned = []
    for form in _FORMATS:
        days = [(day, text) for text in texts if (day := read_date(text, form, strict=False))]
        if len(days) == len(texts):
            ordered = [text for _, text in sorted(days)]
            turned.append(next((pair for pair in pairwise(ordered) if pair[0] > pair[1]), None))
    if not turned or turned[0] is None or None in turned:
        return None
    earlier, later = turned[0]
    sentence = f"All texts of {stored.name} are dates; {earlier!r} is before {later!r}."
    return earlier, later, Evidence(sentence, statement, [earlier, later], result.elapsed)


def _some_texts(context: SqlContext, stored: Stored) -> tuple[list[str], Result, str] | None:
    """Different texts of a column, with the statement; None where there are none."""
    name = context.database.quote(stored.column.name)
    statement = (
        f"SELECT DISTINCT {name} FROM {context.database.source(stored.table)} "
        f"WHERE {name} IS NOT NULL LIMIT {_READ_DATES}"
    )
    result = context.probes.ask(statement, rows=_READ_DATES)
    if result is None or not result.rows:
        return None
    return [str(value) for (value,) in result.rows], result, statement


def readings(text: str) -> list[date]:
    """The dates that a text can mean, earliest first."""
    if not any(map(str.isdecimal, text)):
        return []
    found = {day for form in _FORMATS if (day := read_date(text, form, strict=False)) is not None}
    return sorted(found)


def read_date(text: str, form: str, *, strict: bool = True) -> date | None:
    """The date that a text is in a format; `strict`: written exactly so, with its zeros."""
    try:
        day = datetime.strptime(text, form).date()
    except ValueError:
        return None
    return None if strict and day.strftime(form) != text else day


def is_refused(context: SqlContext, stored: Stored, written: str) -> bool:
    """The engine does not compare such a column with such a literal."""
    database = context.database
    if not isinstance(database, CanExplain):
        return False
    name, source = database.quote(stored.column.name), database.source(stored.table)
    try:
        database.explain(f"SELECT 1 FROM {source} WHERE {name} = {written}")
    except QueryError:
        return True
    return False

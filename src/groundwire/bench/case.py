"""A case of a benchmark, a prediction for it, and their form as JSON lines.

A case line: `{"id", "database", "language", "question", "queries": […], "order_matters",
"tolerance", "tier", "tags", "answerable"}`. A prediction line: `{"id", "query"}`, and "answer"
where the system also words its result.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

from groundwire.errors import UsageError

__all__ = [
    "TOLERANCE",
    "Case",
    "Malformed",
    "Prediction",
    "parse_line",
    "read_cases",
    "read_lines",
    "read_predictions",
    "unique",
]

Language = Literal["sql", "cypher"]
T = TypeVar("T")

TOLERANCE = 1e-6
"""Relative difference up to which two fractions are the same, where a case says nothing."""


@dataclass(frozen=True, slots=True)
class Case:
    """A question to a database, with every query whose answer is accepted.

    `database` is a URL, or a name that `Databases` finds. `order_matters` comes from the question,
    never from the text of a query; a tuple names the output columns that the question orders by,
    so that rows equal in these may come in any order. `tolerance` is the relative difference up to
    which two fractions are the same; whole numbers are compared exactly. A case that is not
    `answerable` has no queries: the right prediction is none.
    """

    id: str
    database: str
    language: Language
    question: str
    queries: tuple[str, ...]
    order_matters: bool | tuple[str, ...] = False
    tolerance: float = TOLERANCE
    tier: str = ""
    tags: tuple[str, ...] = ()
    answerable: bool = True

    def to_json(self) -> dict[str, Any]:
        """The case as its line."""
        order = self.order_matters
        return {
            "id": self.id,
            "database": self.database,
            "language": self.language,
            "question": self.question,
            "queries": list(self.queries),
            "order_matters": list(order) if isinstance(order, tuple) else order,
            "tolerance": self.tolerance,
            "tier": self.tier,
            "tags": list(self.tags),
            "answerable": self.answerable,
        }

    @classmethod
    def from_json(cls, entry: Any) -> Case:
        """A case from its line; `order_matters` and what follows it may be left out.

        Raises:
            ValueError: a field is missing or of another kind; the message says which.
        """
        fields = _object(entry, {"id", "database", "language", "question"})
        if fields["language"] not in ("sql", "cypher"):
            raise ValueError('"language" must be "sql" or "cypher"')
        answerable = _boolean(fields, "answerable", True)
        queries = tuple(query for query in _texts(fields, "queries") if query.strip())
        if answerable and not queries:
            raise ValueError('an answerable case needs "queries"')
        return cls(
            id=_identity(fields["id"]),
            database=_text(fields, "database"),
            language=fields["language"],
            question=_text(fields, "question"),
            queries=queries,
            order_matters=_order(fields),
            tolerance=_tolerance(fields.get("tolerance")),
            tier=_text(fields, "tier") if fields.get("tier") is not None else "",
            tags=_texts(fields, "tags"),
            answerable=answerable,
        )


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a system answered to a case; an empty `query` = it gave none.

    `answer` is what it said of the result in words, "" where it said nothing.
    """

    id: str
    query: str
    answer: str = ""

    @classmethod
    def from_json(cls, entry: Any) -> Prediction:
        """A prediction from its line; a `query` that is null is empty, an `answer` may be missing.

        Raises:
            ValueError: a field is missing or of another kind; the message says which.
        """
        fields = _object(entry, {"id", "query"})
        query = "" if fields["query"] is None else _text(fields, "query")
        answer = _text(fields, "answer") if fields.get("answer") is not None else ""
        return cls(_identity(fields["id"]), query.strip(), answer.strip())


@dataclass(frozen=True, slots=True)
class Malformed:
    """A line of a file that cannot be used. `id` is "" where the line does not even give one.

    `kind` is a word for counting: `malformed`, `duplicate_id`, or what a data set's loader says.
    """

    number: int
    id: str
    reason: str
    kind: str = "malformed"


def read_cases(path: Path) -> list[Case | Malformed]:
    """The cases of a file of JSON lines, in order; a line that is none is kept as `Malformed`.

    Raises:
        UsageError: the file cannot be read.
    """
    return unique(read_lines(path, Case.from_json))


def read_predictions(path: Path) -> list[Prediction | Malformed]:
    """As `read_cases`, of predictions.

    Raises:
        UsageError: the file cannot be read.
    """
    return unique(read_lines(path, Prediction.from_json))


def read_lines(path: Path, read: Callable[[Any], T]) -> Iterator[tuple[int, T | Malformed]]:
    """Each line of a file of JSON lines with its number; blank lines are left out.

    Raises:
        UsageError: the file cannot be read, or is not UTF-8 text.
    """
    try:
        with path.open(encoding="utf-8-sig") as stream:
            for number, line in enumerate(stream, 1):
                if line.strip():
                    yield number, _line(number, line, read)
    except OSError as error:
        raise UsageError(f"The file {path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"The file {path} is not UTF-8 text.") from error


def _line(number: int, line: str, read: Callable[[Any], T]) -> T | Malformed:
    entry: Any = None
    try:
        entry = parse_line(line)
        return read(entry)
    except ValueError as error:
        identity = entry.get("id") if isinstance(entry, Mapping) else None
        known = str(identity) if isinstance(identity, str | int) else ""
        return Malformed(number, known, str(error))


def parse_line(line: str) -> Any:
    """The value of a line of JSON.

    Raises:
        ValueError: it is not JSON, or holds a text that cannot be written; the message says which.
    """
    try:
        value = json.loads(line.rstrip())
        if "\\u" in line:
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise ValueError(f"it is not JSON: {error.msg} at column {error.colno}") from error
    except UnicodeEncodeError as error:
        raise ValueError("it holds half of a surrogate pair, which is no text") from error
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    return value


def unique(lines: Iterable[tuple[int, Any]]) -> list[Any]:
    """Cases or predictions without their line numbers, a second one of an id made malformed."""
    seen: set[str] = set()
    kept: list[Any] = []
    for number, item in lines:
        if isinstance(item, Malformed):
            kept.append(item)
        elif item.id in seen:
            reason = f"the id {item.id} stands twice"
            kept.append(Malformed(number, item.id, reason, "duplicate_id"))
        else:
            seen.add(item.id)
            kept.append(item)
    return kept


def _object(entry: Any, required: set[str]) -> Mapping[str, Any]:
    if not isinstance(entry, Mapping):
        raise ValueError("an object is expected")
    missing = sorted(required - entry.keys())
    if missing:
        raise ValueError(f'"{missing[0]}" is missing')
    return entry


def _identity(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int) or not str(value).strip():
        raise ValueError('"id" must be a text or a number')
    return str(value)


def _text(fields: Mapping[str, Any], key: str) -> str:
    if not isinstance(fields[key], str):
        raise ValueError(f'"{key}" must be a text')
    return str(fields[key])


def _texts(fields: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = fields.get(key) or []
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise ValueError(f'"{key}" must be a list of texts')
    return tuple(value)


def _boolean(fields: Mapping[str, Any], key: str, default: bool) -> bool:
    value = default if fields.get(key) is None else fields[key]
    if not isinstance(value, bool):
        raise ValueError(f'"{key}" must be true or false')
    return value


def _order(fields: Mapping[str, Any]) -> bool | tuple[str, ...]:
    if isinstance(fields.get("order_matters"), list):
        return _texts(fields, "order_matters") or False
    return _boolean(fields, "order_matters", False)


def _tolerance(value: Any) -> float:
    if value is None:
        return TOLERANCE
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError('"tolerance" must be a number')
    if not (math.isfinite(value) and 0 <= value < 1):
        raise ValueError('"tolerance" must be a number from 0 to below 1')
    return float(value)

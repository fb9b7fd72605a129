"""The pack's verified questions: 100 questions with every accepted reading as SQL.

The entries are in `questions.yaml`, whose head explains each field. They are a fixture and a
benchmark: nothing that writes queries may read them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Literal, get_args

from groundwire.errors import UsageError

__all__ = ["Gold", "Question", "Tier", "load_questions", "read_questions"]

Tier = Literal["easy", "medium", "hard"]


@dataclass(frozen=True, slots=True)
class Gold:
    """One accepted reading. `reading` says it in a sentence, "" where the question has only one."""

    sql: str
    reading: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its golds; an answer is right when it equals any of them.

    Rows that are equal in the columns of `order_by` may come in any order, and without `order_by`
    all rows may. An answer may leave out the columns of `optional`. With `float`, numbers are
    compared within a tolerance. `real_empty` says why the portal's small sample has no answer.
    """

    id: str
    tier: Tier
    question: str
    golds: tuple[Gold, ...]
    tags: tuple[str, ...]
    order_by: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    float: bool = False
    real_empty: str = ""

    @property
    def ordered(self) -> bool:
        """Whether the question asks for an order of the rows."""
        return bool(self.order_by)


@cache
def load_questions() -> tuple[Question, ...]:
    """The questions of the pack, in the order of the file.

    Raises:
        UsageError: the file is wrong; the message names the entry.
    """
    file = resources.files(__package__).joinpath("questions.yaml")
    return read_questions(file.read_text(encoding="utf-8"))


def read_questions(text: str, *, source: str = "questions.yaml") -> tuple[Question, ...]:
    """Read the YAML text of a question set.

    Raises:
        UsageError: no YAML, no list, or a wrong entry; the message names the source and the entry.
    """
    import yaml

    try:
        entries = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, ValueError) as error:  # ValueError: a date that does not exist
        raise UsageError(f"{source} is not readable YAML: {error}") from error
    if not isinstance(entries, list):
        raise UsageError(f"{source} must be a list of questions.")
    questions: dict[str, Question] = {}
    wordings: dict[str, str] = {}
    for number, entry in enumerate(entries, start=1):
        try:
            question = _question(entry)
            if question.id in questions:
                raise ValueError("this id stands twice")
            if question.question in wordings:
                raise ValueError(f"the question of {wordings[question.question]} again")
        except ValueError as error:
            raise UsageError(f"{source}, {_name(entry, number)}: {error}.") from error
        questions[question.id] = question
        wordings[question.question] = question.id
    return tuple(questions.values())


def _name(entry: Any, number: int) -> str:
    named = isinstance(entry, Mapping) and isinstance(entry.get("id"), str)
    return str(entry["id"]) if named else f"entry {number}"


_REQUIRED = frozenset({"id", "tier", "question", "tags"})
_OPTIONAL = frozenset({"gold", "golds", "order_by", "optional", "float", "real_empty"})


def _question(entry: Any) -> Question:
    _check_keys(entry, _REQUIRED, _OPTIONAL)
    if entry["tier"] not in get_args(Tier):
        raise ValueError(f"`tier` must be one of {', '.join(get_args(Tier))}")
    if not isinstance(entry.get("float", False), bool):
        raise ValueError("`float` must be true or false")
    return Question(
        id=_text(entry, "id"),
        tier=entry["tier"],
        question=_text(entry, "question"),
        golds=_golds(entry),
        tags=_texts(entry, "tags"),
        order_by=_texts(entry, "order_by") if "order_by" in entry else (),
        optional=_texts(entry, "optional") if "optional" in entry else (),
        float=entry.get("float", False),
        real_empty=_text(entry, "real_empty") if "real_empty" in entry else "",
    )


def _golds(entry: Mapping[str, Any]) -> tuple[Gold, ...]:
    if ("gold" in entry) == ("golds" in entry):
        raise ValueError("it needs `gold`, or `golds` with several readings")
    if "gold" in entry:
        return (Gold(_text(entry, "gold")),)
    readings = entry["golds"]
    if not isinstance(readings, list) or len(readings) < 2:
        raise ValueError("`golds` must list at least two readings")
    for reading in readings:
        _check_keys(reading, frozenset({"reading", "sql"}))
    golds = tuple(Gold(_text(r, "sql"), _text(r, "reading")) for r in readings)
    if len({gold.reading for gold in golds}) < len(golds):
        raise ValueError("two of its readings have the same sentence")
    return golds


def _check_keys(
    entry: Any, required: frozenset[str], optional: frozenset[str] = frozenset()
) -> None:
    if not isinstance(entry, Mapping):
        raise ValueError("it must be a mapping")
    if missing := sorted(required - entry.keys()):
        raise ValueError(f"`{missing[0]}` is missing")
    if unknown := sorted(map(str, entry.keys() - required - optional)):
        raise ValueError(f"`{unknown[0]}` is not a field")


def _text(entry: Mapping[str, Any], key: str) -> str:
    value = entry[key]
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"`{key}` must be a text")
    return value.strip()


def _texts(entry: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = entry[key]
    if not isinstance(value, list) or not value:
        raise ValueError(f"`{key}` must be a list of texts")
    if not all(isinstance(text, str) and text.strip() for text in value):
        raise ValueError(f"`{key}` must be a list of texts")
    return tuple(text.strip() for text in value)

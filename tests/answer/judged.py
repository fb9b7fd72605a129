"""Reads the plain text files of judged sentences, and makes small results."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import Any

from groundwire.database.result import Result, ResultColumn


@dataclass
class Judged:
    """One sentence with the result it is about and the judgement of a person."""

    place: str
    question: str
    result: Result
    total: int | None
    context: tuple[str, ...]
    sentence: str
    true: bool
    reason: str


def table(names: Sequence[str], rows: Sequence[Sequence[Any]], *, cut: bool = False) -> Result:
    """A result from names and rows."""
    columns = tuple(ResultColumn(name, "") for name in names)
    return Result(columns, tuple(tuple(row) for row in rows), truncated=cut)


def read_pairs(path: Path) -> Iterator[Judged]:
    """Every judged sentence of a file, in order."""
    block = _Block()
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            block = _Block()
        elif not line.startswith("#"):
            key, _, text = line.partition(":")
            yield from block.take(f"{path.name}:{number}", key.strip(), text.strip())


@dataclass
class _Block:
    question: str = ""
    names: list[str] = field(default_factory=list)
    rows: list[list[Any]] = field(default_factory=list)
    cut: bool = False
    total: int | None = None
    context: list[str] = field(default_factory=list)

    def take(self, place: str, key: str, text: str) -> Iterator[Judged]:
        if key == "question":
            self.question = text
        elif key == "columns":
            self.names = [part.strip() for part in text.split("|")]
        elif key == "row":
            self.rows.append([_value(part.strip()) for part in text.split("|")])
        elif key == "cut":
            self.cut, self.total = True, int(text) if text.isdigit() else None
        elif key == "context":
            self.context.append(text)
        elif key in ("true", "false", "says"):
            sentence, _, reason = text.partition("<<")
            result = table(self.names, self.rows, cut=self.cut)
            yield Judged(
                place,
                self.question,
                result,
                self.total,
                tuple(self.context),
                sentence.strip(),
                key == "true",
                reason.strip(),
            )
        else:
            raise ValueError(f"{place}: what is {key!r}?")


def _value(text: str) -> Any:
    if text == "NULL":
        return None
    if text in ("true", "false"):
        return text == "true"
    if re.fullmatch(r"-?\d+", text):
        return int(text)
    if re.fullmatch(r"-?\d+\.\d+", text):
        return float(text)
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        return date.fromisoformat(text)
    if re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?", text):
        return datetime.fromisoformat(text)
    return text.strip('"')

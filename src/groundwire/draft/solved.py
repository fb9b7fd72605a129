"""Solved questions: pairs of a question and its approved query, read from a file.

The file is JSON lines, `{"question", "query"}` with optional `database` (or `graph`), `language`
(`sql`, `cypher`) and `id`, or a CSV file with these columns. Other keys are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from groundwire.errors import StorageError, UsageError

__all__ = ["Exemplar", "read_solved"]

_FORM = 'Each line is an object: {"question": "How many orders?", "query": "SELECT count(*) …"}.'


@dataclass(frozen=True, slots=True)
class Exemplar:
    """A question with the query that was executed and approved for it.

    `database` is the name of the database that it was approved on; "" = the one that is asked.
    """

    question: str
    query: str
    database: str = ""
    language: str = "sql"
    id: str = ""


def read_solved(path: str | Path) -> tuple[Exemplar, ...]:
    """The pairs of a file, each once.

    Raises:
        UsageError: there is no such file, a line is malformed (its number is named), or no pair is
            in it.
        StorageError: the file cannot be read.
    """
    path = Path(path).expanduser()
    if not path.is_file():
        what = "is a folder" if path.is_dir() else "does not exist"
        raise UsageError(f"The file of examples {path} {what}.", hint=_FORM)
    try:
        text = path.read_text("utf-8-sig")
    except OSError as error:
        raise StorageError(f"The file of examples {path} cannot be read: {error}.") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"The file of examples {path} is not UTF-8 text.", hint=_FORM) from error
    entries = _csv_rows(text, path) if path.suffix.lower() == ".csv" else _json_lines(text, path)
    pairs = dict.fromkeys(_exemplar(entry, f"{path}, line {line}") for line, entry in entries)
    if not pairs:
        raise UsageError(f"The file of examples {path} holds no pair.", hint=_FORM)
    return tuple(pairs)


def _json_lines(text: str, path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    import json

    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise UsageError(
                f"{path}, line {number}: it is no JSON ({error}).", hint=_FORM
            ) from None
        if not isinstance(entry, Mapping):
            raise UsageError(f"{path}, line {number}: it is no JSON object.", hint=_FORM)
        yield number, entry


def _csv_rows(text: str, path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    import csv
    import io

    rows = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    try:
        for row in rows:
            yield rows.line_num, {key: value for key, value in row.items() if value}
    except csv.Error as error:
        raise UsageError(f"{path}, line {rows.line_num}: it is no CSV ({error}).") from None


def _exemplar(entry: Mapping[str, Any], where: str) -> Exemplar:
    question, query = (_text(entry, key, where) for key in ("question", "query"))
    if not question or not query:
        missing = "query" if question else "question"
        raise UsageError(f"{where}: the {missing} is missing.", hint=_FORM)
    language = _text(entry, "language", where).lower() or _language_of(query)
    if language not in ("sql", "cypher"):
        raise UsageError(f"{where}: the language {language!r} is neither sql nor cypher.")
    database = _text(entry, "database", where) or _text(entry, "graph", where)
    return Exemplar(question, query, database, language, _text(entry, "id", where))


def _text(entry: Mapping[str, Any], key: str, where: str) -> str:
    value = entry.get(key)
    if value is None:
        return ""
    if key == "id" and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise UsageError(f"{where}: the {key} is not a text.", hint=_FORM)
    if any("\ud800" <= letter <= "\udfff" for letter in value):
        raise UsageError(f"{where}: the {key} holds half a character.", hint=_FORM)
    return value.strip()


def _language_of(query: str) -> str:
    """The language of a query that does not say: by its first word, else by Cypher's grammar."""
    from groundwire.query import cypher

    first = re.match(r"[^\W\d]+", query)
    word = first[0].upper() if first else ""
    if word in ("SELECT", "MATCH", "OPTIONAL", "UNWIND"):
        return "sql" if word == "SELECT" else "cypher"
    return "cypher" if cypher.parse(query).ok else "sql"

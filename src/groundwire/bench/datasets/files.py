"""Records from the files in which data sets are published, and cases made of them.

JSON (a list of objects), JSON lines (`.jsonl`, `.ndjson`, or `.json` with an object a line), CSV
with a header, and Parquet; each but the last may be compressed with gzip (`.gz`).
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from groundwire.bench.case import Case, Malformed, parse_line, unique
from groundwire.errors import UsageError

__all__ = ["Read", "Record", "Unusable", "find_files", "read_files"]

LONGEST_CELL = 2**24
"""Characters of a cell of CSV at most: schemas stand in cells."""

Read = Callable[["Record"], Case]


class Unusable(ValueError):
    """A record of which no case can be made; `kind` is a word for counting such."""

    def __init__(self, reason: str, kind: str = "malformed") -> None:
        super().__init__(reason)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Record:
    """One object of a file; `place` counts from 0.

    The readers take several names of a field, as the forms of a set differ, and use the first
    that the record has.
    """

    path: Path
    place: int
    fields: Mapping[str, Any]

    @property
    def file(self) -> str:
        """The file's name without its endings."""
        return self.path.name.partition(".")[0]

    def text(self, *names: str) -> str:
        """A text that is not blank.

        Raises:
            Unusable: it is missing, blank or no text.
        """
        value = self._value(names)
        if not isinstance(value, str) or not value.strip():
            raise Unusable(f'"{self._name(names)}" must be a text')
        return value.strip()

    def identity(self, *names: str) -> str:
        """A text or a whole number, as text.

        Raises:
            Unusable: it is missing or something else.
        """
        value = self._value(names)
        if isinstance(value, bool) or not isinstance(value, str | int) or not str(value).strip():
            raise Unusable(f'"{self._name(names)}" must be a text or a number')
        return str(value).strip()

    def optional(self, *names: str) -> str:
        """A text or a number as text; "" where it is missing or null."""
        value = self._value(names)
        return "" if value is None else str(value).strip()

    def has(self, name: str) -> bool:
        """Whether the record has the field and it is not null."""
        return self.fields.get(name) is not None

    def _name(self, names: tuple[str, ...]) -> str:
        return next((name for name in names if name in self.fields), names[0])

    def _value(self, names: tuple[str, ...]) -> Any:
        return self.fields.get(self._name(names))


def find_files(
    folder: Path, patterns: Iterable[str], needs: str, parts: Iterable[str] = ()
) -> list[list[Path]]:
    """The files of a folder, by the pattern that they fit; not those that fit one of `parts`.

    Raises:
        UsageError: there is none; the message says what the set needs.
    """
    if not folder.is_dir():
        raise UsageError(f"There is no {folder}.", hint=f"Needed: {needs}.")
    groups = [
        sorted(
            file
            for file in folder.glob(pattern)
            if file.is_file() and not any(fnmatch(file.name, part) for part in parts)
        )
        for pattern in patterns
    ]
    found = [group for group in groups if group]
    if not found:
        raise UsageError(
            f"The folder {folder} holds no file of this set.", hint=f"Needed: {needs}."
        )
    return found


def read_files(files: Iterable[Path], read: Read) -> list[Case | Malformed]:
    """A case of each record, in order; where none can be made, or an id stands twice, why.

    Raises:
        UsageError: a file cannot be read, or is not of the kind that its name says.
    """
    return unique(line for file in files for line in _cases(file, read))


def _cases(path: Path, read: Read) -> Iterator[tuple[int, Case | Malformed]]:
    for place, (number, found) in enumerate(_objects(path)):
        if isinstance(found, Malformed):
            yield number, found
            continue
        try:
            yield number, read(Record(path, place, found))
        except Unusable as error:
            yield number, Malformed(number, _id_of(found), str(error), error.kind)
        except ValueError as error:
            yield number, Malformed(number, _id_of(found), str(error))


def _id_of(fields: Mapping[str, Any]) -> str:
    names = ("id", "qid", "question_id", "unique_id", "instance_id", "idx")
    return next((str(fields[name]) for name in names if fields.get(name) is not None), "")


def _objects(path: Path) -> Iterator[tuple[int, Mapping[str, Any] | Malformed]]:
    """Each object of a file with its place: a line for JSON lines and CSV, else its number."""
    ending = Path(path.name.removesuffix(".gz")).suffix.lower()
    if ending == ".parquet":
        yield from _of_parquet(path)
    elif ending == ".csv":
        yield from _of_csv(path)
    elif ending in (".json", ".jsonl", ".ndjson"):
        text = _text_of(path)
        listed = ending == ".json" and text.lstrip().startswith("[")
        yield from _of_list(path, text) if listed else _of_lines(text)
    else:
        raise UsageError(
            f"The file {path} is of no known kind.",
            hint="Its name has to end in .json, .jsonl, .ndjson, .csv (or .gz), or .parquet.",
        )


def _of_list(path: Path, text: str) -> Iterator[tuple[int, Mapping[str, Any] | Malformed]]:
    try:
        items = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"The file {path} is not JSON: {error}.") from error
    for number, item in enumerate(items, 1):
        yield number, _object(number, item)


def _of_lines(text: str) -> Iterator[tuple[int, Mapping[str, Any] | Malformed]]:
    for number, line in enumerate(io.StringIO(text), 1):
        if line.strip():
            try:
                yield number, _object(number, parse_line(line))
            except ValueError as error:
                yield number, Malformed(number, "", str(error))


def _object(number: int, item: Any) -> Mapping[str, Any] | Malformed:
    if isinstance(item, Mapping):
        return item
    return Malformed(number, "", "an object is expected")


def _of_csv(path: Path) -> Iterator[tuple[int, Mapping[str, Any] | Malformed]]:
    limit = csv.field_size_limit(LONGEST_CELL)
    try:
        rows = csv.reader(io.StringIO(_text_of(path), newline=""), strict=True)
        header = [name.strip() for name in next(rows, [])]
        for row in rows:
            if not row:
                continue
            if len(row) != len(header):
                reason = f"it has {len(row)} cells, the header {len(header)}"
                yield rows.line_num, Malformed(rows.line_num, "", reason)
            else:
                yield rows.line_num, dict(zip(header, row, strict=True))
    except csv.Error as error:
        raise UsageError(f"The file {path} is not CSV: {error}.") from error
    finally:
        csv.field_size_limit(limit)


def _of_parquet(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    import duckdb

    try:
        with duckdb.connect() as connection:
            found = connection.execute("SELECT * FROM read_parquet(?)", [str(path)])
            names = [column[0] for column in found.description or ()]
            rows = found.fetchall()
    except duckdb.Error as error:
        raise UsageError(f"The file {path} cannot be read as Parquet: {error}") from error
    for number, row in enumerate(rows, 1):
        yield number, dict(zip(names, row, strict=True))


def _text_of(path: Path) -> str:
    try:
        data = path.read_bytes()
        return (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8-sig")
    except (OSError, EOFError, zlib.error) as error:
        raise UsageError(f"The file {path} cannot be read: {error}.") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"The file {path} is not UTF-8 text.") from error

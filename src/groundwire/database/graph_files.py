"""Nodes and relationships from JSON lines or CSV; what cannot be read is put aside with a reason.

JSON lines, one object a line:

    {"id": 1, "labels": ["Person"], "properties": {"name": "Ann", "born": {"$date": "1970-01-31"}}}
    {"type": "KNOWS", "start": 1, "end": 2, "properties": {"since": 2001}}

CSV has the header of Neo4j's own import tool: `id:ID`, `:LABEL` (several with `;` between them),
`:START_ID`, `:END_ID`, `:TYPE`; every other column is a property, text unless its header says
`:int`, `:float`, `:boolean`, `:date`, `:datetime`, `:localdatetime`, `:time`, `:localtime` or
`:string[]` and the like. An empty cell is no property. A named id column is a property, too.

A file name that ends in `.gz` is unpacked. Ids are compared as text.
"""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, time
from functools import partial
from pathlib import Path
from typing import IO, Any, Literal

from groundwire.counted import counted
from groundwire.errors import StorageError, UsageError

__all__ = ["Item", "NodeRecord", "Rejected", "RelationshipRecord", "Source", "read_items"]

Source = Path | Iterable[Mapping[str, Any]]
"""A file, or the objects that its lines would hold."""

LIST_SEPARATOR = ";"

PLAIN = (str, float, bool)
"""Most values are of these types, which need no second look."""


@dataclass(frozen=True, slots=True)
class NodeRecord:
    """A node as it stands in a file."""

    id: str
    labels: tuple[str, ...]
    properties: dict[str, Any]


@dataclass(frozen=True, slots=True)
class RelationshipRecord:
    """A relationship as it stands in a file; `start` and `end` are ids of nodes there."""

    type: str
    start: str
    end: str
    properties: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Rejected:
    """A line that was put aside: where it stands, and why."""

    source: str
    line: int
    reason: str


Item = NodeRecord | RelationshipRecord | Rejected


def read_items(source: Source, kind: Literal["node", "relationship"]) -> Iterator[tuple[int, Item]]:
    """Every record of a source with its line, or why it was put aside.

    Raises:
        StorageError: the file cannot be read.
        UsageError: the file is of an unknown kind, or its CSV header lacks a column.
    """
    name = source.name if isinstance(source, Path) else f"{kind}s"
    make = _node if kind == "node" else _relationship
    for line, found in _objects(source, kind):
        try:
            yield line, make(found())
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            reason = f"there is no {error}" if isinstance(error, KeyError) else str(error)
            yield line, Rejected(name, line, reason)


def _objects(source: Source, kind: str) -> Iterator[tuple[int, Callable[[], Any]]]:
    """Each line's number and a function that reads it (and fails when it is malformed)."""
    if not isinstance(source, Path):
        for number, item in enumerate(source, 1):
            yield number, partial(_itself, item)
        return
    suffix = Path(source.name.removesuffix(".gz")).suffix.lower()
    with _opened(source) as file:
        if suffix == ".csv":
            yield from _csv_objects(file, source.name, kind)
        elif suffix in (".jsonl", ".ndjson", ".json"):
            for number, text in enumerate(file, 1):
                if text.strip():
                    yield number, partial(json.loads, text)
        else:
            raise UsageError(
                f"{source.name} is neither JSON lines nor CSV.",
                hint="The file's name has to end in .jsonl, .ndjson, .json or .csv (and .gz).",
            )


def _itself(item: Any) -> Any:
    return item


@contextmanager
def _opened(path: Path) -> Iterator[IO[str]]:
    opened = gzip.open if path.suffix == ".gz" else open
    try:
        with opened(path, "rt", encoding="utf-8-sig", newline="") as text:
            yield text
    except (OSError, EOFError) as error:
        raise StorageError(
            f"{path} cannot be read: {error}", hint="Check the path and the file."
        ) from error
    except UnicodeDecodeError as error:
        raise StorageError(
            f"{path} is not UTF-8 text: {error}", hint="Convert it to UTF-8."
        ) from error


def _node(item: Any) -> NodeRecord:
    labels = _object(item)["labels"]
    if not isinstance(labels, (list, tuple)) or not all(_is_name(label) for label in labels):
        raise ValueError("labels is not a list of names")
    return NodeRecord(_id(item, "id"), tuple(dict.fromkeys(labels)), _properties(item))


def _relationship(item: Any) -> RelationshipRecord:
    kind = _object(item)["type"]
    if not _is_name(kind):
        raise ValueError("type is not a name")
    return RelationshipRecord(kind, _id(item, "start"), _id(item, "end"), _properties(item))


def _object(item: Any) -> Mapping[str, Any]:
    if not isinstance(item, Mapping):
        raise ValueError("the line is not an object")
    return item


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _id(item: Mapping[str, Any], key: str) -> str:
    value = item[key]
    if isinstance(value, bool) or not isinstance(value, (str, int)) or value == "":
        raise ValueError(f"{key} is neither text nor a whole number")
    return str(value)


def _properties(item: Mapping[str, Any]) -> dict[str, Any]:
    found = item.get("properties") or {}
    if not isinstance(found, Mapping):
        raise ValueError("properties is not an object")
    properties = {}
    for key, value in found.items():
        if not _is_name(key):
            raise ValueError("a property has no name")
        if type(value) in PLAIN:
            properties[key] = value
        elif value is not None:
            properties[key] = _stored(value, key)
    return properties


def _stored(value: Any, key: str) -> Any:
    """A value that a property can hold."""
    if isinstance(value, Mapping):
        return _tagged(value, key)
    if isinstance(value, (list, tuple)):
        items = [_stored(item, key) for item in value]
        kinds = {type(item) for item in items}
        if kinds == {int, float}:
            return [float(item) for item in items]
        if len(kinds) > 1 or kinds & {list, type(None)}:
            raise ValueError(f"the list {key} mixes types, or holds null or another list")
        return items
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise ValueError(f"{key} is a number of more than 64 bits")
    if isinstance(value, (str, bool, int, float, date, datetime, time)) or value is None:
        return value
    raise ValueError(f"{key} has a value that no property can hold")


def _tagged(value: Mapping[str, Any], key: str) -> Any:
    if len(value) == 1:
        ((tag, text),) = value.items()
        reader = _READERS.get(tag.removeprefix("$").lower())
        if reader is not None and tag.startswith("$"):
            return reader(text)
    raise ValueError(f"{key} is an object, which no property can hold")


def _boolean(text: str) -> bool:
    word = text.strip().lower()
    if word not in ("true", "false"):
        raise ValueError(f"{text!r} is neither true nor false")
    return word == "true"


def _zoned(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(f"{text!r} has no time zone")
    return moment


_READERS: dict[str, Callable[[str], Any]] = {
    "string": str,
    "int": int,
    "long": int,
    "float": float,
    "double": float,
    "boolean": _boolean,
    "date": date.fromisoformat,
    "datetime": _zoned,
    "localdatetime": datetime.fromisoformat,
    "time": time.fromisoformat,
    "localtime": time.fromisoformat,
}
"""By the type's word in a CSV header, and behind `$` in JSON."""


def _csv_objects(file: IO[str], name: str, kind: str) -> Iterator[tuple[int, Callable[[], Any]]]:
    rows = csv.reader(file)
    header = next(rows, [])
    columns = [cell.strip().partition(":")[::2] for cell in header]
    kinds = {kind.upper() for _, kind in columns}
    for wanted in ("ID",) if kind == "node" else ("START_ID", "END_ID", "TYPE"):
        if wanted not in kinds:
            raise UsageError(
                f"The header of {name} has no column :{wanted}.",
                hint="Nodes need `id:ID` and `:LABEL`; relationships `:START_ID`, `:END_ID`, "
                "`:TYPE`; every other column is a property such as `born:int`.",
            )
    for row in rows:
        yield rows.line_num, partial(_csv_object, columns, row)


def _csv_object(columns: list[tuple[str, str]], row: list[str]) -> dict[str, Any]:
    if len(row) != len(columns):
        raise ValueError(f"{counted(len(row), 'cell')}, but {counted(len(columns), 'column')}")
    item: dict[str, Any] = {"labels": [], "properties": {}}
    places = {"ID": "id", "START_ID": "start", "END_ID": "end", "TYPE": "type"}
    for (name, kind), cell in zip(columns, row, strict=True):
        word = kind.upper().partition("(")[0]
        if word == "LABEL":
            item["labels"] = [part for part in cell.split(LIST_SEPARATOR) if part]
        elif word in places:
            item[places[word]] = cell
        if cell and name and word not in ("LABEL", "START_ID", "END_ID", "TYPE"):
            item["properties"][name] = _cell(cell, "string" if word == "ID" else kind.lower())
    return item


def _cell(text: str, kind: str) -> Any:
    if kind.endswith("[]"):
        return [_cell(part, kind[:-2]) for part in text.split(LIST_SEPARATOR)]
    reader = _READERS.get(kind or "string")
    if reader is None:
        raise ValueError(f"the type :{kind} is not known")
    return reader(text)

"""The values of graphs, one class for every engine, each with the JSON form of `values.py`.

A driver's own nodes, relationships and paths hang on a closed transaction or are bare dicts that
a map could be mistaken for; these are plain values, without the properties that nobody may see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any

from groundwire.database.values import Interval, Json, to_json

__all__ = ["Hides", "Node", "Path", "Point", "Relationship", "from_neo4j", "type_name"]

Hides = Callable[[Iterable[str], str], bool]
"""Says of (labels of a node or the type of a relationship, property key) that nobody may see it."""


@dataclass(frozen=True, slots=True)
class Node:
    """A node; `id` is the engine's own element id, valid while the graph is not changed."""

    id: str
    labels: tuple[str, ...]
    properties: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Relationship:
    """A relationship; `start` and `end` are the ids of its nodes."""

    id: str
    type: str
    start: str
    end: str
    properties: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Path:
    """The nodes and relationships of a path, in order."""

    nodes: tuple[Node, ...]
    relationships: tuple[Relationship, ...]


@dataclass(frozen=True, slots=True)
class Point:
    """A point; WGS 84 (srid 4326) has longitude first, then latitude."""

    srid: int
    coordinates: tuple[float, ...]


@to_json.register
def _node(value: Node) -> Json:
    return {
        "id": value.id,
        "labels": sorted(value.labels),
        "properties": to_json(value.properties),
    }


@to_json.register
def _relationship(value: Relationship) -> Json:
    return {
        "id": value.id,
        "type": value.type,
        "start": value.start,
        "end": value.end,
        "properties": to_json(value.properties),
    }


@to_json.register
def _path(value: Path) -> Json:
    return {
        "nodes": [to_json(node) for node in value.nodes],
        "relationships": [to_json(step) for step in value.relationships],
    }


@to_json.register
def _point(value: Point) -> Json:
    return {"srid": value.srid, "coordinates": [to_json(item) for item in value.coordinates]}


def type_name(values: Iterable[Any]) -> str:
    """Cypher's name for the type of a result column; Cypher itself gives none.

    The types of all values that are not null: one name, or `ANY` where they differ.
    """
    names = {_type_of(value) for value in values if value is not None}
    if names == {"INTEGER", "FLOAT"}:
        return "FLOAT"
    return names.pop() if len(names) == 1 else "ANY" if names else "NULL"


_TYPE_NAMES: dict[type, str] = {
    bool: "BOOLEAN",
    int: "INTEGER",
    float: "FLOAT",
    str: "STRING",
    bytes: "BYTES",
    date: "DATE",
    Interval: "DURATION",
    Point: "POINT",
    Node: "NODE",
    Relationship: "RELATIONSHIP",
    Path: "PATH",
    dict: "MAP",
}


def _type_of(value: Any) -> str:
    if isinstance(value, list):
        return f"LIST<{type_name(value)}>"
    if isinstance(value, (datetime, time)):
        what = "DATETIME" if isinstance(value, datetime) else "TIME"
        return f"{'LOCAL' if value.tzinfo is None else 'ZONED'} {what}"
    return _TYPE_NAMES.get(type(value), type(value).__name__.upper())


def from_neo4j(value: Any, hides: Hides) -> Any:
    """A value of the neo4j driver as a plain value.

    Temporal values become Python's where no nanosecond is lost, else they stay the driver's.
    """
    if isinstance(value, (str, int, float, type(None))):
        return value
    if isinstance(value, (list, tuple)) and not hasattr(value, "srid"):
        if hasattr(value, "months"):  # the driver's duration is a tuple
            return Interval(*value)
        return [from_neo4j(item, hides) for item in value if not _hidden_key(item, hides)]
    if isinstance(value, dict):
        return {k: from_neo4j(item, hides) for k, item in value.items() if not hides((), k)}
    if hasattr(value, "to_native"):
        return value if getattr(value, "nanosecond", 0) % 1000 else value.to_native()
    if hasattr(value, "srid"):
        return Point(value.srid, tuple(value))
    return _graph_part(value, hides)


def _hidden_key(item: Any, hides: Hides) -> bool:
    """What `keys(n)` lists and nobody may see."""
    return isinstance(item, str) and hides((), item)


def _graph_part(value: Any, hides: Hides) -> Any:
    if hasattr(value, "relationships"):
        return Path(
            tuple(_graph_part(node, hides) for node in value.nodes),
            tuple(_graph_part(step, hides) for step in value.relationships),
        )
    if hasattr(value, "labels"):
        labels = tuple(sorted(value.labels))
        return Node(value.element_id, labels, _properties(value, labels, hides))
    if hasattr(value, "start_node"):
        return Relationship(
            value.element_id,
            value.type,
            value.start_node.element_id,
            value.end_node.element_id,
            _properties(value, (value.type,), hides),
        )
    return value


def _properties(value: Any, owners: tuple[str, ...], hides: Hides) -> dict[str, Any]:
    return {key: from_neo4j(item, hides) for key, item in value.items() if not hides(owners, key)}

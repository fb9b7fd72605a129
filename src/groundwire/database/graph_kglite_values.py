"""kglite's values as the plain values of every graph.

kglite gives nodes, relationships, paths, durations and points as dicts with fixed keys; a map that
somebody built with exactly those keys cannot be told from them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from groundwire.database.graph_kglite_names import STRUCTURAL, unmangle
from groundwire.database.graph_values import Hides, Node, Path, Point, Relationship
from groundwire.database.values import Interval

__all__ = ["Reader"]

NODE = {"id", "labels", "properties"}
RELATIONSHIP = {"id", "start", "end", "type", "properties"}
PATH = {"nodes", "relationships"}
DURATION = {"months", "days", "seconds"}
POINT = {"latitude", "longitude"}
WGS_84 = 4326


@dataclass(frozen=True)
class Reader:
    """Reads values of one graph.

    `stored` lists the keys that nodes of a primary label were given; kglite's own `id`, `title`
    and `type` are left out of a node that was not. `marked`: see `graph_kglite_names`.
    """

    hides: Hides
    marked: bool
    stored: Mapping[str, Collection[str]]

    def read(self, value: Any) -> Any:
        """A value of a result."""
        if isinstance(value, list):
            return [self.read(item) for item in value]
        if not isinstance(value, dict):
            return value
        keys = value.keys()
        if keys == NODE:
            return self._node(value)
        if keys == RELATIONSHIP:
            properties = self._properties(value["properties"], (value["type"],))
            ends = str(value["start"]), str(value["end"])
            return Relationship(str(value["id"]), value["type"], *ends, properties)
        if keys == PATH:
            nodes, steps = (tuple(self.read(part) for part in value[key]) for key in sorted(PATH))
            return Path(nodes, steps)
        if DURATION <= keys <= {*DURATION, "nanoseconds"}:
            return Interval(**value)
        if keys == POINT:
            return Point(WGS_84, (value["longitude"], value["latitude"]))
        return self._properties(value, ())

    def _node(self, value: dict[str, Any]) -> Node:
        labels = tuple(value["labels"])
        properties = value["properties"]
        if not self.marked:
            stored = self.stored.get(labels[0], ()) if labels else ()
            virtual = {key for key in STRUCTURAL if key not in stored}
            properties = {key: item for key, item in properties.items() if key not in virtual}
        return Node(str(value["id"]), labels, self._properties(properties, labels))

    def _properties(self, found: dict[str, Any], owners: Iterable[str]) -> dict[str, Any]:
        owners = tuple(owners)
        if self.marked:
            found = {unmangle(key): item for key, item in found.items() if key not in STRUCTURAL}
        return {key: self.read(item) for key, item in found.items() if not self.hides(owners, key)}

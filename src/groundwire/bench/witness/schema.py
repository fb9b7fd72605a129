"""What a graph may hold: labels, types of relationships, and how many of them a node has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from groundwire.errors import UsageError

__all__ = ["Relation", "Schema", "read_schema"]


@dataclass(frozen=True, slots=True, eq=False)
class Relation:
    """A type of relationships between nodes of two labels.

    Args:
        properties: key → kind (`str`, `int`, `float`, `date`, `list[str]`).
        one_end: a node has at most one such relationship going out.
        one_start: a node has at most one coming in.
        every_start: every start has one; `every_end`: every end has one.
        reciprocal: the share of relationships that are stored in both directions.
    """

    type: str
    start: str
    end: str
    properties: Mapping[str, str]
    one_end: bool = False
    one_start: bool = False
    every_start: bool = False
    every_end: bool = False
    reciprocal: float = 0.0


@dataclass(frozen=True, slots=True)
class Schema:
    """The labels with the kinds of their properties (`name` is one of them), and the relations."""

    name: str
    labels: Mapping[str, Mapping[str, str]]
    relations: tuple[Relation, ...]

    def find(self, types: Sequence[str], start: str, end: str) -> Iterator[Relation]:
        """The relations of some types (any, where none is named) that fit the labels ("" = any)."""
        for relation in self.relations:
            if (
                (not types or relation.type in types)
                and start in ("", relation.start)
                and end in ("", relation.end)
            ):
                yield relation


def read_schema(schema: Mapping[str, Any], info: Mapping[str, Any] | None = None) -> Schema:
    """A schema from the JSON that CypherBench publishes (`*_schema.json`, and one graph of
    `graph_info.json`).

    Args:
        schema: `name`, `entities` and `relations`.
        info: by type of relationship: `subj_cardinality`, `obj_cardinality`, `is_mandatory_…`,
            `is_symmetric`; beside it `reciprocal_share` where the share was measured (a symmetric
            type is stored both ways throughout otherwise). None = any number of relationships.

    Raises:
        UsageError: it is no such JSON.
    """
    try:
        known = {relation["label"]: relation for relation in (info or {}).get("relations", ())}
        labels = {
            entity["label"]: {"name": "str", **entity["properties"]}
            for entity in schema["entities"]
        }
        relations = [
            _relation(entry, known.get(entry["label"], {})) for entry in schema["relations"]
        ]
    except (KeyError, TypeError, AttributeError) as error:
        raise UsageError(
            f"This is no schema of a graph: {error!r}.",
            hint='It has "name", "entities" and "relations", each of them with a "label".',
        ) from error
    for relation in relations:
        for label in (relation.start, relation.end):
            if label not in labels:
                raise UsageError(f"The type {relation.type} joins the unknown label {label}.")
    return Schema(str(schema.get("name", "")), labels, tuple(relations))


def _relation(entry: Mapping[str, Any], info: Mapping[str, Any]) -> Relation:
    symmetric = bool(info.get("is_symmetric"))
    return Relation(
        type=entry["label"],
        start=entry["subj_label"],
        end=entry["obj_label"],
        properties=dict(entry.get("properties") or {}),
        one_end=info.get("obj_cardinality") == "one",
        one_start=info.get("subj_cardinality") == "one",
        every_start=bool(info.get("is_mandatory_subj")),
        every_end=bool(info.get("is_mandatory_obj")),
        reciprocal=float(info.get("reciprocal_share", 1.0)) if symmetric else 0.0,
    )

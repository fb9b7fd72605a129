"""A schema of our own, and witnesses for the golds of `decided.txt`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from groundwire.bench.case import Case
from groundwire.bench.running import Databases
from groundwire.bench.witness import Rows, Schema, read_schema, store_witnesses, witnesses

SCHEMA: dict[str, Any] = {
    "name": "library",
    "entities": [
        {"label": "Author", "properties": {"born": "date", "country": "str"}},
        {
            "label": "Book",
            "properties": {
                "year": "int",
                "pages": "float",
                "language": "str",
                "subjects": "list[str]",
            },
        },
        {"label": "Publisher", "properties": {}},
        {"label": "Prize", "properties": {}},
    ],
    "relations": [
        {"label": "wrote", "subj_label": "Author", "obj_label": "Book", "properties": {}},
        {"label": "edited", "subj_label": "Author", "obj_label": "Book", "properties": {}},
        {"label": "publishedBy", "subj_label": "Book", "obj_label": "Publisher", "properties": {}},
        {"label": "sequelOf", "subj_label": "Book", "obj_label": "Book", "properties": {}},
        {"label": "friendOf", "subj_label": "Author", "obj_label": "Author", "properties": {}},
        {
            "label": "wins",
            "subj_label": "Book",
            "obj_label": "Prize",
            "properties": {"year": "int", "shared": "bool"},
        },
    ],
}


def relation(label: str, **known: Any) -> dict[str, Any]:
    """An entry of the info."""
    plain = {"is_symmetric": False, "is_mandatory_subj": False, "is_mandatory_obj": False}
    many = {"subj_cardinality": "many", "obj_cardinality": "many"}
    return {"label": label, **plain, **many, **known}


INFO: dict[str, Any] = {
    "relations": [
        relation("wrote", is_mandatory_obj=True),
        relation("publishedBy", is_mandatory_subj=True, obj_cardinality="one"),
        relation("sequelOf", subj_cardinality="one", obj_cardinality="one"),
        relation("friendOf", is_symmetric=True),
        relation("wins"),
    ]
}


@dataclass(frozen=True)
class Block:
    """A gold with predictions that are right or wrong."""

    gold: str
    right: tuple[str, ...]
    wrong: tuple[str, ...]


def read_blocks() -> list[Block]:
    """The blocks of `decided.txt`."""
    text = (Path(__file__).parent / "decided.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    blocks: list[Block] = []
    for part in "\n".join(lines).strip().split("\n\n"):
        found: dict[str, list[str]] = {"gold": [], "right": [], "wrong": []}
        for line in part.strip().splitlines():
            key, _, query = line.partition(": ")
            found[key].append(query)
        [gold] = found["gold"]
        blocks.append(Block(gold, tuple(found["right"]), tuple(found["wrong"])))
    return blocks


BLOCKS = read_blocks()
CASES = [
    Case(str(number), "library", "cypher", "?", (block.gold,))
    for number, block in enumerate(BLOCKS)
]


@pytest.fixture(scope="session")
def library() -> Schema:
    """The schema, read."""
    return read_schema(SCHEMA, INFO)


@pytest.fixture(scope="session")
def graphs(library: Schema) -> list[Rows]:
    """Three witnesses for all golds."""
    return witnesses(CASES, library, k=3, seed=7)


@pytest.fixture(scope="session")
def stored(
    graphs: list[Rows], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[list[Databases]]:
    """The witnesses as databases."""
    folder = tmp_path_factory.mktemp("witnesses")
    store_witnesses(graphs, "library", folder)
    found = [Databases(str(folder / str(number))) for number in range(1, len(graphs) + 1)]
    yield found
    for databases in found:
        databases.close()

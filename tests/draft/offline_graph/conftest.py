"""The graphs that questions are asked of, and the fixture pairs: question, Cypher, rows.

A file of `cases/` is named after its graph. A case is `? question`, the expected Cypher, and one
`= [row in JSON]` a line, in any order (`= none` where there is none); or `! declined`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from groundwire.database.graph import GraphDatabase
from groundwire.database.graph_demo import demo_graph
from tests.graph_fixtures import GRAPH_ENGINES, make_graph
from tests.guard.cypher import conftest as cinema

CASES = Path(__file__).parent / "cases"


@dataclass
class Case:
    """`query` is "" where a decline is expected."""

    graph: str
    question: str
    query: str = ""
    rows: list[list[Any]] = field(default_factory=list)


def read_cases() -> list[Case]:
    """All cases of all files."""
    return [case for path in sorted(CASES.glob("*.txt")) for case in _read(path)]


def _read(path: Path) -> Iterator[Case]:
    for block in path.read_text(encoding="utf-8").split("\n? ")[1:]:
        question, *lines = block.strip().splitlines()
        case = Case(path.stem, question)
        query = [line for line in lines if line[:2] not in ("= ", "! ", "# ")]
        case.query = "\n".join(query)
        case.rows = [
            json.loads(line[2:]) for line in lines if line.startswith("= ") and line != "= none"
        ]
        assert bool(case.query) != ("! declined" in lines), (path, question)
        yield case


@pytest.fixture(params=GRAPH_ENGINES, scope="module")
def graphs(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[OpenGraph]:
    """One graph at a time on each engine in turn."""
    opened = OpenGraph(request, tmp_path_factory)
    yield opened
    opened.close()


class OpenGraph:
    """The graphs of one engine by name; the Neo4j server holds one of them at a time."""

    def __init__(self, request: pytest.FixtureRequest, folders: pytest.TempPathFactory) -> None:
        self.request, self.folders = request, folders
        self.name = ""
        self.database: GraphDatabase | None = None

    def open(self, name: str) -> GraphDatabase:
        """The named graph, loaded if another one was in its place."""
        if self.database is None or name != self.name:
            self.close()
            new = make_graph(self.request.param, self.request, self.folders.mktemp(name))
            rows = demo_graph() if name == "demo" else (cinema.NODES, cinema.RELATIONSHIPS)
            assert new.load(*rows).rejected == ()
            self.name, self.database = name, new.connect()
        return self.database

    def close(self) -> None:
        """Close the connection."""
        if self.database is not None:
            self.database.close()
            self.database = None

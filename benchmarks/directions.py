"""How many arrows are put right, and how many right queries are damaged, ours beside another's.

The sixty cases of `directions.txt`. Ours: the check `align_directions` on a small kglite graph
that holds one relationship of each line of the case's schema. The other: `CypherQueryCorrector` of
langchain-neo4j, which is no dependency: `pip install langchain-neo4j` (or, to leave the
environment as it is, `pip install --target FOLDER langchain-neo4j` and PYTHONPATH=FOLDER).
"""

from __future__ import annotations

import re
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from groundwire.database import connect
from groundwire.database.graph import GraphDatabase
from groundwire.database.graph_load import load_graph
from groundwire.guard.checks.cypher.align_directions import align_directions
from groundwire.guard.context import CypherContext
from groundwire.guard.probes import Probes
from groundwire.query import edits
from groundwire.query.cypher import parse

CASES = Path(__file__).with_suffix(".txt")
Triple = tuple[str, str, str]
Corrector = Callable[[str], str]


@dataclass(frozen=True)
class Case:
    """A query, and the text that it should become: itself where nothing is wrong."""

    shape: str
    graph: str
    query: str
    right: str


def main() -> None:
    """Print a table by shape, what went wrong, and the time."""
    graphs, cases = read(CASES.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        ours = {
            name: our_corrector(stack.enter_context(build(triples, f"{folder}/{name}.kgl")))
            for name, triples in graphs.items()
        }
        correctors = {"groundwire": ours}
        try:
            correctors["langchain-neo4j"] = {n: other_corrector(t) for n, t in graphs.items()}
        except ImportError:
            print("langchain-neo4j is not installed; only ours is measured.")
        report(cases, correctors)


def read(text: str) -> tuple[dict[str, list[Triple]], list[Case]]:
    """The graphs and the cases of the file."""
    text = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE)
    graphs: dict[str, list[Triple]] = {}
    cases: list[Case] = []
    for block in re.split(r"\n\n+", text.strip()):
        kind, name = block.partition("\n")[0].split(" ", 1)
        if kind == "graph":
            graphs[name] = re.findall(r"^\((.+)\)-\[(.+)\]->\((.+)\)$", block, re.MULTILINE)
            continue
        found = re.fullmatch(r"shape .*\n(\w+): (.*)\nright: (.*)", block, re.DOTALL)
        assert found is not None, block
        query, right = found[2], found[3]
        cases.append(Case(name, found[1], query, query if right == "untouched" else right))
    return graphs, cases


def build(triples: list[Triple], path: str) -> GraphDatabase:
    """A graph with one node of each label and one relationship of each line."""
    labels = dict.fromkeys(label for a, _, b in triples for label in (a, b))
    load_graph(
        [{"id": label, "labels": [label], "properties": {"name": label}} for label in labels],
        [{"type": kind, "start": a, "end": b, "properties": {}} for a, kind, b in triples],
        f"kglite:///{path}",
    )
    database = connect(f"kglite:///{path}")
    assert isinstance(database, GraphDatabase)
    return database


def our_corrector(database: GraphDatabase) -> Corrector:
    """The check alone, on the catalog of a graph."""
    catalog = database.catalog()

    def correct(text: str) -> str:
        context = CypherContext(parse(text), catalog, database, Probes(database))
        findings = align_directions(context)
        return edits.apply(text, [edit for finding in findings for edit in finding.edits])

    return correct


def other_corrector(triples: list[Triple]) -> Corrector:
    """The corrector of langchain-neo4j. Raises ImportError."""
    from langchain_neo4j.chains.graph_qa.cypher_utils import (  # type: ignore[import-not-found]
        CypherQueryCorrector,
        Schema,
    )

    corrector: Corrector = CypherQueryCorrector([Schema(*triple) for triple in triples])
    return corrector


def report(cases: list[Case], correctors: dict[str, dict[str, Corrector]]) -> None:
    """A valid query that is changed, or given back empty, is damaged."""
    table: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for name, by_graph in correctors.items():
        wrong: list[str] = []
        damaged = 0
        started = time.perf_counter()
        answers = [by_graph[case.graph](case.query) for case in cases]
        elapsed = time.perf_counter() - started
        for case, answer in zip(cases, answers, strict=True):
            table[case.shape][name] += answer == case.right
            if answer != case.right:
                damaged += case.query == case.right
                wrong.append(
                    f"  {case.shape}: {flat(case.query)}\n    -> {flat(answer) or '(empty)'}"
                )
        valid = sum(case.query == case.right for case in cases)
        print(
            f"{name}: {len(cases) - len(wrong)} of {len(cases)} right, "
            f"damaged {damaged} of {valid} valid queries, "
            f"{elapsed / len(cases) * 1000:.2f} ms a query"
        )
        print(*wrong, sep="\n", end="\n" if wrong else "")
    for shape, right in table.items():
        total = sum(case.shape == shape for case in cases)
        print(f"  {shape:24} {total:2}  " + "  ".join(f"{n} {right[n]}" for n in correctors))


def flat(text: str) -> str:
    """On one line."""
    return " ".join(text.split())

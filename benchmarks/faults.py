"""Faults planted into gold Cypher: how many the guard finds, repairs exactly, or misses.

Gold: CypherBench's training queries, on witness graphs (`groundwire.bench.witness`) made from its
schemas; ZOGRASCOPE's, on the real graph they were written for (POLE); and, for the two symmetric
types of CypherBench's schemas, which its open questions do not use, queries of the same shapes in
`faults.txt`. Everything on kglite, with the question where the set has one, without a model.

A fault that changes no name counts as planted only where it changes the rows. `repaired`: the
guard's text says the same as the gold one, or gives the same rows and some. `reported`: a finding
of the right code without a right repair; `refused`: not run, for another reason; `changed`:
repaired into something else. Gold itself must stay as it is.
"""

from __future__ import annotations

import csv
import gzip
import json
import random
import re
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.plants import FAULTS, Fault
from groundwire.bench.case import Case
from groundwire.bench.witness import store_witnesses, witnesses
from groundwire.database import connect
from groundwire.database.graph import GraphDatabase
from groundwire.database.graph_load import load_graph
from groundwire.errors import GroundwireError
from groundwire.guard import Guard, Verdict
from groundwire.query import edits
from groundwire.query.cypher import parse
from groundwire.query.cypher.ast import shape

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
GOLD = 400
"""Gold queries of each graph that are looked at, besides the rare ones on dates and lists."""
PLANTED = 60
"""Faults of each kind for each set."""


@dataclass(frozen=True)
class Gold:
    """A right query and the question that it answers."""

    text: str
    question: str | None = None


@dataclass(frozen=True)
class Set:
    """Gold queries with the graph that answers them, and one where values are missing."""

    name: str
    gold: list[Gold]
    graph: GraphDatabase
    gaps: GraphDatabase | None = None


def main() -> None:
    """Print a table for each source, then what went wrong."""
    if not DATA.is_dir():
        print(f"The data sets are not at {DATA}.")
        return
    chance = random.Random(5)
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        for source, sets in (
            ("cypherbench train", cypherbench(Path(folder), stack, chance)),
            ("symmetric types", symmetric(Path(folder), stack)),
            ("zograscope", zograscope(Path(folder), stack, chance)),
        ):
            report(source, list(sets), chance)


def cypherbench(folder: Path, stack: ExitStack, chance: random.Random) -> Iterator[Set]:
    """One set for each graph of the training questions."""
    by_graph = defaultdict(list)
    with gzip.open(DATA / "cypherbench/train.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            by_graph[row["graph"]].append(Gold(row["gold_cypher"], row["question"]))
    for name, all_gold in sorted(by_graph.items()):
        rare = [gold for gold in all_gold if "date(" in gold.text or " IN " in gold.text]
        gold = list(dict.fromkeys([*rare, *chance.sample(all_gold, min(GOLD, len(all_gold)))]))
        graph, gaps = (witness(name, gold, folder, stack, missing) for missing in (0.0, 0.3))
        yield Set(name, gold, graph, gaps)


def symmetric(folder: Path, stack: ExitStack) -> Iterator[Set]:
    """Queries of ours over types that CypherBench's schemas call symmetric."""
    text = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")
    for block in re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).strip().split("\n\n"):
        name, *lines = block.splitlines()
        gold = [Gold(line) for line in lines]
        yield Set(name, gold, witness(name, gold, folder, stack, 0.0))


def zograscope(folder: Path, stack: ExitStack, chance: random.Random) -> Iterator[Set]:
    """Questions to the POLE graph."""
    with (DATA / "zograscope/zograscope_train_v1.csv").open(encoding="utf-8", newline="") as file:
        gold = [Gold(row["mr"], row["nl"]) for row in csv.DictReader(file)]
    url = f"kglite:///{folder}/pole.kgl"
    files = [DATA / f"neo4j_graphs/pole/{x}.jsonl.gz" for x in ("nodes", "relationships")]
    load_graph(files[0], files[1], url)
    yield Set("pole", chance.sample(gold, min(GOLD, len(gold))), open_graph(url, stack))


def witness(
    name: str, gold: list[Gold], folder: Path, stack: ExitStack, missing: float
) -> GraphDatabase:
    """The graph on which gold queries find rows."""
    schema = json.loads((DATA / f"cypherbench/schemas/{name}_schema.json").read_text())
    info = json.loads((DATA / "cypherbench/graph_info.json").read_text())
    cases = [Case(str(n), name, "cypher", "", (one.text,)) for n, one in enumerate(gold)]
    rows = witnesses(cases, schema, info[name], k=1, missing=missing)
    [path] = store_witnesses(rows, name, folder / str(missing))
    return open_graph(f"kglite:///{path}", stack)


def open_graph(url: str, stack: ExitStack) -> GraphDatabase:
    """A connection that the stack closes."""
    database = stack.enter_context(connect(url))
    assert isinstance(database, GraphDatabase)
    return database


def report(source: str, sets: list[Set], chance: random.Random) -> None:
    """One line a fault, and an example of each thing that went wrong."""
    total = sum(len(one.gold) for one in sets)
    examples: list[str] = []
    for asked in (False, True):
        touched, doubts = gold_untouched(sets, asked, examples)
        how = "with" if asked else "without"
        print(f"{source}: {total} gold queries {how} question: {touched} touched; {doubts}")
    for fault in FAULTS:
        counted: Counter[str] = Counter()
        for graph, gold, draft, question in planted(fault, sets, chance):
            verdict = Guard(graph).check(draft, question)
            became = outcome(verdict, gold, fault, graph)
            counted[became] += 1
            if became != "repaired" and counted[became] <= 2:
                codes = " ".join(f.code for f in verdict.findings)
                examples.append(f"  {fault.name}, {became} [{codes}]: {draft}\n    gold {gold}")
                examples.append(f"    ours {verdict.query if verdict.ok else verdict.error}")
        if counted:
            kinds = ("repaired", "reported", "refused", "changed", "missed")
            print(
                f"  {fault.name:34} planted {counted.total():3}  "
                + "  ".join(f"{kind} {counted[kind]}" for kind in kinds)
            )
    print("\n".join(examples), flush=True)


def gold_untouched(sets: list[Set], asked: bool, examples: list[str]) -> tuple[int, str]:
    """How many gold queries the guard changes or refuses, and its doubts on all of them."""
    touched, doubts = 0, Counter[str]()
    for one in sets:
        guard = Guard(one.graph)
        for gold in one.gold:
            verdict = guard.check(gold.text, gold.question if asked else None)
            doubts.update(f.code for f in verdict.findings if f.severity == "doubt")
            if verdict.outcome != "admitted":
                touched += 1
                codes = " ".join(f.code for f in verdict.findings)
                if touched <= 6:
                    examples.append(f"  gold [{codes}]: {gold}\n    ours {verdict.query}")
    return touched, "doubts: " + (", ".join(f"{n} {c}" for c, n in doubts.items()) or "none")


def planted(
    fault: Fault, sets: list[Set], chance: random.Random
) -> Iterator[tuple[GraphDatabase, str, str, str | None]]:
    """(graph, right text, drafted text, question), `PLANTED` at most, from all sets in turn."""
    each = -(-PLANTED // len(sets))
    for one in sets:
        graph = one.gaps if fault.needs_gaps else one.graph
        if graph is None:
            continue
        found = 0
        for gold in chance.sample(one.gold, len(one.gold)):
            query = parse(gold.text)
            made = fault.plant(query, graph.catalog(), chance)
            if made is None:
                continue
            right, wrong = (edits.apply(gold.text, changes) for changes in made)
            if fault.shows:
                answer = rows(graph, right)
                if not answer or not differ(answer, rows(graph, wrong)):
                    continue
            yield graph, right, wrong, gold.question if fault.asks else None
            found += 1
            if found == each:
                break


def outcome(verdict: Verdict, gold: str, fault: Fault, graph: GraphDatabase) -> str:
    """What became of a planted fault."""
    found = any(finding.code in fault.codes for finding in verdict.findings)
    if verdict.ok and verdict.query != verdict.draft and same(verdict.query, gold, graph):
        return "repaired"
    if verdict.outcome == "repaired":
        return "changed"
    if found:
        return "reported"
    return "missed" if verdict.ok else "refused"


def same(text: str, gold: str, graph: GraphDatabase) -> bool:
    """The same tree, or the same rows where there are some."""
    ours, theirs = ([shape(s) for s in parse(x).statements] for x in (text, gold))
    if ours == theirs:
        return True
    expected = rows(graph, gold)
    return bool(expected) and not differ(expected, rows(graph, text))


def rows(graph: GraphDatabase, text: str) -> list[Any] | None:
    """All rows, None where it cannot be run in ten seconds."""
    try:
        return list(graph.execute(text, max_rows=50_000, timeout=10).rows)
    except GroundwireError:
        return None


def differ(left: Iterable[Any] | None, right: Iterable[Any] | None) -> bool:
    """Both could be run, and gave different rows in whatever order."""
    if left is None or right is None:
        return False
    return Counter(map(repr, left)) != Counter(map(repr, right))

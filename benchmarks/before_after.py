"""What the guard does to Cypher that models wrote, on real graphs, without a model.

GPT-4-turbo's queries of text2cypher on movies, northwind and network, and those of mind_the_query
that failed on pole, star_wars and wwc2019 (without the rows that failed by an upstream bug). Each
query is run as it is, judged with its question, and run again where the guard changed it, on
kglite and on Neo4j: how many could be run and found rows, every change of rows with its reasons,
every refusal of a query that had rows, and what the guard cost. A seeded sample, and so many
seconds for each graph on each engine; with both engines the same queries in the same order.
"""

from __future__ import annotations

import gzip
import json
import random
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests import neo4j_server
from tests.graph_fixtures import wipe_neo4j

from groundwire.database import connect
from groundwire.database.graph import GraphDatabase
from groundwire.database.graph_load import load_graph
from groundwire.errors import GroundwireError
from groundwire.guard import Guard, Verdict
from groundwire.settings import Settings

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SETS = {
    "movies": ("text2cypher_neo4jlabs/predictions.jsonl.gz", "movies"),
    "northwind": ("text2cypher_neo4jlabs/predictions.jsonl.gz", "northwind"),
    "star_wars": ("mind_the_query/auto_validated_failed.jsonl.gz", "star_wars"),
    "wwc2019": ("mind_the_query/auto_validated_failed.jsonl.gz", "wwc"),
    "network": ("text2cypher_neo4jlabs/predictions.jsonl.gz", "network"),
    "pole": ("mind_the_query/auto_validated_failed.jsonl.gz", "pole"),
}
SAMPLE = 150
SECONDS = {"kglite": 30.0, "neo4j": 50.0}
"""Neo4j plans each new text first, which takes it longer than running most of them."""
SETTINGS = Settings(query_timeout=10.0)


Draft = tuple[str, str]
"""(question, query)"""


@dataclass
class Tally:
    """What was seen on one engine."""

    counts: Counter[str] = field(default_factory=Counter)
    changes: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    probes: list[int] = field(default_factory=list)


def main() -> None:
    """Print each change, then a table for each engine."""
    if not DATA.is_dir():
        print(f"The data sets are not at {DATA}.")
        return
    tallies = {"kglite": Tally(), "neo4j": Tally()}
    with tempfile.TemporaryDirectory() as folder, neo4j_url() as server:
        for engine, tally in tallies.items():
            for name in SETS:
                url = server if engine == "neo4j" else f"kglite:///{folder}/{name}.kgl"
                if url is not None:
                    with graph(url, name) as database:
                        measure(name, database, drafts(name), tally)
    for engine, tally in tallies.items():
        print(f"{engine}: all graphs {dict(tally.counts)}; {cost(tally)}")
        for change, number in tally.changes.most_common():
            print(f"  {number:3} {change}")


def drafts(name: str) -> list[Draft]:
    """A sample of the distinct queries on a graph."""
    file, database = SETS[name]
    with gzip.open(DATA / file, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    found = dict.fromkeys(
        (row["question"], row["cypher"])
        for row in rows
        if database in (row.get("database"), row.get("db"))
        and not row.get("passes_in_later_release")
    )
    return random.Random(name).sample(list(found), min(SAMPLE, len(found)))


@contextmanager
def neo4j_url() -> Iterator[str | None]:
    """A server for all graphs in turn, so that it is warm; None where it cannot be had."""
    try:
        server = neo4j_server.start(auth=False)
    except neo4j_server.Missing as reason:
        print(reason)
        yield None
        return
    try:
        yield server.url
    finally:
        server.stop()


@contextmanager
def graph(url: str, name: str) -> Iterator[GraphDatabase]:
    """A connection to one of the graphs, freshly loaded."""
    if url.startswith("bolt:"):
        wipe_neo4j(url)
    folder = DATA / "neo4j_graphs" / name
    report = load_graph(folder / "nodes.jsonl.gz", folder / "relationships.jsonl.gz", url)
    with connect(url, SETTINGS) as database:
        assert isinstance(database, GraphDatabase)
        started = time.perf_counter()
        database.catalog()
        catalog = time.perf_counter() - started
        print(
            f"{name} on {database.server_version()}: {report.nodes:,} nodes, "
            f"{report.relationships:,} relationships loaded in {report.seconds:.1f} s, "
            f"catalog in {catalog:.1f} s",
            flush=True,
        )
        yield database


def measure(name: str, database: GraphDatabase, sample: list[Draft], tally: Tally) -> None:
    """Run, judge and run again, until the sample or the time is used up."""
    local = Tally()
    started = time.perf_counter()
    guard = Guard(database)
    for question, draft in sample:
        if time.perf_counter() - started > SECONDS[database.dialect]:
            break
        before = run(database, draft)
        verdict = guard.check(draft, question)
        local.seconds.append(verdict.seconds)
        local.probes.append(verdict.probes)
        after = before if verdict.query == draft else run(database, verdict.query)
        if not verdict.ok:
            after = verdict.outcome
        count(local.counts, "before", before)
        count(local.counts, "after", after)
        explain(name, draft, verdict, before, after, local)
    n = len(local.seconds)
    print(f"  {n} of {len(sample)} drafts: {dict(local.counts)}; {cost(local)}", flush=True)
    tally.counts.update(local.counts)
    tally.changes.update(local.changes)
    tally.seconds += local.seconds
    tally.probes += local.probes


def run(database: GraphDatabase, text: str) -> list[str] | str:
    """The rows in some order, or the word for why there are none."""
    try:
        result = database.execute(text, max_rows=20_000)
    except GroundwireError as error:
        return type(error).__name__
    return sorted(map(repr, result.rows))


def count(counts: Counter[str], when: str, answer: list[str] | str) -> None:
    """Could it be run, and were there rows?"""
    if isinstance(answer, list):
        counts[f"{when} run"] += 1
        counts[f"{when} with rows"] += bool(answer)
    else:
        counts[f"{when} {answer}"] += 1


def explain(
    name: str,
    draft: str,
    verdict: Verdict,
    before: list[str] | str,
    after: list[str] | str,
    tally: Tally,
) -> None:
    """Print a change of rows, or the refusal of a query that ran, with what was found."""
    if before == after or not (verdict.ok or isinstance(before, list)):
        return
    if not verdict.ok:
        reasons = [f"{verdict.error}"]
        codes = getattr(verdict.error, "code", "")
    else:
        repairs = [finding for finding in verdict.findings if finding.edits]
        reasons = [f"{finding.code}: {finding.message}" for finding in repairs]
        codes = " ".join(sorted({finding.code for finding in repairs}))
    tally.changes[f"{codes}: {size(before, rough=True)} -> {size(after, rough=True)}"] += 1
    print(f"    {name} [{codes}] {size(before)} -> {size(after)}: {' '.join(draft.split())}")
    for reason in dict.fromkeys(reasons):
        print(f"        {reason}")


def size(answer: list[str] | str, *, rough: bool = False) -> str:
    """How many rows, or why none."""
    if isinstance(answer, str):
        return answer
    return "rows" if rough and answer else f"{len(answer)} rows" if answer else "empty"


def cost(tally: Tally) -> str:
    """Milliseconds and probes of the guard for one draft."""
    if not tally.seconds:
        return "nothing measured"
    ms = sorted(1000 * seconds for seconds in tally.seconds)
    last = ms[min(len(ms) - 1, round(0.99 * len(ms)))]
    probes = statistics.mean(tally.probes)
    return (
        f"guard {statistics.median(ms):.1f} ms median, {last:.0f} ms p99, "
        f"{probes:.1f} probes a draft (at most {max(tally.probes)})"
    )

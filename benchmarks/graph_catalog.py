"""How long the catalog of a graph with a million relationships takes, reciprocity included.

The graph: 200,000 people who know each other both ways (97 % of them), report to one another,
work at 5,000 companies and live in 500 towns, as the companies do. For each engine: loading it,
the first catalog after that, the first one of a new connection, another one, one that is found
unchanged, and for every type between equals the sampled fraction with its interval beside the
exact one. The very first catalog of a server that has just been started is mostly its virtual
machine's: it has no plan and no compiled code yet.
"""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any

from groundwire.database import connect
from groundwire.database.graph import GraphDatabase
from groundwire.database.graph_load import load_graph
from groundwire.settings import Settings

PEOPLE, COMPANIES, TOWNS, FRIENDS = 200_000, 5_000, 500, 300_000
STORED_BACK = 0.97
RUNS = 3


def main() -> None:
    """Print some lines for each engine."""
    from tests import neo4j_server

    with tempfile.TemporaryDirectory() as folder:
        measure(f"kglite:///{folder}/graph.kgl")
    try:
        server = neo4j_server.start(auth=False)
    except neo4j_server.Missing as reason:
        print(reason)
        return
    try:
        measure(server.url)
    finally:
        server.stop()


def nodes() -> Iterator[dict[str, Any]]:
    """People, companies and towns."""
    chance = random.Random(1)
    for n in range(PEOPLE):
        properties = {"name": f"Person {n}", "born": 1930 + n % 80, "score": chance.random()}
        yield {"id": f"p{n}", "labels": ["Person"], "properties": properties}
    for n in range(COMPANIES):
        properties = {"name": f"Company {n}", "sector": chance.choice("abcdefgh")}
        yield {"id": f"c{n}", "labels": ["Company"], "properties": properties}
    for n in range(TOWNS):
        yield {"id": f"t{n}", "labels": ["Town"], "properties": {"name": f"Town {n}"}}


def relationships() -> Iterator[dict[str, Any]]:
    """About 1,015,000 of them."""
    chance = random.Random(2)

    def one(start: str, kind: str, end: str, **properties: Any) -> dict[str, Any]:
        return {"type": kind, "start": start, "end": end, "properties": properties}

    for _ in range(FRIENDS):
        a, b = (f"p{chance.randrange(PEOPLE)}" for _ in range(2))
        yield one(a, "KNOWS", b, since=chance.randrange(1990, 2025))
        if chance.random() < STORED_BACK:
            yield one(b, "KNOWS", a, since=chance.randrange(1990, 2025))
    for n in range(PEOPLE):
        yield one(f"p{n}", "WORKS_AT", f"c{chance.randrange(COMPANIES)}")
        yield one(f"p{n}", "LIVES_IN", f"t{chance.randrange(TOWNS)}")
    for n in range(COMPANIES):
        yield one(f"c{n}", "LIVES_IN", f"t{chance.randrange(TOWNS)}")
    for n in range(1, 20_000):
        yield one(f"p{n}", "REPORTS_TO", f"p{n // 8}")


def measure(url: str) -> None:
    """Load the graph and print the times."""
    report = load_graph(nodes(), relationships(), url)
    with connect(url, Settings(query_timeout=300)) as database:
        cold = seconds(database.catalog)
    with connect(url, Settings(query_timeout=300)) as database:
        assert isinstance(database, GraphDatabase)
        graph = database
        print(
            f"{graph.server_version()}: {report.nodes:,} nodes and {report.relationships:,} "
            f"relationships loaded in {report.seconds:.0f} s"
        )
        first = seconds(lambda: graph.catalog(refresh=True))
        again = statistics.median(seconds(lambda: graph.catalog(refresh=True)) for _ in range(RUNS))
        unchanged = statistics.median(seconds(graph.catalog) for _ in range(RUNS))
        print(
            f"  catalog: cold {cold:.2f} s, new connection {first:.2f} s, again {again:.2f} s, "
            f"found unchanged in {unchanged * 1000:.1f} ms"
        )
        for sampled in graph.catalog().reciprocity:
            exact = graph.measure_reciprocity(sampled.type, sampled.label)
            print(
                f"  {sampled.type}: {sampled.fraction:.4f} [{sampled.low:.4f}, {sampled.high:.4f}] "
                f"from {sampled.measured:,} of {sampled.total:,} in {sampled.seconds:.2f} s; "
                f"exactly {exact.fraction:.4f} in {exact.seconds:.2f} s"
            )


def seconds(work: Callable[[], object]) -> float:
    """Wall time of one call."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started

"""The nearest solved questions: what a corpus of 5,000 costs, and whether it is of use.

The corpus is the training part of CypherBench, the questions are from its test part, whose graphs
are others. A question is served where one of its three exemplars has a query of the same skeleton
(all names and values taken out) as its own gold; three drawn at random are the baseline.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import random
import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Any

from groundwire.database import Database, connect
from groundwire.draft.embedding import Lookups, default_embedder
from groundwire.draft.exemplars import NEAREST, Exemplars
from groundwire.draft.solved import Exemplar

DATA = Path(__file__).parents[2] / "shared" / "data" / "cypherbench"
PAIRS, QUESTIONS = 5_000, 300


def main() -> None:
    """Load, embed, look up."""
    if not DATA.exists():
        print(f"{DATA} is not there: the data sets are not part of the repository")
        return
    with TemporaryDirectory() as folder:
        corpus = Path(folder) / "pairs.jsonl"
        with corpus.open("w", encoding="utf-8") as out:
            for entry in entries("train", PAIRS):
                out.write(json.dumps(pair_of(entry)) + "\n")
        before = getrusage(RUSAGE_SELF).ru_maxrss
        began = time.perf_counter()
        default_embedder()
        loaded = time.perf_counter()
        exemplars = Exemplars.read(corpus)
        read = time.perf_counter()
        print(f"load the embedder {loaded - began:.2f} s, read {PAIRS:,} pairs", end=" ")
        print(f"{read - loaded:.2f} s")
        with connect(f"kglite:///{empty_graph(Path(folder))}") as database:
            asyncio.run(look_up(exemplars, database))
        print(f"memory added {(getrusage(RUSAGE_SELF).ru_maxrss - before) / 1024:.0f} MB")


async def look_up(exemplars: Exemplars, database: Database) -> None:
    """Time each look-up, and count how often it serves."""
    times, served, by_chance = [], 0, 0
    chance = random.Random(7)
    asked = list(entries("test", 10_000))
    for entry in chance.sample(asked, QUESTIONS):
        began = time.perf_counter()
        near = await exemplars.nearest(entry["question"], database, (), Lookups())
        times.append(time.perf_counter() - began)
        gold = entry["gold_cypher"]
        served += has_skeleton([one.exemplar for one in near], gold)
        by_chance += has_skeleton(chance.sample(exemplars.pairs, NEAREST), gold)
    first, *later = times
    print(f"first look-up, with the corpus embedded: {first:.2f} s")
    p99 = quantiles(later, n=100)[-1]
    print(f"later: median {median(later) * 1e3:.1f} ms, p99 {p99 * 1e3:.1f} ms")
    print(f"served: {served} of {QUESTIONS}; by three at random: {by_chance}")


def entries(part: str, most: int) -> Iterator[dict[str, Any]]:
    """The first entries of a part of CypherBench."""
    with gzip.open(DATA / f"{part}.jsonl.gz", "rt", encoding="utf-8") as lines:
        for _, line in zip(range(most), lines, strict=False):
            yield json.loads(line)


def pair_of(entry: dict[str, Any]) -> dict[str, Any]:
    """An entry as a line of a file of pairs."""
    return {
        "question": entry["question"],
        "query": entry["gold_cypher"],
        "graph": entry["graph"],
        "language": "cypher",
    }


def empty_graph(folder: Path) -> Path:
    """A graph to be asked; nothing in it matters."""
    from groundwire.database.graph_demo import demo_graph
    from groundwire.database.graph_load import load_graph

    file = folder / "people.kgl"
    load_graph(*demo_graph(5), f"kglite:///{file}")
    return file


def has_skeleton(pairs: Sequence[Exemplar], gold: str) -> bool:
    """One of the pairs has the skeleton of the gold."""
    return any(skeleton(pair.query) == skeleton(gold) for pair in pairs)


def skeleton(query: str) -> str:
    """The query without names and values."""
    bare = re.sub(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|\b\d[\d.]*\b", "?", query)
    bare = re.sub(r":\s*`?\w+`?", ":x", bare)
    return re.sub(r"\.\w+|\b\w+(?=\s*:\s*\?)", ".p", bare)


if __name__ == "__main__":
    main()

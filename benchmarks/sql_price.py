"""What the SQL guard costs on PostgreSQL with 8.5 million synthetic crimes.

Statements: the golds of the pack's 100 questions, and the same with faults planted
(`sql_plants.py`, `sql_faults.txt`). Apart: reading the text; all that needs no probe
(parse, read-only, names, the checks up to their first probe: what the connection asks for itself,
such as whether the catalog is still the same, is in it; `processor` is this process's own time);
the whole guard with probes and planner. A first round finds no statistics of the columns, a second
round those of the first. `GROUNDWIRE_BENCH_ROWS` sets the number of rows.
"""

from __future__ import annotations

import os
import random
import statistics
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.postgres_server import start_packaged

from benchmarks.sql_faults import TODAY, read_pairs
from benchmarks.sql_plants import PLANTS, planted
from groundwire import connect
from groundwire.database import SqlDatabase
from groundwire.guard import Guard
from groundwire.guard.probes import Probes
from groundwire.guard.read_only import read_only
from groundwire.guard.sql import CHECKS, NAME_CHECKS, sql_context
from groundwire.packs.chicago import generate, load
from groundwire.packs.chicago.questions import load_questions
from groundwire.query.sql import parse
from groundwire.settings import Settings

ROWS = int(os.environ.get("GROUNDWIRE_BENCH_ROWS", "8500000"))
Statement = tuple[str, str]
"""(question, text)"""


def main() -> None:
    """Print the price of gold and planted statements."""
    server = start_packaged()
    try:
        url = server.create_database()
        with tempfile.TemporaryDirectory(prefix="groundwire-bench-") as folder:
            generate(ROWS, 7, Path(folder) / "crimes.csv", today=TODAY)
            load(Path(folder) / "crimes.csv", url)
        print(f"{ROWS:,} rows")
        golds = [(q.question, gold.sql.strip()) for q in load_questions() for gold in q.golds]
        faulty = with_faults(url, golds)
        for name, texts in (("gold", golds), ("planted", faulty)):
            static(name, url, texts)
            with opened(url) as database:
                for round_ in ("first round", "second round"):
                    whole(f"{name}, {round_}", database, texts)
    finally:
        server.stop()


def opened(url: str, **settings: object) -> SqlDatabase:
    database = connect(url, Settings(**settings))  # type: ignore[arg-type]
    assert isinstance(database, SqlDatabase)
    database.catalog()
    return database


def with_faults(url: str, golds: list[Statement]) -> list[Statement]:
    """Up to 20 faults of each plant, and the written pairs."""
    chance, made = random.Random(3), []
    with opened(url) as database:
        for _, plant in PLANTS.values():
            texts = [(q, w) for q, text in golds for w in planted(plant, text, database, chance)]
            made += chance.sample(texts, min(20, len(texts)))
    pairs = read_pairs(Path(__file__).with_name("sql_faults.txt").read_text(encoding="utf-8"))
    return made + [(pair.question, pair.wrong) for pair in pairs if pair.database == "chicago"]


def static(name: str, url: str, texts: list[Statement]) -> None:
    """Reading, and all that needs no probe; the second of two turns, so that code is warm."""
    reading, judging, processor = [], [], []
    with opened(url, max_probes=0) as database:
        for question, text in texts * 2:
            began, busy = time.perf_counter(), time.process_time()
            query = parse(text, database.dialect)
            reading.append((time.perf_counter() - began) * 1000)
            list(read_only(query, database))
            context = sql_context(query, database, Probes(database), question)
            found = [finding for check in NAME_CHECKS for finding in check(context)]
            for check in CHECKS if not found else ():
                check(context)
            judging.append((time.perf_counter() - began) * 1000)
            processor.append((time.process_time() - busy) * 1000)
    print(f"{name}: parse {spread(reading[len(texts) :])}")
    print(f"{name}: parse and static checks {spread(judging[len(texts) :])}")
    print(f"{name}: of which processor {spread(processor[len(texts) :])}", flush=True)


def whole(name: str, database: SqlDatabase, texts: list[Statement]) -> None:
    """The guard as it is used."""
    took, probes, late = [], [], Counter[str]()
    outcomes = Counter[str]()
    for question, text in texts:
        began = time.perf_counter()
        verdict = Guard(database).check(text, question)
        took.append((time.perf_counter() - began) * 1000)
        probes.append(verdict.probes)
        late.update(verdict.unchecked)
        outcomes[verdict.outcome] += 1
    mean, most = statistics.mean(probes), max(probes)
    print(f"{name}: whole guard {spread(took)}; {mean:.2f} probes a query, at most {most}")
    print(f"  {len(texts)} statements: {dict(outcomes)}; not checked: {dict(late)}", flush=True)


def spread(milliseconds: list[float]) -> str:
    cuts = statistics.quantiles(milliseconds, n=100)
    middle = statistics.median(milliseconds)
    return f"{middle:.1f} ms median, {cuts[89]:.1f} p90, {cuts[98]:.1f} p99"


if __name__ == "__main__":
    main()

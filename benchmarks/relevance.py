"""The relevance check on the labelled questions of `tests/draft/relevance`, and what it costs.

Prints, for each half: the share of in-domain questions turned away (a fault) and of off-topic ones
turned away (the aim), each wrong judgement, and milliseconds by path, elapsed and of the CPU. The
thresholds were set on `calibration`, never on `held out`.
"""

from __future__ import annotations

import time
from collections import defaultdict
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

from groundwire.database import connect
from groundwire.database.base import SqlDatabase
from groundwire.database.writing import open_for_writing
from groundwire.draft.embedding import default_embedder
from groundwire.draft.relevance import check_relevance, likeness
from groundwire.packs.pack import Pack, pack_for

TESTS = Path(__file__).parents[1] / "tests" / "draft"
SCHEMA = TESTS / "offline" / "chicago.sql"
REPEATS = 5

Seconds = dict[str, list[tuple[float, float]]]


def main() -> None:
    """Judge every labelled question, cold loading first."""
    with TemporaryDirectory() as folder:
        database = open_chicago(Path(folder) / "chicago.duckdb")
        pack = pack_for(database.catalog())
        assert pack is not None
        began = time.perf_counter()
        default_embedder()
        loaded = time.perf_counter()
        likeness("How many?", pack)
        print(f"load the embedder {loaded - began:.2f} s, first comparison", end=" ")
        print(f"{time.perf_counter() - loaded:.3f} s")
        seconds: Seconds = defaultdict(list)
        for half in ("calibration", "held out"):
            judge(half, database, pack, seconds)
        for path, times in sorted(seconds.items()):
            for name, each in zip(("elapsed", "CPU"), zip(*times, strict=True), strict=True):
                p99 = quantiles(each, n=100)[-1]
                print(f"{path}, {name}: median {median(each) * 1e3:.2f} ms", end=", ")
                print(f"p99 {p99 * 1e3:.2f} ms")
        database.close()


def open_chicago(path: Path) -> SqlDatabase:
    """The schema of the pack with a few rows."""
    with open_for_writing(f"duckdb:///{path}") as connection:
        for statement in SCHEMA.read_text(encoding="utf-8").split(";\n"):
            if statement.strip():
                connection.execute(statement)
    database = connect(f"duckdb:///{path}")
    assert isinstance(database, SqlDatabase)
    return database


def judge(half: str, database: SqlDatabase, pack: Pack, seconds: Seconds) -> None:
    """One half: the shares, the wrong judgements, and the times by path."""
    folder = TESTS / "relevance" / half.replace(" ", "_")
    for label in ("in_domain", "off_topic"):
        questions = read_questions(folder / f"{label}.txt")
        away = []
        for question in questions:
            for _ in range(REPEATS):
                began, used = time.perf_counter(), time.thread_time()
                judged = check_relevance(question, database, pack)
                spent = time.perf_counter() - began, time.thread_time() - used
                seconds[judged.path].append(spent)
            if not judged.is_relevant:
                away.append(question)
        print(f"{half}, {label}: {len(away)} of {len(questions)} turned away", end=" ")
        print(f"({len(away) / len(questions):.1%})")
        wrong = away if label == "in_domain" else [q for q in questions if q not in away]
        for question in wrong:
            print(f"    {question}")


def read_questions(path: Path) -> list[str]:
    """The lines of a file that are no comments."""
    lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line and not line.startswith("#")]


if __name__ == "__main__":
    main()

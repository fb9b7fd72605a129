"""The Cypher parser beside `cypherast` and `graphglot` (PyPI), on Neo4j's own verdicts.

For each parser: the share of the queries that Neo4j takes and it takes too, the share of those that
Neo4j refuses and it flags, and the CPU milliseconds for a query. The other parsers are compared
where they are installed; neither is a dependency. A trailing `;` is taken off for them.
"""

from __future__ import annotations

import gzip
import importlib
import json
import random
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from groundwire.query.cypher import parse

VERDICTS = Path(__file__).parents[2] / "shared" / "data" / "neo4j_verdicts.jsonl.gz"
ACCEPTED, REFUSED = 3000, 1000
SLOW_ACCEPTED, SLOW_REFUSED = 40, 20
SEED = 5
SECONDS = 5.0
"""CPU time after which a query counts as refused."""


class TooSlow(Exception):
    """A parser took longer than `SECONDS` for one query."""


def too_slow(*_: object) -> None:
    """Stop the parser that is at work."""
    raise TooSlow


def main() -> None:
    """Print one line for each parser, all on the same sample of queries."""
    if not VERDICTS.exists():
        print("needs neo4j_verdicts.jsonl.gz in ../shared/data beside the repository")
        return
    with gzip.open(VERDICTS, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    random.Random(SEED).shuffle(rows)
    signal.signal(signal.SIGPROF, too_slow)
    accepted = [row for row in rows if row["ok"]]
    refused = [row for row in rows if not row["ok"]]
    quick = accepted[:ACCEPTED] + refused[:REFUSED]
    slow = accepted[:SLOW_ACCEPTED] + refused[:SLOW_REFUSED]
    measure("groundwire", groundwire, quick)
    others = (
        ("cypherast, parse", cypherast, quick),
        ("cypherast, validate", cypherast_validate, slow),
        ("graphglot, parse", graphglot, slow),
    )
    for name, load, sample in others:
        try:
            measure(name, load(), sample)
        except ModuleNotFoundError:
            print(f"{name}: not installed")
    places(refused)


def groundwire(query: str) -> bool:
    """Whether our parser, its rules included, takes a query."""
    return parse(query).ok


def cypherast() -> Callable[[str], bool]:
    """Whether `cypherast` reads a query."""
    module = importlib.import_module("cypherast")
    return reads(lambda query: module.parse_one(query, read="neo4j"), module.CypherastError)


def cypherast_validate() -> Callable[[str], bool]:
    """Whether `cypherast` reads a query, and its `validate` finds no issue."""
    module = importlib.import_module("cypherast")

    def validate(query: str) -> None:
        if module.validate(query, read="neo4j"):
            raise ValueError("an issue")

    return reads(validate, module.CypherastError)


def graphglot() -> Callable[[str], bool]:
    """Whether `graphglot` reads a query as Neo4j's dialect."""
    dialect = importlib.import_module("graphglot.dialect.base").Dialect.get_or_raise("neo4j")
    return reads(dialect.parse, importlib.import_module("graphglot.error").GraphGlotError)


def reads(read: Callable[[str], Any], refusal: type[Exception]) -> Callable[[str], bool]:
    """Whether a function takes a query without raising."""

    def takes(query: str) -> bool:
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            read(query.rstrip().rstrip(";"))
        except (refusal, ValueError, RecursionError, TooSlow):
            return False
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        return True

    return takes


def measure(name: str, takes: Callable[[str], bool], rows: list[dict[str, Any]]) -> None:
    """Run a parser over queries and print what it makes of them, and how long it takes."""
    for row in rows[:5]:
        takes(row["query"])
    milliseconds: list[float] = []
    right = {True: 0, False: 0}
    for row in rows:
        start = time.process_time_ns()
        answer = takes(row["query"])
        milliseconds.append((time.process_time_ns() - start) / 1e6)
        right[row["ok"]] += answer == row["ok"]
    milliseconds.sort()
    total = {kind: sum(row["ok"] is kind for row in rows) for kind in (True, False)}
    print(
        f"{name}: accepts {right[True] / total[True]:.2%} of {total[True]}, "
        f"flags {right[False] / total[False]:.2%} of {total[False]}; CPU median "
        f"{milliseconds[len(milliseconds) // 2]:.2f} ms, "
        f"p99 {milliseconds[int(len(milliseconds) * 0.99)]:.2f} ms, worst {milliseconds[-1]:.1f} ms"
    )


def places(refused: list[dict[str, Any]]) -> None:
    """How often our first error stands where Neo4j's does."""
    same = 0
    for row in refused:
        errors = parse(row["query"]).errors
        same += bool(errors) and errors[0].offset == row["offset"]
    print(f"groundwire: at Neo4j's own offset {same / len(refused):.2%} of {len(refused)}")


if __name__ == "__main__":
    main()

"""What the pipeline itself costs a question, without the model and the database.

Aim: under 30 ms. A first question from a cold start is measured in a process of its own.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import groundwire
from groundwire.draft.model import ScriptedModel

QUESTIONS = 40
OUTSIDE = ("model", "fetch_catalog", "validate", "run")
"""Steps that wait for the model or the database."""


def main() -> None:
    """Print the overhead of warm questions, and the seconds of a cold one."""
    with tempfile.TemporaryDirectory() as folder:
        url = _database(Path(folder))
        with groundwire.connect(url) as database:
            overheads = [_overhead(database) for _ in range(QUESTIONS)][1:]
        worst = sorted(overheads)[-max(1, len(overheads) // 100)]
        print(
            f"overhead of a question: median {1000 * statistics.median(overheads):.1f} ms,"
            f" worst {1000 * worst:.1f} ms"
        )
        for name, code in _cold(url).items():
            started = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)
            print(
                f"first question from a cold start, {name}: {time.perf_counter() - started:.2f} s"
            )


def _database(folder: Path) -> str:
    import duckdb

    with duckdb.connect(str(folder / "shop.duckdb")) as connection:
        connection.execute("CREATE TABLE orders AS SELECT range AS id FROM range(1000)")
    return f"duckdb:///{folder / 'shop.duckdb'}"


def _overhead(database: groundwire.Database) -> float:
    model = ScriptedModel(["SELECT count(*) AS n FROM orders", "There are 1,000 orders."])
    started = time.perf_counter()
    answer = groundwire.ask(database, "How many orders are there?", model)
    total = time.perf_counter() - started
    assert answer.answered, answer.error
    outside = sum(step.seconds for step in answer.trace.walk() if step.node in OUTSIDE)
    return total - outside


def _cold(url: str) -> dict[str, str]:
    ask = (
        "import groundwire;"
        "assert groundwire.ask({url!r}, 'How many orders are there?'{model}).answered"
    )
    scripted = (
        "from groundwire.draft.model import ScriptedModel;"
        "m = ScriptedModel(['SELECT count(*) AS n FROM orders', 'There are 1,000 orders.']);"
    )
    return {
        "offline": ask.format(url=url, model=""),
        "with a scripted model": scripted + ask.format(url=url, model=", m"),
    }


if __name__ == "__main__":
    main()

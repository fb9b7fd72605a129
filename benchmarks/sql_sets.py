"""Public text-to-SQL sets on a PostgreSQL server: databases loaded, questions with their SQL.

The files are looked for in `../shared/data` beside the repository.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.postgres_server import start_packaged

from groundwire import connect
from groundwire.bench.case import Case
from groundwire.bench.datasets import DATASETS
from groundwire.bench.datasets.prepare import prepare
from groundwire.database import SqlDatabase

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SETS = {
    "spider": ("spider-postgres", "spider", "pg"),
    "defog": ("defog", "defog_pg", "sql"),
    "bird": ("bird-mini-dev-postgres", "bird_mini_dev", "pg_ddl"),
}
"""By a short name: the data set, its folder, and where in it the tables are."""


@dataclass(frozen=True)
class Statement:
    """One SQL text of a set: of a person (`gold`) or of a model, whose name is `writer`."""

    set: str
    database: str
    question: str
    text: str
    writer: str = "gold"
    gold: str = ""


def read_lines(path: Path) -> Iterator[dict[str, object]]:
    """The JSON objects of a compressed file, one a line."""
    if not path.exists():
        sys.exit(f"This benchmark needs {path.relative_to(DATA.parents[1])}, which is not here.")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def gold() -> Iterator[Statement]:
    """Every gold query that has a PostgreSQL form."""
    for name, (dataset, folder, _) in SETS.items():
        for case in DATASETS[dataset].load(DATA / folder):
            if isinstance(case, Case):
                question = case.question.splitlines()[0]
                for text in case.queries:
                    yield Statement(name, case.database, question, text)


def recorded() -> Iterator[Statement]:
    """What models wrote: three systems on Spider, nine models on BIRD."""
    golds = {
        row["idx"]: str(row["gold_pg"] or "")
        for row in read_lines(DATA / "spider" / "dev_questions.jsonl.gz")
    }
    for row in read_lines(DATA / "spider" / "recorded_predictions.jsonl.gz"):
        yield Statement(
            "spider",
            str(row["db_id"]),
            str(row["question"]),
            str(row["pred_sql"]),
            str(row["system"]),
            golds[row["idx"]],
        )
    questions = {
        row["question_id"]: str(row["question"])
        for row in read_lines(DATA / "bird_mini_dev" / "questions.jsonl.gz")
    }
    for row in read_lines(DATA / "bird_mini_dev" / "predictions.jsonl.gz"):
        question = questions.get(row["question_id"], "")
        database, text = str(row["db_id"]), str(row["pred_sql"])
        yield Statement("bird", database, question, text, str(row["model"]))


@contextmanager
def loaded() -> Iterator[dict[tuple[str, str], SqlDatabase]]:
    """(set, database) → the database, open for reading, on a server of this run."""
    server = start_packaged()
    opened: dict[tuple[str, str], SqlDatabase] = {}
    try:
        for name, (_, folder, tables) in SETS.items():
            template = server.url(f"{name}_NAME").replace("NAME", "{database}")
            for database, url in prepare(DATA / folder / tables, template).items():
                connected = connect(url)
                assert isinstance(connected, SqlDatabase)
                opened[name, database] = connected
        yield opened
    finally:
        for connected in opened.values():
            connected.close()
        server.stop()

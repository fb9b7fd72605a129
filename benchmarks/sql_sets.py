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

import psycopg
from tests.postgres_server import PostgresServer, start_packaged

from groundwire import connect
from groundwire.database import SqlDatabase

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
FOLDERS = {
    "spider": DATA / "spider" / "pg",
    "defog": DATA / "defog_pg" / "sql",
    "bird": DATA / "bird_mini_dev" / "pg_ddl",
}


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
    for row in read_lines(DATA / "spider" / "dev_questions.jsonl.gz"):
        if row["gold_pg"]:
            yield Statement("spider", str(row["db_id"]), str(row["question"]), str(row["gold_pg"]))
    for row in read_lines(DATA / "defog_pg" / "questions.jsonl.gz"):
        for text in row["accepted_sql"] or ():  # type: ignore[attr-defined]
            yield Statement("defog", str(row["db"]), str(row["question"]), text)
    for row in read_lines(DATA / "bird_mini_dev" / "questions.jsonl.gz"):
        if row["gold_explains_on_pg15"]:
            yield Statement("bird", str(row["db_id"]), str(row["question"]), str(row["gold_pg"]))


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
        for name, folder in FOLDERS.items():
            for path in sorted(folder.glob("*.sql")):
                database = connect(_load(server, path))
                assert isinstance(database, SqlDatabase)
                opened[name, path.stem] = database
        yield opened
    finally:
        for database in opened.values():
            database.close()
        server.stop()


def _load(server: PostgresServer, path: Path) -> str:
    url = server.create_database()
    text = path.read_text(encoding="utf-8")
    text = "\n".join(line for line in text.splitlines() if not line.startswith("\\"))
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(text.encode())
        schemas = connection.execute(
            "SELECT string_agg(nspname, ', ') FROM pg_namespace "
            "WHERE nspname !~ '^(pg_|information_schema$)'"
        ).fetchone()
        name = url.split("?")[0].rpartition("/")[2]
        connection.execute(f"ALTER DATABASE {name} SET search_path TO {schemas[0]}".encode())  # type: ignore[index]
    return url

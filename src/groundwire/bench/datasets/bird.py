"""BIRD (Li et al., NeurIPS 2023) and BIRD mini-dev: questions over large, real databases.

Published as a list of `{"question_id", "db_id", "question", "evidence", "SQL", "difficulty"}`:
`dev.json` beside `dev_databases/NAME/NAME.sqlite`; mini-dev once in each dialect, as
`mini_dev_sqlite.json` and `mini_dev_postgresql.json`, its PostgreSQL rows as one SQL file. Entries
of the first release have no `question_id`: their place, from 0, is taken. The other form is
JSON lines of these fields with `gold_sqlite` and `gold_pg`.

The evidence is the knowledge without which many questions cannot be answered; it is what the set
gives every system, and stands below the question.
"""

from __future__ import annotations

from functools import partial

from groundwire.bench.case import Case
from groundwire.bench.datasets.dataset import FromFiles, make_case
from groundwire.bench.datasets.files import Record

__all__ = ["BIRD", "BIRD_MINI_DEV", "BIRD_MINI_DEV_POSTGRES"]

LICENCE = "CC-BY-SA-4.0"
MINI_DEV = "https://github.com/bird-bench/mini_dev"


def _case(record: Record, gold: tuple[str, ...]) -> Case:
    numbered = record.has("question_id")
    return make_case(
        id=record.identity("question_id") if numbered else str(record.place),
        database=record.text("db_id"),
        language="sql",
        question=record.text("question"),
        hint=record.optional("evidence"),
        queries=(record.optional(*gold),),
        tier=record.optional("difficulty"),
    )


BIRD = FromFiles(
    name="bird",
    title="BIRD",
    language="sql",
    needs="dev.json and dev_databases/NAME/NAME.sqlite",
    source="https://bird-bench.github.io",
    licence=LICENCE,
    read=partial(_case, gold=("SQL",)),
    files=("dev.json", "dev_2*.json", "train.json"),
    databases=("dev_databases", "train_databases"),
)

BIRD_MINI_DEV = FromFiles(
    name="bird-mini-dev",
    title="BIRD mini-dev",
    language="sql",
    needs="mini_dev_sqlite.json and dev_databases/NAME/NAME.sqlite",
    source=MINI_DEV,
    licence=LICENCE,
    read=partial(_case, gold=("SQL", "gold_sqlite")),
    files=("mini_dev_sqlite*.json", "data/mini_dev_sqlite*.json", "questions.jsonl*"),
    databases=("dev_databases",),
)

BIRD_MINI_DEV_POSTGRES = FromFiles(
    name="bird-mini-dev-postgres",
    title="BIRD mini-dev in PostgreSQL",
    language="sql",
    needs="mini_dev_postgresql.json, and the tables as SQL",
    source=MINI_DEV,
    licence=LICENCE,
    read=partial(_case, gold=("SQL", "gold_pg")),
    files=(
        "mini_dev_postgresql*.json",
        "mini_dev_pg*.json",
        "data/mini_dev_pg*.json",
        "questions.jsonl*",
    ),
    prepared="the SQL file is loaded into PostgreSQL",
)

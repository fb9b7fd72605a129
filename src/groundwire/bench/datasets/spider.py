"""Spider 1.0 (Yu et al., EMNLP 2018): questions over 200 small SQLite databases.

Published as `dev.json`, a list of `{"db_id", "question", "query", …}` without ids (an entry's
place, from 0, is taken), beside `database/NAME/NAME.sqlite`. The other form is JSON lines of
`{"idx", "db_id", "question", "gold_sqlite", "gold_pg"}`, `gold_pg` null where the gold has no
PostgreSQL form.
"""

from __future__ import annotations

from functools import partial

from groundwire.bench.case import Case
from groundwire.bench.datasets.dataset import FromFiles, make_case
from groundwire.bench.datasets.files import Record

__all__ = ["SPIDER", "SPIDER_POSTGRES"]


def _case(record: Record, gold: tuple[str, ...]) -> Case:
    return make_case(
        id=record.identity("idx") if record.has("idx") else str(record.place),
        database=record.text("db_id"),
        language="sql",
        question=record.text("question"),
        queries=(record.optional(*gold),),
    )


SPIDER = FromFiles(
    name="spider",
    title="Spider 1.0",
    language="sql",
    needs="dev.json and database/NAME/NAME.sqlite",
    source="https://yale-lily.github.io/spider",
    licence="CC-BY-SA-4.0",
    read=partial(_case, gold=("query", "gold_sqlite")),
    files=("dev.json", "dev_questions.jsonl*"),
    databases=("database", "sqlite"),
)

SPIDER_POSTGRES = FromFiles(
    name="spider-postgres",
    title="Spider 1.0 in PostgreSQL",
    language="sql",
    needs="JSON lines with gold_pg, and NAME.sql for each database",
    source="a translation of https://yale-lily.github.io/spider",
    licence="CC-BY-SA-4.0",
    read=partial(_case, gold=("gold_pg",)),
    files=("dev_questions.jsonl*",),
    prepared="NAME.sql is loaded into PostgreSQL",
)

"""KaggleDBQA (Lee, Polozov, Richardson, ACL 2021): real databases with unhelpful names.

Published as `examples/NAME.json`, a list of `{"db_id", "question", "query", …}` without ids (the
file's name and an entry's place, from 0, are taken), beside `databases/NAME/NAME.sqlite`.
`NAME_test.json` and `NAME_fewshot.json` are parts of `NAME.json`: give them as files.
"""

from __future__ import annotations

from groundwire.bench.case import Case
from groundwire.bench.datasets.dataset import FromFiles, make_case
from groundwire.bench.datasets.files import Record

__all__ = ["KAGGLE_DBQA"]


def _case(record: Record) -> Case:
    return make_case(
        id=f"{record.file}-{record.place}",
        database=record.text("db_id"),
        language="sql",
        question=record.text("question"),
        queries=(record.optional("query"),),
    )


KAGGLE_DBQA = FromFiles(
    name="kaggle-dbqa",
    title="KaggleDBQA",
    language="sql",
    needs="examples/NAME.json and databases/NAME/NAME.sqlite",
    source="https://github.com/Chia-Hsuan-Lee/KaggleDBQA",
    licence="CC-BY-SA-4.0",
    read=_case,
    files=("examples/*.json", "*.json"),
    parts=("*_test.json", "*_fewshot.json", "*_tables.json", "tables.json"),
    databases=("databases", "."),
)

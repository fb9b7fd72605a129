"""sql-eval of Defog: questions over eleven small PostgreSQL databases, some not answerable.

Published as CSV in `data/`: `questions_gen_postgres.csv`, `instruct_basic_postgres.csv`,
`instruct_advanced_postgres.csv` and `idk.csv`, with the columns db_name, query_category, question,
query and instructions, without ids (the file's name and a row's place, from 0, are taken); the
databases as NAME/NAME.sql in https://github.com/defog-ai/defog-data. The other form is JSON lines
of `{"id", "set", "db", "category", "question", "instructions", "gold_raw", "answerable"}`.

A gold may hold several queries, `;` between them, each of which is right. Columns in braces are
optional, as long as one of them is there; `GROUP BY {}` groups by those that are. The instructions
define words that the question uses and stand below it. The questions of `idk` have nothing to do
with the database: the right answer is no query.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

from groundwire.bench.case import Case
from groundwire.bench.datasets.dataset import FromFiles, make_case
from groundwire.bench.datasets.files import Record

__all__ = ["DEFOG", "accepted"]

TOKENS = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|[(){};,]|[^'\"(){};,]+|['\"]")
ALIAS = re.compile(r"\s+AS\s+(\w+|\"[^\"]*\")\s*$", re.IGNORECASE)
MOST_OPTIONAL = 6
"""Optional columns of which every choice is made; of more, only all and each alone."""


def accepted(gold: str) -> tuple[str, ...]:
    """Every query that a gold of sql-eval stands for."""
    queries = (query.strip() for query in _split(gold, ";"))
    return tuple(
        dict.fromkeys(chosen for query in queries if query for chosen in _with_choices(query))
    )


def _split(text: str, separator: str) -> list[str]:
    """The parts of a text between separators that stand in no string, bracket or brace."""
    parts, depth = [""], 0
    for token in TOKENS.findall(text):
        depth += (token in ("(", "{")) - (token in (")", "}"))
        if token == separator and depth <= 0:
            parts.append("")
        else:
            parts[-1] += token
    return parts


def _with_choices(query: str) -> Iterator[str]:
    """A query with each choice of the columns in its first braces."""
    tokens = TOKENS.findall(query)
    if "{" not in tokens or "}" not in tokens[tokens.index("{") :]:
        yield query
        return
    start = tokens.index("{")
    end = tokens.index("}", start)
    inside = _split("".join(tokens[start + 1 : end]), ",")
    columns = [column.strip() for column in inside if column.strip()]
    if not columns:
        yield query
        return
    before, after = "".join(tokens[:start]), "".join(tokens[end + 1 :])
    for chosen in _choices(columns):
        grouped = ", ".join(ALIAS.sub("", column) for column in chosen)
        rest = re.sub(r"\{\s*\}", lambda _, text=grouped: text, after)  # type: ignore[misc]
        yield from _with_choices(before + ", ".join(chosen) + rest)


def _choices(columns: list[str]) -> Iterator[tuple[str, ...]]:
    """Every choice of at least one column, the largest first."""
    sizes = range(len(columns), 0, -1)
    if len(columns) > MOST_OPTIONAL:
        sizes = range(len(columns), 0, 1 - len(columns))
    for size in sizes:
        yield from combinations(columns, size)


def _case(record: Record) -> Case:
    group = record.optional("set") or record.file
    answerable = group != "idk" and record.fields.get("answerable") is not False
    numbered = record.has("id")
    return make_case(
        id=record.identity("id") if numbered else f"{record.file}-{record.place}",
        database=record.text("db_name", "db"),
        language="sql",
        question=record.text("question"),
        hint=record.optional("instructions") if answerable else "",
        queries=accepted(record.optional("query", "gold_raw")),
        tags=(group, record.optional("query_category", "category")),
        answerable=answerable,
    )


DEFOG = FromFiles(
    name="defog",
    title="Defog sql-eval",
    language="sql",
    needs="data/questions_gen_postgres.csv and its companions, and NAME.sql for each database",
    source="https://github.com/defog-ai/sql-eval",
    licence="Apache-2.0",
    read=_case,
    files=(
        "data/questions_gen_postgres.csv",
        "data/instruct_*_postgres.csv",
        "data/idk.csv",
        "questions.jsonl*",
    ),
    several=True,
    prepared="NAME.sql is loaded into PostgreSQL",
)

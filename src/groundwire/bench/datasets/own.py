"""Cases of one's own: JSON lines as `bench score` reads them, or CSV.

JSON lines are `{"id", "database", "language", "question", "queries", "order_matters", "tolerance",
"tier", "tags", "answerable"}`, all behind `queries` optional. CSV has the columns id, database,
language (sql where it is missing) and question; each column whose name begins with `query` holds
one accepted query; order_matters is true, false, or the columns ordered by with commas between
them (where it is missing or empty, the words of the question decide); tier; tags with commas
between them; answerable is true or false.
"""

from __future__ import annotations

from groundwire.bench.case import Case
from groundwire.bench.datasets.dataset import FromFiles, make_case
from groundwire.bench.datasets.files import Record, Unusable

__all__ = ["OWN"]


def _case(record: Record) -> Case:
    if "queries" in record.fields:
        return Case.from_json(record.fields)
    language = record.optional("language") or "sql"
    if language not in ("sql", "cypher"):
        raise Unusable('"language" must be sql or cypher')
    names = [name for name in record.fields if name.startswith("query")]
    return make_case(
        id=record.identity("id"),
        database=record.text("database"),
        language="cypher" if language == "cypher" else "sql",
        question=record.text("question"),
        queries=tuple(record.optional(name) for name in names),
        order_matters=_order(record.optional("order_matters")),
        tier=record.optional("tier"),
        tags=_names(record.optional("tags")),
        answerable=_flag(record.optional("answerable") or "true"),
    )


def _order(text: str) -> bool | tuple[str, ...] | None:
    if not text:
        return None
    return text.lower() == "true" if text.lower() in ("true", "false") else _names(text)


def _flag(text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise Unusable('"answerable" must be true or false')
    return text.lower() == "true"


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


OWN = FromFiles(
    name="own",
    title="Cases of one's own",
    language="sql",
    needs="cases.jsonl or cases.csv, or another file",
    source="yourself",
    licence="yours",
    read=_case,
    files=("cases.jsonl*", "cases.csv*"),
    databases=(".",),
)

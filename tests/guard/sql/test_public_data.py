"""The statistics checks on public queries that are right, and on faults planted into them."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlglot
from sqlglot import exp

from groundwire.database import SqlDatabase, connect
from groundwire.errors import GroundwireError
from groundwire.guard import Guard

SPIDER = Path(__file__).parents[4] / "shared" / "data" / "spider"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not SPIDER.is_dir(), reason=f"no public data at {SPIDER}"),
]

JOIN_CHECKS = {
    "average_of_averages",
    "count_of_rows",
    "duplicate_rows",
    "fan_out",
    "integer_division",
    "join_keys",
    "missing_join",
    "name_not_unique",
    "outer_join_undone",
    "self_join_pairs",
    "sum_distinct",
}


@pytest.fixture(scope="module")
def databases() -> Iterator[dict[str, SqlDatabase]]:
    opened: dict[str, SqlDatabase] = {}
    for path in sorted((SPIDER / "sqlite").glob("*.sqlite")):
        database = connect(f"sqlite:///{path}")
        assert isinstance(database, SqlDatabase)
        opened[path.stem] = database
    yield opened
    for database in opened.values():
        database.close()


def cases() -> list[dict[str, Any]]:
    """One case for each different query."""
    with gzip.open(SPIDER / "dev_questions.jsonl.gz", "rt", encoding="utf-8") as lines:
        return list({case["gold_sqlite"]: case for case in map(json.loads, lines)}.values())


def test_no_right_query_is_changed_and_doubts_are_rare(databases: dict[str, SqlDatabase]) -> None:
    severities: Counter[str] = Counter()
    for case in cases():
        verdict = Guard(databases[case["db_id"]]).check(case["gold_sqlite"], case["question"])
        severities.update(f.severity for f in verdict.findings if f.check in JOIN_CHECKS)
    assert not severities["fault"]
    assert severities["doubt"] < 0.03 * len(cases())


@pytest.mark.parametrize("fault", ["no condition", "key with key"])
def test_planted_joins_are_repaired(fault: str, databases: dict[str, SqlDatabase]) -> None:
    verdicts: Counter[str] = Counter()
    for case in cases():
        database = databases[case["db_id"]]
        planted = plant(fault, case["gold_sqlite"], database)
        wanted = rows(database, case["gold_sqlite"])
        if planted is None or rows(database, planted) == wanted:
            continue
        verdict = Guard(database).check(planted, case["question"])
        repaired = verdict.outcome == "repaired"
        right = repaired and rows(database, verdict.query) == wanted
        verdicts["right" if right else "wrong" if repaired else "missed"] += 1
    assert not verdicts["wrong"]
    assert verdicts["right"] >= 0.95 * verdicts.total() > 40


def plant(fault: str, text: str, database: SqlDatabase) -> str | None:
    """The query with its first join spoilt; None where it has none that can be."""
    tree = sqlglot.parse_one(text, dialect="sqlite")
    on = next((j.args["on"] for j in tree.find_all(exp.Join) if j.args.get("on")), None)
    if not isinstance(on, exp.EQ):
        return None
    if fault == "no condition":
        assert on.parent is not None
        on.parent.set("on", None)
        return tree.sql("sqlite")
    names = {table.alias_or_name.lower(): table.name for table in tree.find_all(exp.Table)}
    for column in (on.left, on.right):
        table = database.catalog().find(names.get(column.args["table"].name.lower(), ""))
        key = table.primary_key if table is not None else ()
        if len(key) == 1 and key[0].lower() != column.name.lower():
            column.set("this", exp.to_identifier(key[0]))
            return tree.sql("sqlite")
    return None


def rows(database: SqlDatabase, text: str) -> list[str] | None:
    try:
        return sorted(map(repr, database.execute(text, max_rows=50_000).rows))
    except GroundwireError:
        return None

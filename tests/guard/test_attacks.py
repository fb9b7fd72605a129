"""Recorded attacks on read-only SQL access: each refused, and the database stays as it was."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from groundwire.database import SqlDatabase, connect
from groundwire.database.writing import open_for_writing
from groundwire.guard import Guard
from groundwire.settings import Settings

CASES = Path(__file__).parents[3] / "shared" / "data" / "attacks" / "sql_guard_cases.jsonl.gz"
TABLES = [
    "CREATE TABLE users (id int, name text, email text, age int, status text)",
    "CREATE TABLE orders (id int, user_id int, status text, order_date date)",
    "CREATE TABLE film (film_id int, title text)",
    "CREATE TABLE staff (staff_id int, first_name text, email text, password text, username text)",
    "CREATE TABLE customer (customer_id int, email text, first_name text)",
    "INSERT INTO staff VALUES (1, 'Ada', 'a@example.org', 'secret', 'ada')",
]
EXCLUDED = ("*.password", "*.email")
SYSTEM = ("EXPLAIN", "pg_", "hypopg")
"""What the cases allow and we do not: the system's own tables, EXPLAIN as a draft."""


def cases() -> list[dict[str, Any]]:
    if not CASES.exists():
        pytest.skip("the recorded attacks (../shared/data) are not here")
    with gzip.open(CASES, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@pytest.fixture
def attacked(postgres_url: str) -> SqlDatabase:
    with open_for_writing(postgres_url) as connection:
        for statement in TABLES:
            connection.execute(statement)
        connection.commit()
    database = connect(postgres_url, Settings(exclude=EXCLUDED))
    assert isinstance(database, SqlDatabase)
    return database


def contents(url: str) -> list[Any]:
    with open_for_writing(url) as connection:
        tables = connection.execute(
            "SELECT schemaname, tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 2"
        ).fetchall()
        return [tables, connection.execute("SELECT * FROM staff").fetchall()]


def test_each_recorded_attack_is_refused_and_changes_nothing(
    attacked: SqlDatabase, postgres_url: str
) -> None:
    before = contents(postgres_url)
    guard = Guard(attacked)
    admitted = [
        c["sql_pg"] for c in cases() if c["expect"] != "allow" and guard.check(c["sql_pg"]).ok
    ]
    assert not admitted
    assert contents(postgres_url) == before


def test_ordinary_reading_is_not_refused(attacked: SqlDatabase) -> None:
    guard = Guard(attacked)
    refused = []
    for case in cases():
        runs = case["pg15_reader_readonly_txn"] == "executed"
        if case["expect"] == "allow" and runs and not any(s in case["sql_pg"] for s in SYSTEM):
            verdict = guard.check(case["sql_pg"])
            if not verdict.ok:
                refused.append((case["sql_pg"], str(verdict.error)))
    assert not refused

"""Recorded attacks on read-only SQL access: each gets its verdict, and nothing changes.

On real servers: what is admitted is run, and a full dump before and after must be the same.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from groundwire.database import SqlDatabase, connect
from groundwire.database.writing import open_for_writing
from groundwire.errors import GroundwireError
from groundwire.guard import Guard
from groundwire.settings import Settings
from tests.fixture_pairs import read_pairs
from tests.postgres_server import PostgresServer

CASES = Path(__file__).parents[3] / "shared" / "data" / "attacks" / "sql_guard_cases.jsonl.gz"
FIXTURES = Path(__file__).parent / "fixtures"
TABLES = [
    "CREATE TABLE users (id int, name text, email text, age int, status text)",
    "CREATE TABLE orders (id serial, user_id int, status text, order_date date)",
    "CREATE TABLE film (film_id int, title text)",
    "CREATE TABLE staff (staff_id int, first_name text, email text, password text, username text)",
    "CREATE TABLE customer (customer_id int, email text, first_name text)",
    "CREATE VIEW recent AS SELECT title FROM film",
    "INSERT INTO staff VALUES (1, 'Ada', 'a@example.org', 'secret', 'ada')",
    "INSERT INTO orders (user_id) SELECT 1 FROM generate_series(1, 5)",
    "INSERT INTO film SELECT g, 'title ' || g FROM generate_series(1, 50) AS g",
    "SELECT lo_from_bytea(4242, 'large object')",
]
EXCLUDED = ("*.password", "*.email")
SYSTEM = ("EXPLAIN", "pg_", "hypopg")
"""What the cases allow and we do not: the system's own tables, EXPLAIN as a draft."""


EVERY_TABLE = """
SELECT format('%I.%I', n.nspname, c.relname)
FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'm', 'S') AND n.nspname !~ '^pg_toast'
ORDER BY 1
"""
CONTENT = "SELECT md5(string_agg(t::text, chr(10) ORDER BY t::text)) FROM (SELECT * FROM {}) AS t"


@dataclass(frozen=True)
class Attacked:
    """A database with tables worth attacking, and its superuser's URL."""

    database: SqlDatabase
    url: str

    def dump(self) -> dict[str, str]:
        """Everything: the rows of all tables, the catalogues' too (roles, settings, rights, large
        objects), and where each sequence stands. `pg_dump` need not be of the server's version.
        """
        with open_for_writing(self.url) as connection:
            names = [name for (name,) in connection.execute(EVERY_TABLE)]
            return {n: connection.execute(CONTENT.format(n)).fetchone()[0] for n in names}


@pytest.fixture(params=["postgres_server", "installed_postgres_server"])
def attacked(request: pytest.FixtureRequest) -> Iterator[Attacked]:
    server: PostgresServer = request.getfixturevalue(request.param)
    url = server.create_database()
    with open_for_writing(url) as connection:
        for statement in TABLES:
            connection.execute(statement)
    database = connect(url, Settings(exclude=EXCLUDED, query_timeout=5))
    assert isinstance(database, SqlDatabase)
    with database:
        yield Attacked(database, url)
    server.drop_database(url)


def cases() -> list[dict[str, Any]]:
    if not CASES.exists():
        pytest.skip("the recorded attacks (../shared/data) are not here")
    with gzip.open(CASES, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def attack(database: SqlDatabase, text: str) -> bool:
    """Have a text checked, and run if it is admitted: whether it was."""
    verdict = Guard(database).check(text)
    if verdict.ok:
        with suppress(GroundwireError):
            database.execute(verdict.query)
    return verdict.ok


def test_each_recorded_case_gets_its_verdict_and_nothing_changes(attacked: Attacked) -> None:
    before = attacked.dump()
    wrong = []
    for case in cases():
        admitted = attack(attacked.database, case["sql_pg"])
        runs = case["pg15_reader_readonly_txn"] == "executed"
        ours = runs and not any(word in case["sql_pg"] for word in SYSTEM)
        if admitted and case["expect"] != "allow":
            wrong.append(f"admitted: {case['sql_pg']}")
        if not admitted and case["expect"] == "allow" and ours:
            wrong.append(f"refused: {case['sql_pg']}")
    assert not wrong, "\n".join(wrong)
    assert attacked.dump() == before


def test_our_own_attacks_change_nothing(attacked: Attacked) -> None:
    before = attacked.dump()
    for path in sorted(FIXTURES.glob("*.txt")):
        for pair in read_pairs(path):
            attack(attacked.database, pair.draft)
    assert attacked.dump() == before


@pytest.mark.parametrize(
    "text",
    [
        "INSERT INTO film VALUES (99, 'x')",
        "SELECT nextval('orders_id_seq')",
        "SELECT lo_put(4242, 0, 'L')",
        "ALTER DATABASE {name} SET work_mem = '1MB'",
        "COMMENT ON TABLE film IS 'x'",
        "GRANT SELECT ON film TO public",
    ],
)
def test_a_dump_shows_a_change(attacked: Attacked, text: str) -> None:
    before = attacked.dump()
    name = attacked.url.split("?")[0].rpartition("/")[2]
    with open_for_writing(attacked.url) as connection:
        connection.execute(text.format(name=name))
    assert attacked.dump() != before


def test_the_session_alone_holds_where_the_guard_is_passed_by(attacked: Attacked) -> None:
    before = attacked.dump()
    for case in cases():
        harmful = ("pg_terminate", "pg_cancel", "pg_reload", "pg_rotate", "repeat(", "lo_export")
        if not any(word in case["sql_pg"] for word in harmful):
            with suppress(GroundwireError):
                attacked.database.execute(case["sql_pg"], timeout=0.5)
    assert attacked.dump() == before

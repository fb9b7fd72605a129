"""Work without bound is stopped by the ceilings, and said to be; the session goes on."""

from __future__ import annotations

import time

import pytest

from groundwire.database import SqlDatabase
from groundwire.errors import QueryError, QueryTimeout
from tests.conftest import NewDatabase

LIMIT = 0.4
SLACK = 8.0
"""Seconds beyond the limit that a loaded machine may need to stop a statement."""

EVERYWHERE = {
    "recursion": "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t)"
    " SELECT sum(n % 7) FROM t",
    "cross join": "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 5000)"
    " SELECT count(*) FROM t AS a, t AS b, t AS c, t AS d WHERE a.n + b.n + c.n + d.n = 7",
    "no rows": "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t)"
    " SELECT n FROM t WHERE n < 0",
}
OF_ENGINE = {
    "postgres": {
        "series": "SELECT count(*) FROM generate_series(1, 1000000000000)",
        "regular expression": "SELECT count(*) FROM generate_series(1, 1000000) AS g"
        " WHERE repeat('ab', 2000) || g ~ '^(a|b|ab)*?(.{1,200}){3}\\1\\2c$'",
        "growing text": "WITH RECURSIVE t(s) AS (SELECT 'x' UNION ALL SELECT s || md5(s) FROM t)"
        " SELECT max(length(s)) FROM t",
        "sorting": "SELECT g FROM generate_series(1, 1000000000) AS g ORDER BY md5(g::text)",
    },
    "duckdb": {
        "series": "SELECT sum(hash(range) % 7) FROM range(1000000000000)",
        "regular expression": "SELECT count(*) FROM range(100000000) AS g"
        " WHERE regexp_matches(repeat('a', 300) || g.range, '^(a*)*b$')",
        "growing text": "WITH RECURSIVE t(s) AS (SELECT 'x' UNION ALL SELECT s || md5(s) FROM t)"
        " SELECT max(length(s)) FROM t",
    },
    "sqlite": {
        "pattern": "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t)"
        " SELECT count(*) FROM t WHERE hex(zeroblob(500)) || n LIKE '%0%0%0%0%0%0%1_1'",
        "growing text": "WITH RECURSIVE t(s) AS (SELECT 'x' UNION ALL SELECT s || hex(n) FROM t,"
        " (SELECT 7 AS n)) SELECT max(length(s)) FROM t",
    },
}


def expect_stopped(database: SqlDatabase, text: str) -> None:
    started = time.perf_counter()
    with pytest.raises(QueryTimeout, match=f"stopped after {LIMIT} seconds") as caught:
        database.execute(text, timeout=LIMIT)
    assert time.perf_counter() - started < LIMIT + SLACK
    assert "GROUNDWIRE_QUERY_TIMEOUT" in caught.value.hint
    assert database.execute("SELECT count(*) FROM book").rows == ((3,),)


@pytest.mark.parametrize("kind", EVERYWHERE)
def test_work_without_bound_is_stopped(sql_database: SqlDatabase, kind: str) -> None:
    expect_stopped(sql_database, EVERYWHERE[kind])


def test_so_is_what_only_one_engine_can_be_asked(sql_database: SqlDatabase) -> None:
    for text in OF_ENGINE[sql_database.dialect].values():
        expect_stopped(sql_database, text)


def test_a_value_that_no_memory_holds_is_a_query_error(sql_database: SqlDatabase) -> None:
    text = {
        "postgres": "SELECT repeat('x', 2000000000)",
        "duckdb": "SELECT repeat('x', 9000000000)",
        "sqlite": "SELECT replace(hex(zeroblob(5000)), '0', hex(zeroblob(50000)))",
    }[sql_database.dialect]
    with pytest.raises(QueryError):
        sql_database.execute(text)
    assert sql_database.execute("SELECT count(*) FROM book").rows == ((3,),)


BIG = "SELECT {value} AS big FROM book AS a CROSS JOIN book AS b"
"""Nine rows of a value of 200,000 characters."""
VALUE = {
    "postgres": "repeat('x', 200000)",
    "duckdb": "repeat('x', 200000)",
    "sqlite": "hex(zeroblob(100000))",
}


def test_a_few_huge_values_are_stopped_by_the_ceiling_of_bytes(library: NewDatabase) -> None:
    with library.connect(max_bytes=1_000_000) as database:
        text = BIG.format(value=VALUE[database.dialect])
        with pytest.raises(QueryError, match="holds more than 1,000,000 bytes") as caught:
            database.execute(text)
        assert caught.value.code == "TOO_LARGE"
        assert "GROUNDWIRE_MAX_BYTES" in caught.value.hint
        assert database.execute("SELECT count(*) FROM book").rows == ((3,),)
        assert len(database.execute(text, max_rows=3).rows) == 3
    with library.connect(max_bytes=2_000_000) as database:
        assert len(database.execute(text).rows) == 9


def test_one_value_above_the_ceiling_of_bytes_is_not_shown(library: NewDatabase) -> None:
    stopped = pytest.raises(QueryError, match="after 0 of its rows")
    with library.connect(max_bytes=100_000) as database, stopped:
        database.execute(f"SELECT {VALUE[database.dialect]} AS big")


def test_what_sqlite_would_build_too_long_is_told_as_a_ceiling(sql_database: SqlDatabase) -> None:
    if sql_database.dialect != "sqlite":
        pytest.skip("a limit of SQLite's")
    for text in (
        "SELECT length(replace(hex(zeroblob(9000000)), '0', 'xyz'))",
        "SELECT 'x' LIKE hex(zeroblob(4000))",
    ):
        with pytest.raises(QueryError, match="stopped at a ceiling") as caught:
            sql_database.execute(text)
        assert caught.value.code == "TOO_LARGE"

"""Random texts made of what is dangerous: nothing crashes, and what is admitted changes nothing."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundwire.database import connect
from groundwire.database.writing import open_for_writing
from groundwire.errors import GroundwireError, InternalError
from groundwire.guard import Guard
from groundwire.settings import Settings
from tests.fixture_pairs import read_pairs

SECONDS = 25
"""For each of the three engines; together more than a minute."""

DRAFTS = [
    pair.draft
    for path in sorted((Path(__file__).parent / "fixtures").glob("*.txt"))
    for pair in read_pairs(path)
]
PIECES = [
    *("SELECT", "FROM", "WHERE", "WITH", "RECURSIVE", "AS", "UNION ALL", "VALUES", "LIMIT", "INTO"),
    *(
        "INSERT INTO crimes",
        "DELETE FROM crimes",
        "UPDATE crimes SET area = 2",
        "DROP TABLE crimes",
    ),
    *("RETURNING id", "FOR UPDATE", "COPY", "SET", "PRAGMA", "ATTACH 'x' AS y", "EXPLAIN", "DO"),
    *("crimes", "areas", "camel", "id", "area", "1", "'x'", "$$x$$", "$1", "E'\\''", '"area"'),
    *("nextval('numbers')", "set_config('a.b', 'c', false)", "pg_advisory_lock(1)", "lo_create(0)"),
    *("query_to_xml('SELECT 1', true, true, '')", "effect()", "(c).effect", "writefile('x', 'y')"),
    *(
        "(",
        ")",
        ",",
        ";",
        "*",
        ".",
        "::int",
        "||",
        "=",
        "--",
        "/*",
        "*/",
        "\n",
        "'",
        '"',
        "\\",
        "\0",
    ),
    *("\ufeff", "\u200b", "\u00a0", 'U&"\\0061"', "?", ":a", "{", "}", "[", "]", "@", "#", "`"),
]
ATOMS = [
    *("1", "id", "c.area", "'x'", "primary_type", "happened", "NULL", "count(*)", "max(c.id)"),
    *("effect()", "c.effect", "(c).effect", "nextval('numbers')", "now()", "random()"),
    *("pg_try_advisory_lock(1)", "lower(primary_type)", "(SELECT max(area) FROM areas)"),
]
expressions = st.recursive(
    st.sampled_from(ATOMS),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from([*"+-=<>", "||", "AND", "IS DISTINCT FROM"]), inner).map(
            lambda made: f"({made[0]} {made[1]} {made[2]})"
        ),
        st.tuples(inner, inner).map(lambda made: f"coalesce({made[0]}, {made[1]})"),
        inner.map(lambda made: f"CAST({made} AS text)"),
        inner.map(lambda made: f"CASE WHEN {made} IS NULL THEN 1 END"),
    ),
    max_leaves=4,
)
selects = st.builds(
    "SELECT {} FROM crimes AS c{}".format,
    st.lists(expressions, min_size=1, max_size=2).map(", ".join),
    st.sampled_from(["", " WHERE area = 1", " ORDER BY 1", " LIMIT 1", " FOR UPDATE", ";", "; DO"]),
)
texts = st.one_of(
    selects,
    selects,
    st.text(max_size=60),
    st.lists(st.sampled_from(PIECES), max_size=14).map(" ".join),
    st.lists(st.sampled_from([*PIECES, *DRAFTS]), min_size=1, max_size=4).map("\n".join),
    st.tuples(st.sampled_from(DRAFTS), st.sampled_from(PIECES), st.floats(0, 1)).map(
        lambda made: (
            made[0][: int(len(made[0]) * made[2])]
            + f" {made[1]} "
            + made[0][int(len(made[0]) * made[2]) :]
        )
    ),
)
PRELUDE = {
    "postgres": [
        "CREATE SEQUENCE numbers",
        "CREATE FUNCTION effect() RETURNS bigint LANGUAGE sql AS 'SELECT nextval(''numbers'')'",
        "CREATE FUNCTION effect(c crimes) RETURNS bigint LANGUAGE sql AS 'SELECT effect()'",
    ],
    "duckdb": ["CREATE SEQUENCE numbers"],
}
STATE = {
    "postgres": "SELECT (SELECT last_value FROM numbers), (SELECT is_called FROM numbers),"
    " (SELECT count(*) FROM pg_class), (SELECT count(*) FROM pg_largeobject_metadata),"
    " (SELECT sum(xmin::text::bigint) FROM crimes), (SELECT count(*) FROM pg_locks"
    " WHERE locktype = 'advisory')",
}


def state(engine: str, url: str) -> list[Any]:
    tables = ("crimes", "areas", "camel")
    if engine != "postgres":
        path = Path(url.split("///")[1])
        return [path.read_bytes(), sorted(file.name for file in path.parent.iterdir())]
    with open_for_writing(url) as connection:
        rows = [connection.execute(f"SELECT * FROM {t} ORDER BY 1").fetchall() for t in tables]
        return [rows, connection.execute(STATE[engine]).fetchall()]


@pytest.mark.slow
def test_nothing_crashes_and_nothing_slips(engine_url: tuple[str, str]) -> None:
    engine, url = engine_url
    with open_for_writing(url) as connection:
        for statement in PRELUDE.get(engine, []):
            connection.execute(statement)
    guard = Guard(connect(url, Settings(query_timeout=1, max_rows=5)))
    before = state(engine, url)
    ended = time.monotonic() + SECONDS
    admitted = 0

    @settings(
        max_examples=1_000_000,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(texts)
    def judge(text: str) -> None:
        nonlocal admitted
        if time.monotonic() > ended:
            pytest.skip("the time is up")
        verdict = guard.check(text)
        assert not isinstance(verdict.error, InternalError)
        assert verdict.ok or verdict.error is not None
        if verdict.ok:
            admitted += 1
            with suppress(GroundwireError):
                guard.database.execute(verdict.query)
        if verdict.ok and engine == "postgres":
            assert state(engine, url) == before

    with suppress(pytest.skip.Exception):
        judge()
    assert admitted > 20
    assert state(engine, url) == before
    guard.database.close()

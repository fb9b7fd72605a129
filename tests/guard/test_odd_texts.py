"""Texts meant to confuse a reader of SQL: an answer or a clear error, soon, and no crash."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from groundwire.errors import GroundwireError, InternalError
from groundwire.guard import Guard, Verdict

Guarded = Callable[..., tuple[str, Guard]]
HIDDEN = [
    "SELECT 1 /* ; DROP TABLE crimes */",
    "SELECT 1 -- ; DROP TABLE crimes",
    "SELECT '; DROP TABLE crimes --'",
    "SELECT ';''; DROP TABLE crimes; --'",
    'SELECT 1 AS "; DROP TABLE crimes; --"',
    "/* x */ SELECT /* y */ 1 /* z */",
]
SECOND = [
    "SELECT 1 /* x */; DROP TABLE crimes",
    "SELECT 1; -- x\nDROP TABLE crimes",
    "/*!50000 SELECT 1; */ DROP TABLE crimes",
    "SELECT 'a\\'; DROP TABLE crimes; --'",
    "SELECT 1;\n;\nDROP TABLE crimes",
    "-- SELECT 1\nDROP TABLE crimes",
    "SELECT 1\\; DROP TABLE crimes",
    "\\copy crimes to 'x'",
    "\\! touch x",
    "SELECT 1 \\gexec",
    "SELECT 1 \\g |cat",
    "DR/**/OP TABLE crimes",
    "SELECT 1\x00; DROP TABLE crimes",
    "SELECT \x00",
    "\ufeffDROP TABLE crimes",
    "SELECT 1\u037e DROP TABLE crimes",
    "ＳＥＬＥＣＴ 1",
    "SEL\u200bECT 1",
    "SELECT\u2028DROP TABLE crimes",
    "SELECT \ud800",
    "",
    ";",
    "   \n\t ",
    "--",
    "/*",
    "/* /* */",
    "'",
    '"',
    "$$",
    "SELECT $x$ open",
    "(",
    ")",
    "SELECT ((1)",
]
POSTGRES = {
    "SELECT 1 /* a /* b */ ; DROP TABLE crimes */": True,
    "SELECT 1 /* a /* b */ */; DROP TABLE crimes": False,
    "SELECT $$; DROP TABLE crimes; --$$": True,
    "SELECT $a$ $$ ; DROP TABLE crimes $$ $a$": True,
    "SELECT $a$x$a$; DROP TABLE crimes; SELECT $a$x$a$": False,
    "SELECT E'a\\'; DROP TABLE crimes; --'": True,
    "SELECT E'a\\\\'; DROP TABLE crimes; --'": False,
    "SELECT 'a\\', pg_sleep(1), '": False,
    "SELECT 'a' -- x\n 'b'": True,
    "SELECT pg_sleep--x\n(1)": False,
    "SELECT pg_sleep/* /* */ */(1)": False,
    "SELECT e'\\047; DROP TABLE crimes'": True,
    "SELECT pg\u200b_sleep(1)": False,
    "SELECT pg_ѕleep(1)": False,
    "SELECT PG_SLEEP (1)": False,
    "SELECT\fpg_sleep(1)": False,
    "SELECT\u00a0pg_sleep(1)": False,
    "SELECT id FROM crimes\u00a0FOR UPDATE": False,
    "SELECT $1::regclass": False,
    "SELECT 1 AS pg_sleep": True,
    "SELECT 'pg_sleep(10)'": True,
}


def judge(guard: Guard, text: str) -> Verdict:
    verdict = guard.check(text)
    assert not isinstance(verdict.error, InternalError), text[:80]
    assert verdict.ok or (verdict.error is not None and verdict.error.message), text[:80]
    return verdict


def test_what_stands_in_comments_and_quotes_is_no_statement(guarded: Guarded) -> None:
    _, guard = guarded()
    for text in HIDDEN:
        verdict = judge(guard, text)
        assert verdict.ok, (text, verdict.error)
        guard.database.execute(verdict.query)


def test_what_is_hidden_behind_them_is_found(guarded: Guarded) -> None:
    _, guard = guarded()
    for text in SECOND:
        assert not judge(guard, text).ok, text
        with pytest.raises(GroundwireError):
            guard.database.execute(text)
    assert guard.database.execute("SELECT count(*) FROM crimes").rows == ((3,),)


def test_the_guard_reads_strings_and_comments_as_postgresql_does(guarded: Guarded) -> None:
    engine, guard = guarded()
    if engine == "postgres":
        for text, admitted in POSTGRES.items():
            verdict = judge(guard, text)
            assert verdict.ok == admitted, (text, verdict.error)
            if admitted:
                guard.database.execute(verdict.query)


def long_texts(size: int) -> dict[str, str]:
    return {
        "string": f"SELECT '{'x' * size * 500}'",
        "comment": f"SELECT 1 /* {'x' * size * 500} */",
        "blanks": f"SELECT {' ' * size * 500}1",
        "name": f"SELECT {'x' * size * 500}",
        "brackets": f"SELECT {'(' * size * 5}1{')' * size * 5}",
        "open brackets": f"SELECT {'(' * size * 5}1",
        "unions": " UNION ALL ".join(["SELECT 1"] * (size * 5 // 2)),
        "conditions": f"SELECT 1 WHERE {' AND '.join(['1 = 1'] * size)}",
        "list": f"SELECT id FROM crimes WHERE id IN ({', '.join(map(str, range(size)))})",
        "subqueries": f"SELECT {'(SELECT ' * size}1{')' * size}",
        "statements": "SELECT 1;" * size,
        "columns": f"SELECT {', '.join(['id'] * (size // 10))} FROM crimes",
        "operators": f"SELECT 1 {'+' * size} 1",
        "negations": f"SELECT {'NOT ' * size} TRUE",
        "casts": f"SELECT 1{'::int' * size}",
        "cases": f"SELECT {'CASE WHEN 1 = 1 THEN ' * size}1{' END' * size}",
        "quotes": "SELECT '" + "''" * size * 10 + "'",
        "backslashes": "SELECT '" + "\\" * size * 10 + "'",
        "nul": "SELECT '" + "\x00" * size + "'",
    }


@pytest.mark.parametrize("kind", long_texts(1))
def test_a_long_text_gets_its_verdict_soon(guarded: Guarded, kind: str) -> None:
    _, guard = guarded()
    text = long_texts(2_000)[kind]
    started = time.process_time()
    judge(guard, text)
    assert time.process_time() - started < 20
    assert guard.database.execute("SELECT count(*) FROM crimes").rows == ((3,),)

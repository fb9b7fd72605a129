"""Every fixture pair: the expected SQL or a decline, and the same rows on every engine."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal

import pytest

from groundwire.errors import NotUnderstood
from tests.draft.offline.conftest import Asked, Case, read_cases

CASES = read_cases()
ANSWERED = [case for case in CASES if case.expected is not None]
DECLINED = [case for case in CASES if case.expected is None]


def name(case: Case) -> str:
    return f"{case.file}:{case.line}"


@pytest.mark.parametrize("case", ANSWERED, ids=name)
def test_a_question_becomes_the_expected_query(case: Case, duckdb_asked: Asked) -> None:
    assert duckdb_asked.draft(case.database, case.question) == case.expected


@pytest.mark.parametrize("case", DECLINED, ids=name)
def test_a_doubtful_question_is_declined(case: Case, duckdb_asked: Asked) -> None:
    with pytest.raises(NotUnderstood):
        duckdb_asked.draft(case.database, case.question)


@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
def test_every_engine_gives_the_same_rows(
    engine: str, duckdb_asked: Asked, request: pytest.FixtureRequest
) -> None:
    other: Asked = request.getfixturevalue(f"{engine}_asked")
    different = []
    for case in ANSWERED:
        here = bag(duckdb_asked.rows(case.database, case.question))
        there = bag(other.rows(case.database, case.question))
        if here != there:
            different.append((name(case), case.question, here, there))
    assert not different


def bag(rows: list[tuple[object, ...]]) -> Counter[tuple[str, ...]]:
    """Rows in any order; numbers, times and booleans as every engine can give them."""
    return Counter(tuple(plain(value) for value in row) for row in rows)


def plain(value: object) -> str:
    if isinstance(value, (int, float, Decimal)):
        return f"{float(value):.6f}"
    return str(value).removesuffix(" 00:00:00")

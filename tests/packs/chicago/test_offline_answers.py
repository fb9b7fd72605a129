"""The offline drafter on the pack's 100 questions: most easy ones right, none of any tier wrong.

No rule or prompt may quote the questions; this module only asks them.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

from groundwire.database import Database, SqlDatabase, connect
from groundwire.draft.offline import OfflineDrafter
from groundwire.errors import NotUnderstood
from groundwire.guard import Guard
from groundwire.packs.chicago.questions import Question, load_questions
from groundwire.packs.pack import pack_for
from tests.packs.chicago.conftest import TODAY, Synthetic

pytestmark = pytest.mark.xdist_group("chicago-questions")

Row = tuple[Any, ...]


@pytest.fixture(scope="module")
def crimes(twenty_thousand: Synthetic) -> Iterator[SqlDatabase]:
    with connect(twenty_thousand.url) as database:
        assert isinstance(database, SqlDatabase)
        yield database


@pytest.fixture(scope="module")
def verdicts(crimes: SqlDatabase) -> dict[str, str]:
    """Question id → `right`, `wrong` or `declined`."""
    drafter = OfflineDrafter(pack_for(crimes.catalog()), TODAY)
    return {q.id: verdict_on(q, drafter, crimes) for q in load_questions()}


def test_at_least_27_of_the_30_easy_questions_are_answered(verdicts: dict[str, str]) -> None:
    easy = {q.id: verdicts[q.id] for q in load_questions() if q.tier == "easy"}
    assert Counter(easy.values())["right"] >= 27, easy


def test_no_question_of_any_tier_gets_a_wrong_answer(verdicts: dict[str, str]) -> None:
    assert not [identity for identity, verdict in verdicts.items() if verdict == "wrong"]


def verdict_on(question: Question, drafter: OfflineDrafter, database: SqlDatabase) -> str:
    try:
        draft = drafter.draft(question.question, database)
    except NotUnderstood:
        return "declined"
    verdict = Guard(database).check(draft.text, question.question)
    assert verdict.outcome == "admitted", (question.id, draft.text, verdict.error)
    rows = _rows(database, draft.text)
    right = any(_equal(question, _gold(question, database, g.sql), rows) for g in question.golds)
    return "right" if right else "wrong"


def _rows(database: Database, statement: str) -> list[Row]:
    return [tuple(_plain(v) for v in r) for r in database.execute(statement, max_rows=50_000).rows]


def _gold(question: Question, database: Database, statement: str) -> list[Row]:
    result = database.execute(statement, max_rows=50_000)
    kept = [i for i, column in enumerate(result.columns) if column.name not in question.optional]
    return [tuple(_plain(row[i]) for i in kept) for row in result.rows]


def _equal(question: Question, gold: list[Row], rows: list[Row]) -> bool:
    """The gold's columns are found among those of the answer, row for row."""
    if len(gold) != len(rows):
        return False
    if not gold:
        return True
    width, wanted = len(rows[0]), len(gold[0])
    if width < wanted or width > 6:
        return False
    return any(
        _same_bag(gold, [tuple(row[i] for i in columns) for row in rows])
        for columns in itertools.permutations(range(width), wanted)
    )


def _same_bag(one: list[Row], other: list[Row]) -> bool:
    def key(row: Row) -> tuple[tuple[str, str], ...]:
        return tuple(
            (type(v).__name__, f"{v:.6f}" if isinstance(v, float) else str(v)) for v in row
        )

    pairs = zip(sorted(one, key=key), sorted(other, key=key), strict=True)
    return all(len(a) == len(b) and all(map(_close, a, b)) for a, b in pairs)


def _close(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-6, abs_tol=1e-6)
    return bool(one == other)


def _plain(value: Any) -> Any:
    is_number = isinstance(value, int | Decimal) and not isinstance(value, bool)
    return float(value) if is_number else value

"""The offline drafter on public question sets, where they lie beside the repository."""

from __future__ import annotations

import gzip
import itertools
import json
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from groundwire.database import SqlDatabase, connect
from groundwire.draft.offline import OfflineDrafter
from groundwire.errors import GroundwireError, NotUnderstood

HERE = Path(__file__).parent
SPIDER = HERE.parents[3] / "shared" / "data" / "spider"
DIFFERS = dict(
    tuple(part.strip() for part in line.split("|"))
    for line in (HERE / "spider_differs.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not SPIDER.is_dir(), reason=f"no public data at {SPIDER}"),
]

Rows = list[tuple[Any, ...]]


def questions() -> Iterator[dict[str, Any]]:
    with gzip.open(SPIDER / "dev_questions.jsonl.gz", "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def test_no_answer_on_spider_is_wrong_and_two_in_five_questions_are_answered() -> None:
    verdicts: Counter[str] = Counter()
    wrong = []
    databases: dict[str, SqlDatabase] = {}
    for case in questions():
        name = case["db_id"]
        if name not in databases:
            opened = connect(f"sqlite:///{SPIDER / 'sqlite' / name}.sqlite")
            assert isinstance(opened, SqlDatabase)
            databases[name] = opened
        verdict = judge(case, databases[name])
        verdicts[verdict] += 1
        if verdict == "wrong":
            wrong.append(case["question"])
    assert not wrong
    assert verdicts["right"] > 0.4 * sum(verdicts.values()), verdicts


def judge(case: dict[str, Any], database: SqlDatabase) -> str:
    try:
        text = OfflineDrafter().draft(case["question"], database).text
    except NotUnderstood:
        return "declined"
    if " ".join(case["question"].split()) in DIFFERS:
        return "right"
    ours = list(database.execute(text, max_rows=50_000).rows)
    try:
        gold = list(database.execute(case["gold_sqlite"], max_rows=50_000).rows)
    except GroundwireError:
        return "unjudged"
    return "right" if holds(ours, gold) else "wrong"


def holds(ours: Rows, gold: Rows) -> bool:
    """The gold's columns are among ours, row for row."""
    if len(ours) != len(gold):
        return False
    if not gold:
        return True
    places = itertools.permutations(range(len(ours[0])), len(gold[0]))
    return any(bag([tuple(r[i] for i in p) for r in ours]) == bag(gold) for p in places)


def bag(rows: Rows) -> Counter[tuple[Any, ...]]:
    return Counter(tuple(plain(value) for value in row) for row in rows)


def plain(value: Any) -> Any:
    return round(float(value), 4) if isinstance(value, (int, float, Decimal)) else str(value)

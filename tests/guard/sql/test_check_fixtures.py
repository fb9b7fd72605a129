"""Each check has a file of drafts with its verdicts, and they hold on every engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundwire.database import SqlDatabase
from groundwire.guard import Guard
from groundwire.guard.sql import CHECKS
from tests.fixture_pairs import read_pairs
from tests.guard.verdicts import wrong_verdicts

FIXTURES = Path(__file__).parent / "fixtures"
NAMES = [check.__name__ for check in CHECKS]


@pytest.mark.parametrize("name", NAMES)
def test_each_draft_gets_its_verdict(name: str, shop: SqlDatabase) -> None:
    guard = Guard(shop)
    pairs = [p for p in read_pairs(FIXTURES / f"{name}.txt") if p.is_for(shop.dialect)]
    wrong = wrong_verdicts(guard, pairs)
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", NAMES)
def test_half_of_the_drafts_must_not_be_touched(name: str) -> None:
    pairs = read_pairs(FIXTURES / f"{name}.txt")
    untouched = [pair for pair in pairs if pair.verdict == "admitted"]
    assert len(pairs) >= 10
    assert len(untouched) * 2 >= len(pairs)


def test_there_is_no_file_without_its_check() -> None:
    assert {path.stem for path in FIXTURES.glob("*.txt")} == set(NAMES)

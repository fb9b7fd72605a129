"""Every fixture pair (draft → verdict) holds on every engine that it is for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from groundwire.guard import Guard
from groundwire.settings import Settings
from tests.fixture_pairs import read_pairs
from tests.guard.verdicts import wrong_verdicts

FIXTURES = Path(__file__).parent / "fixtures"
SETTINGS = {
    "names": Settings(),
    "postgres_syntax": Settings(),
    "read_only": Settings(),
    "excluded": Settings(exclude=("areas.secret", "camel")),
}


@pytest.mark.parametrize("name", sorted(SETTINGS))
def test_each_draft_gets_its_verdict(name: str, guarded: Callable[..., tuple[str, Guard]]) -> None:
    engine, guard = guarded(SETTINGS[name])
    pairs = [p for p in read_pairs(FIXTURES / f"{name}.txt") if p.is_for(engine)]
    assert pairs
    wrong = wrong_verdicts(guard, pairs)
    assert not wrong, "\n".join(wrong)

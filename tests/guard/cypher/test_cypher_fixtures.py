"""Every fixture pair (Cypher draft → verdict) holds on every graph engine that it is for.

A file has the name of the check that its pairs are about. A pair with `policy` holds under that
policy; in the files of `BOTH`, any other pair holds under both.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundwire.guard import Guard
from groundwire.guard.cypher import CHECKS
from tests.fixture_pairs import read_pairs
from tests.guard.verdicts import wrong_verdicts

FIXTURES = Path(__file__).parent / "fixtures"
FILES = sorted(FIXTURES.glob("*.txt"))
NAMES = [
    "removed_syntax",
    "excluded_names",
    *(check.__name__ for check in CHECKS),
    "server_notices",
]
EXCLUDE = ("Town.people", "SELLS_IN.price", "Company", "REPORTS_TO", "Star.rank")
BOTH = ("fix_relationship_types", "align_directions", "redirect_self_loops")

Guarded = Callable[..., tuple[str, Guard]]


def settings_of(name: str) -> dict[str, Any]:
    return {"exclude": EXCLUDE} if name == "excluded_names" else {}


@pytest.mark.parametrize(
    ("name", "policy"),
    [(path.stem, "truthful") for path in FILES] + [(name, "paper") for name in BOTH],
)
def test_each_draft_gets_its_verdict(name: str, policy: str, guarded: Guarded) -> None:
    dialect, guard = guarded(policy=policy, **settings_of(name))
    pairs = [
        pair
        for pair in read_pairs(FIXTURES / f"{name}.txt")
        if pair.is_for(dialect) and pair.policy in ("", policy)
    ]
    wrong = wrong_verdicts(guard, pairs)
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", NAMES)
def test_half_of_the_drafts_must_not_be_touched(name: str) -> None:
    pairs = read_pairs(FIXTURES / f"{name}.txt")
    untouched = [pair for pair in pairs if pair.verdict in ("admitted", "noted")]
    assert len(pairs) >= 10
    # What must not get past the settings is tried in many more ways than what may.
    assert len(untouched) >= (10 if name == "excluded_names" else len(pairs) / 2)


def test_there_is_no_file_without_its_check() -> None:
    assert {path.stem for path in FILES} == set(NAMES)


def test_a_repaired_query_is_admitted_as_it_is(guarded: Guarded) -> None:
    for path in FILES:
        for policy in ("truthful", "paper"):
            dialect, guard = guarded(policy=policy, **settings_of(path.stem))
            for pair in read_pairs(path):
                wanted = pair.policy == policy or (not pair.policy and policy == "truthful")
                if pair.verdict == "repaired" and pair.is_for(dialect) and wanted:
                    again = guard.check(pair.query)
                    assert again.outcome == "admitted", (pair.name, again.error)

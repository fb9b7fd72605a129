"""Literal grounding: at most three literals, two probes each, on the database's own values."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from groundwire.guard import Guard
from groundwire.guard.grounding import ground
from groundwire.guard.probes import Probes
from groundwire.settings import Settings

Open = Callable[..., tuple[str, Guard]]


def notes(guard: Guard, text: str) -> list[str]:
    probes = Probes(guard.database)
    found = [note.sentence for note in ground(text, guard.database, probes)]
    assert probes.count <= 6
    return found


@pytest.mark.parametrize(
    "condition",
    ["primary_type = 'theft'", "c.primary_type IN ('theft')", "c.primary_type LIKE 'theft'"],
)
def test_a_value_that_is_not_stored_is_told_with_those_that_are(
    guarded: Open, condition: str
) -> None:
    engine, guard = guarded()
    if engine == "sqlite" and "LIKE" in condition:
        return  # SQLite's LIKE does not mind case, so that the value is found.
    found = notes(guard, f"SELECT * FROM crimes c WHERE {condition}")
    assert found == [
        "'theft' is not stored as crimes.primary_type; stored values that hold 'theft' are 'THEFT'."
    ]


def test_a_value_like_which_nothing_is_stored_points_at_the_column(guarded: Open) -> None:
    _, guard = guarded()
    (note,) = notes(guard, "SELECT * FROM crimes WHERE primary_type = 'ARSON'")
    assert "no value like it" in note


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * FROM crimes WHERE primary_type = 'THEFT'",
        "SELECT * FROM crimes WHERE lower(primary_type) = 'theft'",
        "SELECT 'theft' FROM crimes",
        "SELECT * FROM crimes WHERE id = 99",
        "SELECT * FROM (SELECT primary_type AS p FROM crimes) t WHERE p || '' = 'theft'",
    ],
)
def test_what_is_stored_or_not_compared_is_not_noted(guarded: Open, text: str) -> None:
    _, guard = guarded()
    assert notes(guard, text) == []


def test_at_most_three_literals_are_looked_for(guarded: Open) -> None:
    _, guard = guarded()
    values = " OR ".join(f"primary_type = 'no{i}'" for i in range(9))
    assert len(notes(guard, f"SELECT * FROM crimes WHERE {values}")) == 3


def test_a_value_is_never_pasted_into_a_probe(guarded: Open) -> None:
    _, guard = guarded()
    (note,) = notes(guard, "SELECT * FROM crimes WHERE primary_type = 'x'' OR 1=1 --'")
    assert note.startswith('"x\' OR 1=1 --" is not stored')


def test_a_spent_budget_says_nothing(guarded: Open) -> None:
    _, guard = guarded(Settings(max_probes=0))
    assert notes(guard, "SELECT * FROM crimes WHERE primary_type = 'theft'") == []

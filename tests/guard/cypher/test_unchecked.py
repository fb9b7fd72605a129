"""Which checks of a Cypher draft had something left to ask when the budget was spent."""

from __future__ import annotations

from collections.abc import Callable

from groundwire.guard import Guard

Guarded = Callable[..., tuple[str, Guard]]

DRAFT = "MATCH (p:Person {name: 'ann lee'}) RETURN p.name ORDER BY p.born DESC LIMIT 1"


def test_nothing_is_left_unchecked_within_the_budget(guarded: Guarded) -> None:
    _, guard = guarded(probe_timeout=60.0, probe_seconds=60.0)
    assert guard.check(DRAFT).unchecked == ()


def test_what_was_turned_away_is_named(guarded: Guarded) -> None:
    _, guard = guarded(max_probes=0)
    verdict = guard.check(DRAFT)
    assert verdict.outcome == "admitted"
    assert "literal_not_stored" in verdict.unchecked


def test_checks_that_had_nothing_to_ask_are_not_named(guarded: Guarded) -> None:
    _, guard = guarded(max_probes=0)
    assert guard.check("MATCH (p:Person) RETURN p.name").unchecked == ()

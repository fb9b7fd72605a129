"""A refusal names the rule and the fragment, and is logged."""

from __future__ import annotations

import logging
from collections.abc import Callable

import pytest

from groundwire.guard import Guard

Guarded = Callable[..., tuple[str, Guard]]


@pytest.mark.parametrize(
    ("draft", "fragment", "rule"),
    [
        ("SELECT 1; DROP TABLE crimes", "crimes", "holds 2 statements"),
        ("DELETE FROM crimes", "DELETE FROM crimes", "DELETE is not a query that only reads"),
        ("SELECT id FROM crimes WHERE pg_sleep(9) IS NULL", "pg_sleep", "function pg_sleep"),
        ("SELECT id FROM crimes FOR UPDATE", "", "FOR UPDATE or FOR SHARE"),
        ("SELECT repeat('x', 2000000)", "", "2,000,000 characters"),
        ('SELECT U&"a"', 'U&"a"', "Unicode escapes"),
    ],
)
def test_a_refusal_names_the_rule_and_the_fragment(
    guarded: Guarded, caplog: pytest.LogCaptureFixture, draft: str, fragment: str, rule: str
) -> None:
    engine, guard = guarded()
    if engine != "postgres":
        return
    with caplog.at_level(logging.INFO, "groundwire"):
        verdict = guard.check(draft)
    finding = verdict.findings[0]
    assert finding.code == "NOT_READ_ONLY"
    assert rule in finding.message
    assert fragment in draft[slice(*finding.span)]
    assert verdict.error is not None
    assert verdict.error.code == "NOT_READ_ONLY"
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert finding.message in record.getMessage()
    assert repr(draft) in record.getMessage()
    assert guard.database.url in record.getMessage()


@pytest.mark.parametrize("draft", ["SELECT FROM WHERE", "SELECT x FROM crimes", "SELECT 1 FROM zz"])
def test_another_fault_is_logged_as_information(
    guarded: Guarded, caplog: pytest.LogCaptureFixture, draft: str
) -> None:
    _, guard = guarded()
    with caplog.at_level(logging.INFO, "groundwire"):
        assert guard.check(draft).outcome == "refused"
    assert [record.levelno for record in caplog.records] == [logging.INFO]


def test_what_is_admitted_is_not_logged(guarded: Guarded, caplog: pytest.LogCaptureFixture) -> None:
    _, guard = guarded()
    with caplog.at_level(logging.INFO, "groundwire"):
        assert guard.check("SELECT id FROM crimes").ok
    assert not caplog.records

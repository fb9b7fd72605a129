"""Every fixture pair (draft → verdict) holds on every engine that it is for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from groundwire.guard import Guard, Verdict
from groundwire.settings import Settings
from tests.fixture_pairs import Pair, read_pairs

FIXTURES = Path(__file__).parent / "fixtures"
SETTINGS = {
    "names": Settings(),
    "read_only": Settings(),
    "excluded": Settings(exclude=("areas.secret", "camel")),
}


def differences(verdict: Verdict, pair: Pair) -> list[str]:
    found = []
    severity = {"noted": "note", "doubted": "doubt"}.get(pair.verdict)
    expected = "admitted" if severity else pair.verdict
    if verdict.outcome != expected:
        found.append(f"is {verdict.outcome}, not {pair.verdict} ({verdict.error})")
    if severity and [finding.severity for finding in verdict.findings] != [severity]:
        found.append(f"is admitted without one {severity}")
    expected_query = pair.query or pair.draft
    if verdict.query != expected_query:
        found.append(f"gives {verdict.query!r}, not {expected_query!r}")
    codes = ", ".join(f"{finding.code} {finding.check}" for finding in verdict.findings)
    if pair.findings and codes != pair.findings:
        found.append(f"finds {codes}, not {pair.findings}")
    if pair.verdict == "admitted" and verdict.findings:
        found.append(f"finds {codes} in a correct draft")
    if pair.message and (verdict.error is None or pair.message not in verdict.error.message):
        found.append(f"says {verdict.error}, not {pair.message!r}")
    return [f"{pair.name}: {pair.draft!r} {difference}" for difference in found]


@pytest.mark.parametrize("name", sorted(SETTINGS))
def test_each_draft_gets_its_verdict(name: str, guarded: Callable[..., tuple[str, Guard]]) -> None:
    engine, guard = guarded(SETTINGS[name])
    pairs = [p for p in read_pairs(FIXTURES / f"{name}.txt") if p.is_for(engine)]
    assert pairs
    wrong = [
        difference
        for pair in pairs
        for difference in differences(guard.check(pair.draft, pair.question or None), pair)
    ]
    assert not wrong, "\n".join(wrong)


def test_every_finding_has_evidence_and_a_place_in_the_draft(
    guarded: Callable[..., tuple[str, Guard]],
) -> None:
    engine, guard = guarded()
    for path in FIXTURES.glob("*.txt"):
        for pair in read_pairs(path):
            if pair.is_for(engine):
                for finding in guard.check(pair.draft).findings:
                    assert finding.evidence, pair.name
                    assert 0 <= finding.span[0] <= finding.span[1] <= len(pair.draft), pair.name
                    assert finding.message, pair.name

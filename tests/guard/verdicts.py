"""What a verdict has to be for a fixture pair, in either language."""

from __future__ import annotations

from collections.abc import Iterable

from groundwire.guard import Guard, Verdict
from tests.fixture_pairs import Pair


def wrong_verdicts(guard: Guard, pairs: Iterable[Pair]) -> list[str]:
    """How the verdicts on some pairs differ from what they say; [] where all hold."""
    return [
        difference
        for pair in pairs
        for difference in differences(guard.check(pair.draft, pair.question or None), pair)
    ]


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

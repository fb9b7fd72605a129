"""What a verdict has to be for a fixture pair, in either language."""

from __future__ import annotations

from collections.abc import Iterable

from groundwire.guard import Finding, Guard, Verdict
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
    found += [lack for finding in verdict.findings for lack in lacks(finding, pair.draft)]
    return [f"{pair.name}: {pair.draft!r} {difference}" for difference in found]


def lacks(finding: Finding, draft: str) -> list[str]:
    """What a finding lacks: each has evidence, a message and a place in its draft."""
    start, end = finding.span
    having = {
        "evidence": finding.evidence,
        "a message": finding.message,
        "a place in the draft": 0 <= start <= end <= len(draft),
    }
    return [f"finds {finding.code} without {what}" for what, has in having.items() if not has]

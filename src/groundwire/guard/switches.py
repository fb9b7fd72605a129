"""Components of the guard that are switched off, to measure what they are worth.

`Settings.without`: `statistics` leaves the checks that ask what is stored, `literal` the check of
literals among them, `fixes` leaves every draft as it is: what would be repaired is only said.
Read-only admission has no switch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from groundwire.guard.findings import Finding
from groundwire.settings import Settings

__all__ = ["switched_on", "unfixed"]

C = TypeVar("C", bound=Callable[..., list[Finding]])


def switched_on(checks: Sequence[C], settings: Settings) -> Sequence[C]:
    """The checks that ask what is stored, without those that are off."""
    if "statistics" in settings.without:
        return ()
    if "literal" in settings.without:
        return [check for check in checks if check.__name__ != "literal_not_stored"]
    return checks


def unfixed(findings: list[Finding], settings: Settings) -> list[Finding]:
    """The findings; where repairs are off, those that had one are doubts."""
    if "fixes" not in settings.without:
        return findings
    return [
        replace(finding, severity="doubt", edits=(), action="reported")
        if finding.edits
        else finding
        for finding in findings
    ]

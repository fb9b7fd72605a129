"""Admission control: a draft in, a verdict with its evidence out. Needs no model."""

from groundwire.guard.findings import Choice, Evidence, Finding, Outcome, Verdict
from groundwire.guard.guard import Guard
from groundwire.guard.taxonomy import FAMILIES, TAXONOMY, Fault

__all__ = [
    "FAMILIES",
    "TAXONOMY",
    "Choice",
    "Evidence",
    "Fault",
    "Finding",
    "Guard",
    "Outcome",
    "Verdict",
]

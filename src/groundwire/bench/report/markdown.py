"""The figures of runs as Markdown tables."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.bench.report.figures import Figures
from groundwire.bench.report.tables import Table, errors, groups, labels, overview

__all__ = ["markdown"]


def markdown(runs: Sequence[Figures]) -> str:
    """One row a run, then each run by database and by tier, and its errors."""
    names = labels(runs)
    parts = ["# Benchmark report", "", *_table(overview(names, runs))]
    for name, run in zip(names, runs, strict=True):
        parts += ["", f"## {_cell(name)}"]
        for table in groups(run):
            parts += ["", *_table(table)]
        if run.errors:
            parts += ["", *_table(errors(run))]
    return "\n".join([*parts, ""])


def _table(table: Table) -> list[str]:
    head, rows = table
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return lines + ["| " + " | ".join(map(_cell, row)) + " |" for row in rows]


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")

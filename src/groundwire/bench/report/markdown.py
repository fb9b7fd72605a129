"""The figures of runs as Markdown tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from groundwire.bench.report.figures import Figures, Group
from groundwire.bench.statistics import Estimate
from groundwire.guard.taxonomy import TAXONOMY

__all__ = ["code_name", "markdown", "share"]


def markdown(runs: Sequence[Figures]) -> str:
    """One row a run, then each run by database and by tier, and its errors."""
    parts = ["# Benchmark report", "", *_table(_HEAD, (_row(run) for run in runs))]
    for run in runs:
        parts += ["", f"## {_cell(run.configuration.label)} on {_cell(run.configuration.set)}"]
        for what, groups in (("database", run.by_database), ("tier", run.by_tier)):
            if groups:
                head = (what, "cases", "drafts right", "shown right", "wrong shown", "coverage")
                parts += ["", *_table(head, (_group(group) for group in groups))]
        if run.errors:
            rows = ((code, code_name(code), str(count)) for code, count in run.errors.items())
            parts += ["", *_table(("code", "wrong drafts", "cases"), rows)]
    return "\n".join([*parts, ""])


_HEAD = (
    "run",
    "set",
    "cases",
    "drafts right",
    "shown right",
    "coverage",
    "wrong shown",
    "right withheld",
    "helped",
    "harmed",
    "model calls",
    "probes",
)


def _row(run: Figures) -> tuple[str, ...]:
    matrix = run.admission
    return (
        run.configuration.label,
        run.configuration.set,
        f"{run.done:,}" + (f" of {run.cases:,}" if run.done < run.cases else ""),
        share(run.drafts.get("ex")),
        share(run.shown.get("ex")),
        f"{matrix.coverage:.1%}",
        str(len(matrix.wrong_shown)),
        str(len(matrix.right_withheld)),
        str(len(matrix.helped)),
        str(len(matrix.harmed)),
        _count(run.cost.get("model_calls")),
        _count(run.cost.get("probes")),
    )


def _group(group: Group) -> tuple[str, ...]:
    return (
        group.name,
        f"{group.cases:,}",
        share(group.drafts),
        share(group.shown),
        str(len(group.admission.wrong_shown)),
        f"{group.admission.coverage:.1%}",
    )


def share(found: Estimate | None) -> str:
    """A mean with its interval of 95 %, for a person."""
    if found is None:
        return "-"
    return f"{found.mean:.1%} ({found.low:.1%} to {found.high:.1%})"


def code_name(code: str) -> str:
    """The name of a taxonomy code."""
    return TAXONOMY[code].name if code in TAXONOMY else "no difference that is looked at"


def _count(value: float | None) -> str:
    return "-" if value is None else f"{value:,.0f}"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return lines + ["| " + " | ".join(map(_cell, row)) + " |" for row in rows]


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")

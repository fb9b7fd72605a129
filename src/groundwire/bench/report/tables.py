"""The tables of a report as texts, whatever they are written in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from groundwire.bench.report.figures import Figures, Group
from groundwire.bench.statistics import Estimate
from groundwire.guard.taxonomy import TAXONOMY

__all__ = ["Table", "errors", "groups", "labels", "overview", "share"]

Table: TypeAlias = tuple[tuple[str, ...], list[tuple[str, ...]]]
"""The head and the rows."""


def labels(runs: Sequence[Figures]) -> list[str]:
    """A name a run; numbered where two would be the same."""
    names = [run.label for run in runs]
    return [
        f"{name} ({place})" if names.count(name) > 1 else name
        for place, name in enumerate(names, 1)
    ]


def overview(names: Sequence[str], runs: Sequence[Figures]) -> Table:
    """A row a run: what was right, what was shown, what a repair did, what it cost."""
    head = (
        "run",
        "cases",
        "drafts right",
        "shown right",
        "coverage",
        "wrong shown",
        "of these wider",
        "right withheld",
        "helped",
        "harmed",
        "model calls",
        "probes",
    )
    return head, [_run(name, run) for name, run in zip(names, runs, strict=True)]


def groups(run: Figures) -> Iterator[Table]:
    """A run by database and by tier, where it has several."""
    for what, members in (("database", run.by_database), ("tier", run.by_tier)):
        if members:
            head = (what, "cases", "drafts right", "shown right", "wrong shown", "coverage")
            yield head, [_group(member) for member in members]


def errors(run: Figures) -> Table:
    """The wrong drafts by code."""
    return (
        ("code", "wrong drafts", "cases"),
        [(code, _code_name(code), str(count)) for code, count in run.errors.items()],
    )


def share(found: Estimate | None) -> str:
    """A mean with its interval of 95 %, for a person."""
    if found is None:
        return "-"
    return f"{found.mean:.1%} ({found.low:.1%} to {found.high:.1%})"


def _run(name: str, run: Figures) -> tuple[str, ...]:
    matrix = run.admission
    counts = (matrix.wrong_shown, matrix.wider, matrix.right_withheld, matrix.helped, matrix.harmed)
    return (
        name,
        f"{run.done:,}" + (f" of {run.cases:,}" if run.done < run.cases else ""),
        share(run.drafts.get("ex")),
        share(run.shown.get("ex")),
        f"{matrix.coverage:.1%}",
        *(str(len(ids)) for ids in counts),
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


def _code_name(code: str) -> str:
    return TAXONOMY[code].name if code in TAXONOMY else "no difference that is looked at"


def _count(value: float | None) -> str:
    return "-" if value is None else f"{value:,.0f}"

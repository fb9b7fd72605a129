"""The figures of a run, for a person or a program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.cli.output import console, print_json

if TYPE_CHECKING:
    from groundwire.bench.runs.folder import RunFolder
    from groundwire.bench.statistics import Estimate

__all__ = ["print_run"]


def print_run(folder: RunFolder, as_json: bool) -> None:
    """Print the figures of a run."""
    from groundwire.bench.report import figures

    found = figures(folder)
    if as_json:
        print_json(found.to_json())
        return
    from rich.table import Table

    table = Table("metric", "drafts", "shown", "cases", box=None, pad_edge=False)
    for name, draft in found.drafts.items():
        table.add_row(name, _said(draft), _said(found.shown.get(name)), f"{draft.count:,}")
    out, matrix = console(), found.admission
    out.print(table)
    risk = "nothing that can be decided" if matrix.risk is None else f"{matrix.risk:.1%}"
    out.print(
        f"{found.done:,} of {found.cases:,} cases; shown {matrix.coverage:.1%}, "
        f"of these wrong {risk}"
    )
    wider = f" ({len(matrix.wider)} but for further columns right)" if matrix.wider else ""
    out.print(
        f"Wrong answers shown {len(matrix.wrong_shown)}{wider}, right ones withheld "
        f"{len(matrix.right_withheld)}; repairs that helped {len(matrix.helped)}, "
        f"harmed {len(matrix.harmed)}"
    )


def _said(found: Estimate | None) -> str:
    return "-" if found is None else f"{found.mean:.3f} ({found.low:.3f} to {found.high:.3f})"

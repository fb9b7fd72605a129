"""`groundwire bench compare`: two runs, case by case."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.cli.bench.common import SeedOption
from groundwire.cli.exits import command
from groundwire.cli.options import JsonOption

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundwire.bench.runs.ablation import Row
    from groundwire.bench.runs.compare import Comparison

__all__ = ["compare", "print_ablation"]

SHOWN = 20
"""Ids that are listed."""


@command
def compare(
    first: Annotated[Path, typer.Argument(metavar="A", help="A run.", show_default=False)],
    second: Annotated[Path, typer.Argument(metavar="B", help="Another.", show_default=False)],
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Compare two runs over the cases that both have: paired, with intervals and McNemar's test."""
    from groundwire.bench.runs.compare import compare as pair
    from groundwire.bench.runs.folder import RunFolder

    one, other = RunFolder.open(first), RunFolder.open(second)
    found = pair(one.records, other.records, seed=seed)
    if as_json:
        from groundwire.cli.output import print_json

        labels = {"first_run": one.configuration.to_json()}
        print_json(labels | {"second_run": other.configuration.to_json()} | found.to_json())
        return
    _print(found, *(f"{run.path} ({run.configuration.label})" for run in (one, other)))


def _print(found: Comparison, first: str, second: str) -> None:
    from rich.table import Table

    from groundwire.cli.output import console

    out = console()
    out.print(f"A: {first}\nB: {second}\n{found.cases:,} cases in both")
    table = Table("metric", "A", "B", "B - A", box=None, pad_edge=False)
    for name, pair in found.metrics.items():
        table.add_row(name, str(pair.first), str(pair.second), str(pair.gain))
    out.print(table)
    for what, ids in (("Right in B only", found.gained), ("Right in A only", found.lost)):
        more = f" and {len(ids) - SHOWN} more" if len(ids) > SHOWN else ""
        out.print(f"{what}: {len(ids)}  {', '.join(ids[:SHOWN])}{more}".rstrip())
    wrong = (len(found.first.wrong_shown), len(found.second.wrong_shown))
    out.print(f"Wrong answers shown: {wrong[0]} in A, {wrong[1]} in B")
    out.print(f"McNemar's exact test: p {_p(found.test.p)}")


def print_ablation(rows: Sequence[Row]) -> None:
    """The drop-one table."""
    from rich.table import Table

    from groundwire.cli.output import console

    table = Table(
        "without", "ex", "loss", "p", "wrong shown", "right withheld", box=None, pad_edge=False
    )
    for row in rows:
        found = row.comparison
        pair = found.metrics.get("ex")
        table.add_row(
            row.component,
            str(pair.first) if pair else "-",
            str(pair.gain) if pair else "-",
            _p(found.test.p).removeprefix("= "),
            f"{len(found.first.wrong_shown)} (with: {len(found.second.wrong_shown)})",
            f"{len(found.first.right_withheld)} (with: {len(found.second.right_withheld)})",
        )
    console().print(table)


def _p(p: float) -> str:
    return "< 0.0001" if p < 0.0001 else f"= {p:.4f}"

"""`groundwire bench score`: two files in, numbers out. Nothing is repaired."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from groundwire.cli.bench.common import CopiesOption, DatabasesOption, open_scorer
from groundwire.cli.exits import command
from groundwire.cli.options import JsonOption, TimeoutOption

if TYPE_CHECKING:
    from groundwire.bench.scoring import Scored

__all__ = ["score"]


@command
def score(
    cases: Annotated[
        Path,
        typer.Argument(help="The cases: JSON lines or CSV.", metavar="CASES", show_default=False),
    ],
    predictions: Annotated[
        Path,
        typer.Option("--predictions", help='JSON lines: {"id", "query"}.', show_default=False),
    ],
    metrics: Annotated[
        str, typer.Option("--metrics", help="Names, comma-separated; without, the usual ones.")
    ] = "",
    databases: DatabasesOption = "",
    copies: CopiesOption = True,
    judge: Annotated[
        str | None,
        typer.Option(
            "--judge",
            help="provider:name of a model that decides borderline cases (hybrid, sq).",
            show_default=False,
        ),
    ] = None,
    timeout: TimeoutOption = None,
    as_json: JsonOption = False,
) -> None:
    """Score predicted queries against gold queries: every metric, and why.

    With --json a line each case, `{"id", every metric, "why"}`, then `{"summary": …}`.
    """
    from groundwire.bench.case import read_predictions
    from groundwire.bench.datasets import DATASETS
    from groundwire.bench.judge import open_judge
    from groundwire.bench.metrics import choose
    from groundwire.bench.scoring import score_all
    from groundwire.bench.summary import summarize
    from groundwire.settings import Settings

    chosen, own = choose(metrics), DATASETS["own"]
    read, answers = own.load(cases), read_predictions(predictions)
    settings = Settings.from_environment()
    if timeout is not None:
        settings = replace(settings, query_timeout=timeout)
    judging = open_judge(judge) if judge else nullcontext(None)
    with (
        judging as model,
        open_scorer(
            read,
            databases or own.where(cases),
            chosen,
            settings=settings,
            copies=copies,
            judge=model,
        ) as scorer,
    ):
        scored = []
        for one in score_all(scorer, read, answers):
            scored.append(one)
            _tell(one, as_json)
    summary = summarize(scored, chosen)
    if as_json:
        _print_line({"summary": summary})
    else:
        _print_summary(summary, list(chosen))


def _tell(one: Scored, as_json: bool) -> None:
    if as_json:
        _print_line(one.to_json())
    elif one.mark or not all(value in (None, 1, 0) for value in one.values.values()):
        typer.echo(f"{one.id or '(no id)'}: {one.why}")
    elif one.values.get("multiset", one.values.get("executable")) != 1:
        typer.echo(f"{one.id}: {one.why}")


def _print_line(entry: dict[str, Any]) -> None:
    from groundwire.cli.output import print_json

    print_json(entry)
    sys.stdout.flush()


def _print_summary(summary: dict[str, Any], names: list[str]) -> None:
    from rich.table import Table

    from groundwire.cli.output import console

    table = Table("metric", "mean", "95 % interval", "cases", box=None, pad_edge=False)
    for name in names:
        if summary[name] is None:
            table.add_row(name, "-", "", "0")
            continue
        low, high = summary["intervals"][name]
        counted = summary["counted"][name]
        table.add_row(name, f"{summary[name]:.3f}", f"{low:.3f} to {high:.3f}", f"{counted:,}")
    marked = ", ".join(f"{count} by {mark}" for mark, count in summary["marked"].items())
    console().print(table)
    console().print(f"{summary['cases']:,} cases; at fault: {marked or 'none'}")

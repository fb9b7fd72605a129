"""`groundwire bench report`: one page and a Markdown table of several runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from groundwire.cli.exits import command
from groundwire.errors import StorageError

__all__ = ["report"]


@command
def report(
    runs: Annotated[
        list[Path], typer.Argument(metavar="RUN…", help="Folders of runs.", show_default=False)
    ],
    to: Annotated[
        Path, typer.Option("--to", help="The HTML page; the Markdown stands beside it.")
    ] = Path("report.html"),
) -> None:
    """Write a page that needs nothing else: scores with intervals, risk by coverage, errors by
    kind, the worst cases with their evidence."""
    from groundwire.bench.report import figures, markdown, page
    from groundwire.bench.runs.folder import RunFolder

    found = [figures(RunFolder.open(run)) for run in runs]
    beside = to.with_suffix(".md")
    try:
        to.write_text(page(found), encoding="utf-8")
        beside.write_text(markdown(found), encoding="utf-8")
    except OSError as error:
        raise StorageError(f"The report cannot be written: {error}.") from error
    typer.echo(f"{to}\n{beside}")

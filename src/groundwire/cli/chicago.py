"""`groundwire chicago`: the worked example's data, made or loaded."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from groundwire.cli.exits import command
from groundwire.cli.options import JsonOption

__all__ = ["app"]

app = typer.Typer(
    help="The Chicago crime data: load the city's export, or make a synthetic one.",
    no_args_is_help=True,
)


@app.command()
@command
def generate(
    out: Annotated[Path, typer.Argument(help="The CSV file to write; .csv.gz is compressed.")],
    rows: Annotated[int, typer.Option("--rows", help="How many crimes.")] = 100_000,
    seed: Annotated[int, typer.Option("--seed", help="The same seed gives the same data.")] = 1,
    today: Annotated[
        datetime | None,
        typer.Option(
            formats=["%Y-%m-%d"], help="The day on which the data ends.", show_default=False
        ),
    ] = None,
) -> None:
    """Make synthetic crimes with the columns of the city portal's export."""
    from groundwire.cli.output import console
    from groundwire.cli.progress import bar
    from groundwire.packs.chicago.synthetic.generator import generate as make

    with bar() as advance:
        made = make(rows, seed, out, today=today.date() if today else None, progress=advance)
    size = made.size / 1e6
    console().print(
        f"Wrote {made.rows:,} synthetic crimes ({size:,.1f} MB) to {made.path}"
        f" in {made.seconds:.1f} s.",
        soft_wrap=True,
    )


@app.command()
@command
def load(
    file: Annotated[
        Path,
        typer.Argument(help='The portal\'s export "Crimes - 2001 to Present": .csv or .csv.gz.'),
    ],
    into: Annotated[str, typer.Option("--into", help="The database's URL.", show_default=False)],
    as_json: JsonOption = False,
) -> None:
    """Clean an export and load it; every line is accounted for, and nothing is loaded twice."""
    from groundwire.cli.output import console, print_json
    from groundwire.cli.progress import bar
    from groundwire.packs.chicago.loading.loader import load as load_file

    with bar() as advance:
        report = load_file(file, into, progress=advance)
    if as_json:
        print_json(report.to_json())
    else:
        console().print(report.summary, soft_wrap=True, markup=False)

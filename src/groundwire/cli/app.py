"""The commands, put together."""

from __future__ import annotations

import typer

from groundwire.cli.ask import ask
from groundwire.cli.check import check
from groundwire.cli.doctor import doctor
from groundwire.cli.inspect import schema

__all__ = ["app"]

app = typer.Typer(
    name="groundwire",
    help="Ask a database in plain English; a query runs only on the database's own evidence.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for function in (ask, check, schema, doctor):
    app.command()(function)

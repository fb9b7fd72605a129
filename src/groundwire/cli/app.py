"""The commands, put together."""

from __future__ import annotations

import typer

from groundwire.cli import bench, chicago, graph
from groundwire.cli.ask import ask
from groundwire.cli.chat import chat
from groundwire.cli.check import check
from groundwire.cli.demo import demo
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
for function in (ask, chat, check, schema, doctor, demo):
    app.command()(function)
app.add_typer(bench.app, name="bench")
app.add_typer(chicago.app, name="chicago")
app.add_typer(graph.app, name="graph")

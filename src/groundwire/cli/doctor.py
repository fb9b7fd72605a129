"""`groundwire doctor`: is the database there, what may the role do, what is installed."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from groundwire.cli.exits import command
from groundwire.cli.options import JsonOption, UrlArgument, open_database
from groundwire.counted import counted
from groundwire.errors import GroundwireError

if TYPE_CHECKING:
    from groundwire.database import Database

__all__ = ["doctor"]

State = Literal["ok", "warning", "problem"]
_MARKS = {"ok": ("✓", "green"), "warning": ("!", "yellow bold"), "problem": ("✗", "red bold")}
_EXTRAS = {
    "postgres": ("psycopg", "PostgreSQL"),
    "neo4j": ("neo4j", "Neo4j"),
    "kglite": ("kglite", "embedded graphs"),
    "charts": ("altair", "charts as files"),
    "embed": ("wordllama", "the similarity of questions without a model"),
    "openai": ("langchain_openai", "models that speak the OpenAI protocol"),
    "anthropic": ("langchain_anthropic", "Anthropic models"),
    "groq": ("langchain_groq", "Groq models"),
    "ollama": ("langchain_ollama", "local Ollama models"),
}


@dataclass(frozen=True, slots=True)
class Sign:
    """One thing that was looked at, in words."""

    state: State
    what: str
    remedy: str = ""


@command
def doctor(
    url: UrlArgument,
    model: Annotated[str | None, typer.Option(help="Also look at this model.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Look at the connection, the rights of the role and what is installed, each in words."""
    signs = [*_database(url), *_drivers(), *_model(model)]
    if as_json:
        from dataclasses import asdict

        from groundwire.cli.output import print_json

        print_json({"signs": [asdict(sign) for sign in signs]})
    else:
        _print(signs)
    raise typer.Exit(4 if any(sign.state == "problem" for sign in signs) else 0)


def _database(url: str) -> list[Sign]:
    try:
        with open_database(url) as database:
            signs = [Sign("ok", f"Connected to {database.server_version()} at {database.url}.")]
            return [*signs, *_catalog(database), *_rights(database)]
    except GroundwireError as error:
        return [Sign("problem", error.message, error.hint)]


def _catalog(database: Database) -> list[Sign]:
    from groundwire.database import SqlDatabase

    if not isinstance(database, SqlDatabase):
        return _graph_catalog(database)
    tables = database.catalog().tables
    if not tables:
        return [Sign("warning", "There is no table that this role can read.")]
    columns = counted(sum(len(table.columns) for table in tables), "column")
    return [Sign("ok", f"{counted(len(tables), 'table')} with {columns} can be read.")]


def _graph_catalog(database: Database) -> list[Sign]:
    from groundwire.database.graph import GraphDatabase

    if not isinstance(database, GraphDatabase):
        return []
    catalog = database.catalog()
    if not catalog.labels:
        return [Sign("warning", "There is no node that can be read.")]
    labels = counted(len(catalog.labels), "label")
    types = counted(len(catalog.types), "relationship type")
    return [Sign("ok", f"{labels} and {types} can be read.")]


def _rights(database: Database) -> list[Sign]:
    from groundwire.database import CanReportRights

    if not isinstance(database, CanReportRights):
        return [Sign("ok", "The file is opened read-only.")]
    rights = database.rights()
    if rights.superuser or rights.can_write:
        kind = "is a superuser" if rights.superuser else "could change data"
        warning = (
            f"The role {rights.role} {kind}. Groundwire only reads, but give it a role that"
            " can do nothing else."
        )
        return [Sign("warning", " ".join((warning, *rights.details)), rights.remedy)]
    return [Sign("ok", f"The role {rights.role} can only read.")]


def _drivers() -> list[Sign]:
    signs = []
    for extra, (module, purpose) in _EXTRAS.items():
        if find_spec(module) is None:
            remedy = f"pip install 'groundwire[{extra}]'"
            signs.append(Sign("ok", f"Not installed: {purpose} ({remedy})."))
        else:
            signs.append(Sign("ok", f"Installed: {purpose}."))
    return signs


def _model(name: str | None) -> list[Sign]:
    if name is None:
        return []
    import asyncio

    from groundwire.draft.model import Message, open_model

    async def ask() -> str:
        model = open_model(name)
        try:
            reply = await model.complete([Message("user", "Reply with the word: ready")])
        finally:
            await model.aclose()
        return f"The model {model.name} answers in {reply.seconds:.1f} s."

    try:
        return [Sign("ok", asyncio.run(ask()))]
    except GroundwireError as error:
        return [Sign("problem", error.message, error.hint)]


def _print(signs: list[Sign]) -> None:
    from rich.text import Text

    from groundwire.cli.output import console

    out = console()
    for sign in signs:
        mark, style = _MARKS[sign.state]
        out.print(
            Text.assemble((f"{mark} ", style), (sign.what, "" if sign.state == "ok" else style)),
            soft_wrap=True,
        )
        if sign.remedy:
            out.print(
                Text("\n".join(f"    {line}" for line in sign.remedy.splitlines())), soft_wrap=True
            )

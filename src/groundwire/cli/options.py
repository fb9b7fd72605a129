"""The options that several commands share, and the database they describe."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.settings import Settings

if TYPE_CHECKING:
    from groundwire.database import Database

__all__ = [
    "ExcludeOption",
    "JsonOption",
    "ModelOption",
    "RowsOption",
    "SchemaOnlyOption",
    "SchemasOption",
    "TimeoutOption",
    "UrlArgument",
    "open_database",
]

UrlArgument = Annotated[
    str,
    typer.Argument(
        metavar="URL",
        help="The database: duckdb:///file, sqlite:///file, postgresql://user@host/name, "
        "neo4j://host, kglite:///file.",
        show_default=False,
    ),
]
SchemasOption = Annotated[
    str, typer.Option("--schemas", help="Read only these schemas (comma-separated).")
]
ExcludeOption = Annotated[
    list[str] | None,
    typer.Option(
        "--exclude",
        help="Hide a table, table.column or glob from everything; repeatable.",
        show_default=False,
    ),
]
RowsOption = Annotated[
    int | None, typer.Option("--max-rows", min=1, help="Rows fetched at most.", show_default="1000")
]
TimeoutOption = Annotated[
    float | None,
    typer.Option("--timeout", min=0.001, help="Seconds for one query.", show_default="30"),
]
ModelOption = Annotated[
    str | None,
    typer.Option(
        "--model",
        help="provider:name (openai, anthropic, groq, ollama), or openai:name@URL for any "
        "server that speaks the OpenAI protocol; without one, the offline drafter.",
        show_default=False,
    ),
]
SchemaOnlyOption = Annotated[
    bool, typer.Option("--schema-only", help="Send no stored value to the model.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def open_database(
    url: str,
    schemas: str = "",
    exclude: list[str] | None = None,
    max_rows: int | None = None,
    timeout: float | None = None,
) -> Database:
    """Connect with the settings of the environment and the options of the command."""
    from groundwire.database import connect

    settings = Settings.from_environment()
    if schemas:
        names = tuple(name.strip() for name in schemas.split(",") if name.strip())
        settings = replace(settings, schemas=names)
    if exclude:
        settings = replace(settings, exclude=(*settings.exclude, *exclude))
    if max_rows is not None:
        settings = replace(settings, max_rows=max_rows)
    if timeout is not None:
        settings = replace(settings, query_timeout=timeout)
    return connect(url, settings)

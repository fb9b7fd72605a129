"""The options that several commands share, and the database they describe."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.settings import Settings

if TYPE_CHECKING:
    from groundwire.database import Database
    from groundwire.draft.exemplars import Exemplars

__all__ = [
    "EmbeddingsOption",
    "ExamplesOption",
    "ExcludeOption",
    "JsonOption",
    "ModelOption",
    "OwnExamplesOption",
    "RowsOption",
    "SchemaOnlyOption",
    "SchemasOption",
    "TimeoutOption",
    "UrlArgument",
    "open_database",
    "read_exemplars",
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
ExamplesOption = Annotated[
    Path | None,
    typer.Option(
        "--examples",
        metavar="FILE",
        envvar="GROUNDWIRE_EXAMPLES",
        help="Solved questions, JSON lines or CSV with question and query; those most like the "
        "question are shown to the model.",
        show_default=False,
    ),
]
OwnExamplesOption = Annotated[
    bool,
    typer.Option("--own-examples", help="Use also the examples that name this very database."),
]
EmbeddingsOption = Annotated[
    str | None,
    typer.Option(
        "--embeddings",
        envvar="GROUNDWIRE_EMBEDDINGS",
        help="openai:name or openai:name@URL, to compare questions by a server's embedding; "
        "without one, the offline embedding.",
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


def read_exemplars(file: Path | None, own: bool, embeddings: str | None) -> Exemplars | None:
    """The solved questions of the options; None = those of the pack alone, compared offline."""
    if file is None and embeddings is None:
        return None
    from groundwire.draft.exemplars import Exemplars, open_embeddings

    if file is None:
        return Exemplars(embedder=open_embeddings(embeddings))
    return Exemplars.read(file, embeddings=embeddings, own=own)

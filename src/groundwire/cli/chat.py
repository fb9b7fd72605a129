"""`groundwire chat`: a conversation, kept so that it can be gone on with."""

from __future__ import annotations

from typing import Annotated

import typer

from groundwire.cli.ask import answer_in_terminal
from groundwire.cli.exits import command
from groundwire.cli.options import (
    EmbeddingsOption,
    ExamplesOption,
    ExcludeOption,
    ModelOption,
    OwnExamplesOption,
    RowsOption,
    SchemaOnlyOption,
    SchemasOption,
    TimeoutOption,
    UrlArgument,
    open_database,
    read_exemplars,
)
from groundwire.errors import AskerError

__all__ = ["chat"]


@command
def chat(
    url: UrlArgument,
    model: ModelOption = None,
    session: Annotated[
        str, typer.Option("--session", help="The name of the conversation.")
    ] = "default",
    store: Annotated[
        str,
        typer.Option(help="Where it is kept: sqlite:///file or postgresql://…", show_default=False),
    ] = "",
    examples: ExamplesOption = None,
    own_examples: OwnExamplesOption = False,
    embeddings: EmbeddingsOption = None,
    schema_only: SchemaOnlyOption = False,
    schemas: SchemasOption = "",
    exclude: ExcludeOption = None,
    max_rows: RowsOption = None,
    timeout: TimeoutOption = None,
) -> None:
    """Ask question after question; a follow-up ("and last year?") knows what came before.

    A conversation that was killed in the middle of a question goes on with it.
    """
    from groundwire.ask import Options, pending_question
    from groundwire.cli.answer import print_answer
    from groundwire.cli.output import console, print_error
    from groundwire.session import Session

    out, exemplars = console(), read_exemplars(examples, own_examples, embeddings)
    options = Options(schema_only=schema_only, exemplars=exemplars)
    conversation = Session(session, store)
    with open_database(url, schemas, exclude, max_rows, timeout) as database:
        out.print("Ask a question; an empty line ends the conversation.", style="dim")
        left = pending_question(conversation)
        if left is not None:
            out.print(f"Going on with: {left}", style="italic")
        while True:
            question = None if left is not None else _read_question()
            if left is None and not question:
                return
            left = None
            try:
                answer = answer_in_terminal(database, question, model, options, conversation)
            except AskerError as error:
                print_error(error)
                continue
            print_answer(answer)


def _read_question() -> str:
    try:
        return input("\n> ").strip()
    except EOFError:
        return ""

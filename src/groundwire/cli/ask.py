"""`groundwire ask`: one question, one answer."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from groundwire.cli.exits import EXIT_CODES, command, exit_for
from groundwire.cli.options import (
    EmbeddingsOption,
    ExamplesOption,
    ExcludeOption,
    JsonOption,
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
from groundwire.errors import GroundwireError, UsageError

if TYPE_CHECKING:
    from groundwire.answer.answer import Answer
    from groundwire.ask import Options
    from groundwire.database import Database
    from groundwire.session import Session

__all__ = ["answer_in_terminal", "ask"]

CHARTS = (".png", ".svg", ".html", ".json")
STEPS = {
    "rewrite": "Reading the question",
    "check_relevance": "Reading the catalog",
    "fetch_catalog": "Writing a query",
    "draft": "Checking the query",
    "validate": "Running the query",
    "repair": "Checking the rewritten query",
    "run": "Wording the answer",
}
"""What goes on once a step has ended."""


@command
def ask(
    url: UrlArgument,
    question: Annotated[str, typer.Argument(help="In plain English.", show_default=False)],
    model: ModelOption = None,
    as_json: JsonOption = False,
    trace: Annotated[
        bool, typer.Option("--trace", help="Show every step, probe and time.")
    ] = False,
    chart: Annotated[
        Path | None, typer.Option(help="Also draw the answer: FILE.png, .svg, .html or .json.")
    ] = None,
    examples: ExamplesOption = None,
    own_examples: OwnExamplesOption = False,
    embeddings: EmbeddingsOption = None,
    schema_only: SchemaOnlyOption = False,
    schemas: SchemasOption = "",
    exclude: ExcludeOption = None,
    max_rows: RowsOption = None,
    timeout: TimeoutOption = None,
) -> None:
    """Ask a database a question.

    Exit code: 0 answered, 3 refused or asked back, 4 failed.
    """
    from groundwire.ask import Options

    if chart is not None and chart.suffix.lower() not in CHARTS:
        raise UsageError(
            f"A chart cannot be written as {chart.suffix or 'a file without an ending'}.",
            hint=f"Use one of {', '.join(CHARTS)}.",
        )
    try:
        exemplars = read_exemplars(examples, own_examples, embeddings)
        options = Options(schema_only=schema_only, exemplars=exemplars)
        with open_database(url, schemas, exclude, max_rows, timeout) as database:
            answer = answer_in_terminal(database, question, model, options, quiet=as_json)
    except GroundwireError as error:
        if as_json:
            from groundwire.cli.output import print_json

            print_json(failed_json(question, model, error))
            raise typer.Exit(exit_for(error)) from error
        raise
    if as_json:
        from groundwire.cli.output import print_json

        print_json(answer.to_json(trace=trace))
    else:
        from groundwire.cli.answer import print_answer

        print_answer(answer, trace=trace)
    if chart is not None:
        draw(answer, chart)
    raise typer.Exit(0 if answer.answered else EXIT_CODES[answer.outcome])


def answer_in_terminal(
    database: Database,
    question: str | None,
    model: str | None,
    options: Options,
    session: Session | None = None,
    *,
    quiet: bool = False,
) -> Answer:
    """Ask, with a line that says what goes on; Ctrl-C stops the model and the server."""
    from groundwire.ask import astream
    from groundwire.cli.output import console

    async def answer() -> Answer:
        with console(stderr=True).status("Reading the question", spinner="line") as status:
            if quiet:
                status.stop()
            events = astream(database, question, model, session=session, options=options)
            async with aclosing(events):
                async for event in events:
                    if event.answer is not None:
                        return event.answer
                    if event.kind == "step":
                        status.update(STEPS.get(event.data["node"], "Working"))
        raise AssertionError("the pipeline ended without an answer")

    return asyncio.run(answer())


def failed_json(question: str, model: str | None, error: GroundwireError) -> dict[str, Any]:
    """The JSON of a question that never reached a database."""
    from groundwire.answer.answer import Answer
    from groundwire.answer.failure import failure_sentence

    outcome: Any = "refused" if error.who == "asker" else "failed"
    sentence = failure_sentence(outcome, error)
    answer = Answer(question, outcome, sentence, drafter=model or "offline", error=error)
    return answer.to_json()


def draw(answer: Answer, path: Path) -> None:
    """Save the chart of an answer; says so where the result suits none."""
    from groundwire.answer.charts import save_chart
    from groundwire.cli.output import console

    out = console(stderr=True)
    if answer.chart is None:
        out.print("The result suits no chart, so none was drawn.")
        return
    save_chart(answer.chart, path)
    out.print(f"Drew {path}.", soft_wrap=True)

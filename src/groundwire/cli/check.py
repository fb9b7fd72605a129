"""`groundwire check`: judge drafts without a model; one, or a batch."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from groundwire.cli.exits import EXIT_CODES, command, exit_for
from groundwire.cli.options import (
    ExcludeOption,
    JsonOption,
    RowsOption,
    SchemasOption,
    TimeoutOption,
    UrlArgument,
    open_database,
)
from groundwire.errors import GroundwireError, UsageError

if TYPE_CHECKING:
    from groundwire.database import Database
    from groundwire.guard.findings import Verdict

__all__ = ["check"]

_ORDER = ("admitted", "repaired", "asked", "refused", "failed")


@command
def check(
    url: UrlArgument,
    text: Annotated[
        str | None, typer.Argument(help="The query; `-` reads standard input.", show_default=False)
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option("--file", help='A batch: {"id", "draft", "question"?, "params"?} a line.'),
    ] = None,
    question: Annotated[str | None, typer.Option(help="What the query is to answer.")] = None,
    run: Annotated[bool, typer.Option("--run", help="Run what is admitted, add the rows.")] = False,
    as_json: JsonOption = False,
    schemas: SchemasOption = "",
    exclude: ExcludeOption = None,
    max_rows: RowsOption = None,
    timeout: TimeoutOption = None,
) -> None:
    """Judge a query on the database's own evidence, without running it.

    Exit code: 0 admitted, 1 repaired, 3 refused or asked, 4 failed; the worst of a batch.
    """
    if (text is None) == (file is None):
        raise UsageError(
            "Give one query, or --file with a batch.",
            hint="For example: groundwire check URL 'SELECT 1'.",
        )
    from groundwire.cli.output import print_json, print_verdict

    draft = _read(text or "")
    try:
        with open_database(url, schemas, exclude, max_rows, timeout) as database:
            if file is not None:
                raise typer.Exit(_batch(database, file, run=run))
            verdict = judge(database, draft, question, run=run)
            if as_json:
                print_json(verdict_json(verdict, database, question))
            else:
                print_verdict(verdict, database.language)
    except GroundwireError as error:
        if as_json:
            print_json({"verdict": "failed", "draft": draft, "error": error.to_json()})
            raise typer.Exit(exit_for(error)) from error
        raise
    raise typer.Exit(EXIT_CODES[verdict.outcome])


def judge(
    database: Database,
    draft: str,
    question: str | None = None,
    parameters: Any = None,
    *,
    run: bool = False,
) -> Verdict:
    """The guard's verdict; with `run`, the rows of what it admits."""
    from groundwire.guard import Guard

    guard = Guard(database)
    verdict = guard.check(draft, question, parameters)
    if not (run and verdict.ok):
        return verdict
    try:
        result = database.execute(verdict.query, parameters)
        examined = guard.examine(verdict, result, question, parameters)
        return replace(examined, result=result)
    except GroundwireError as error:
        return replace(verdict, outcome="failed", error=error)


def verdict_json(
    verdict: Verdict, database: Database, question: str | None = None
) -> dict[str, Any]:
    """The keys of `ask --json` that apply to a verdict."""
    described: dict[str, Any] = {
        "question": question,
        "language": database.language,
        "dialect": database.dialect,
        "verdict": verdict.outcome,
        "draft": verdict.draft,
        "query": verdict.query,
        "findings": [finding.to_json() for finding in verdict.findings],
        "choices": [choice.to_json() for choice in verdict.choices],
        "unchecked": list(verdict.unchecked),
        "error": verdict.error.to_json() if verdict.error else None,
        "cost": {
            "probes": verdict.probes,
            "executions": int(verdict.result is not None),
            "seconds": round(verdict.seconds, 6),
        },
    }
    if verdict.result is not None:
        described |= verdict.result.to_json()
    return described


def _read(text: str) -> str:
    return sys.stdin.read() if text == "-" else text


def _batch(database: Database, file: Path, *, run: bool) -> int:
    from groundwire.cli.output import print_json

    worst = "admitted"
    for number, line in _lines(file):
        described = _one_of_batch(database, number, line, run=run)
        worst = max(worst, described["verdict"], key=_ORDER.index)
        print_json(described)
        sys.stdout.flush()
    return EXIT_CODES[worst]  # type: ignore[index]


def _one_of_batch(database: Database, number: int, line: str, *, run: bool) -> dict[str, Any]:
    entry: Any = None
    try:
        entry = json.loads(line)
        if not isinstance(entry, dict) or not isinstance(entry.get("draft"), str):
            raise ValueError('an object with "id" and "draft" is expected')
        if not isinstance(entry.get("question"), str | None):
            raise ValueError('"question" must be a text')
    except ValueError as error:
        problem = UsageError(f"Line {number} of the batch is not usable: {error}.")
        identity = entry.get("id") if isinstance(entry, dict) else None
        return {"id": identity, "verdict": "failed", "error": problem.to_json()}
    verdict = judge(database, entry["draft"], entry.get("question"), entry.get("params"), run=run)
    described = verdict_json(verdict, database, entry.get("question"))
    return {"id": entry.get("id"), **described}


def _lines(file: Path) -> Iterator[tuple[int, str]]:
    try:
        stream = sys.stdin if str(file) == "-" else file.open(encoding="utf-8")
        with stream:
            for number, line in enumerate(stream, 1):
                if line.strip():
                    yield number, line
    except OSError as error:
        raise UsageError(f"The batch {file} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"The batch {file} is not UTF-8 text.") from error

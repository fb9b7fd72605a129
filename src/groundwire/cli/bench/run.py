"""`groundwire bench run`, `export` and `import`: ask a drafter every case of a set."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.cli.bench.common import (
    DatabasesOption,
    DataOption,
    LimitOption,
    SeedOption,
    SetArgument,
    drawn,
    open_scorer,
    read_set,
)
from groundwire.cli.exits import command
from groundwire.cli.options import (
    EmbeddingsOption,
    ExamplesOption,
    JsonOption,
    ModelOption,
    SchemaOnlyOption,
    read_exemplars,
)
from groundwire.errors import UsageError
from groundwire.settings import COMPONENTS, Settings

if TYPE_CHECKING:
    from groundwire.bench.runs.asking import Asked
    from groundwire.bench.runs.configuration import Configuration
    from groundwire.bench.runs.folder import RunFolder
    from groundwire.bench.runs.record import Record
    from groundwire.draft.exemplars import Exemplars

__all__ = ["export", "import_", "progress", "run", "settings_of"]

RunArgument = Annotated[
    Path, typer.Argument(metavar="RUN", help="The folder of a run.", show_default=False)
]
ToOption = Annotated[
    Path, typer.Option("--to", help="The folder of the run, made or gone on with.")
]


@command
def run(
    set: SetArgument,
    to: ToOption,
    model: ModelOption = None,
    data: DataOption = None,
    databases: DatabasesOption = "",
    prompt: Annotated[
        str, typer.Option("--prompt", help="default, paper-v1 (row limit) or paper-v2.")
    ] = "default",
    no_rules: Annotated[bool, typer.Option("--no-rules", help="No rules in the prompt.")] = False,
    no_few_shot: Annotated[
        bool, typer.Option("--no-few-shot", help="No solved questions in the prompt.")
    ] = False,
    no_shapes: Annotated[
        bool, typer.Option("--no-shapes", help="No query shapes in the prompt.")
    ] = False,
    no_literal: Annotated[
        bool, typer.Option("--no-literal", help="No grounding of literals.")
    ] = False,
    no_loop: Annotated[bool, typer.Option("--no-loop", help="No draft goes back.")] = False,
    no_fixes: Annotated[
        bool, typer.Option("--no-fixes", help="The guard repairs nothing.")
    ] = False,
    no_statistics: Annotated[
        bool, typer.Option("--no-statistics", help="The guard asks nothing of the stored rows.")
    ] = False,
    zero_shot: Annotated[
        bool, typer.Option("--zero-shot", help="All of these: schema and question alone.")
    ] = False,
    examples: ExamplesOption = None,
    embeddings: EmbeddingsOption = None,
    schema_only: SchemaOnlyOption = False,
    narrate: Annotated[
        bool, typer.Option("--narrate", help="Let the model word the sentence (one call more).")
    ] = False,
    limit: LimitOption = 0,
    seed: SeedOption = 0,
    at_once: Annotated[int, typer.Option("--at-once", min=1, help="Cases under way.")] = 4,
    per_minute: Annotated[
        float, typer.Option("--per-minute", min=0, help="Calls to the model; 0 = no bound.")
    ] = 0.0,
    batch: Annotated[
        bool, typer.Option("--batch", help="Call no model: prompts wait for `bench export`.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Ask every case, score draft and answer, keep everything in a folder.

    Killed at any moment, the same command goes on where it was; no reply is paid twice.
    """
    flags = {
        "rules": no_rules,
        "few-shot": no_few_shot,
        "shapes": no_shapes,
        "literal": no_literal,
        "loop": no_loop,
        "fixes": no_fixes,
        "statistics": no_statistics,
    }
    if batch and model is None:
        raise UsageError("--batch needs --model.", hint="The model that will answer the prompts.")
    sample = read_set(set, data, databases)
    sample.tell()
    if not sample.cases:
        raise UsageError(f"There is no case in {set}.", hint="Its lines are told above.")
    from groundwire.bench.runs.configuration import Configuration
    from groundwire.bench.runs.folder import RunFolder

    configuration = Configuration(
        set=set,
        drafter=model or "offline",
        prompt=prompt,
        without=tuple(name for name in COMPONENTS if zero_shot or flags[name]),
        limit=limit,
        seed=seed,
        schema_only=schema_only,
        narrate=narrate,
        **_here(),
    )
    folder = RunFolder.begin(to, configuration, drawn(sample.cases, limit, seed))
    exemplars = read_exemplars(examples, True, embeddings)
    with folder.held():
        asked = _ask(
            folder,
            sample.databases,
            model=None if batch else model,
            exemplars=exemplars,
            at_once=at_once,
            per_minute=per_minute,
        )
    _tell(folder, asked, as_json)


@command
def export(
    run: RunArgument,
    to: Annotated[Path, typer.Option("--to", help="The file of requests (JSON lines).")],
    data: DataOption = None,
    databases: DatabasesOption = "",
) -> None:
    """Write every prompt that has no reply yet, as a provider's batch wants them."""
    from groundwire.bench.runs.batch import export_requests
    from groundwire.bench.runs.folder import RunFolder
    from groundwire.draft.model import ModelSettings

    folder = RunFolder.open(run)
    sample = read_set(folder.configuration.set, data, databases)
    with folder.held():
        asked = _ask(folder, sample.databases)
        settings = ModelSettings.from_environment()
        count = export_requests(folder, asked.pending, to, settings)
    done = len(folder.records)
    typer.echo(f"{count:,} prompts are pending; {done:,} of {len(folder.cases):,} cases are done.")


@command
def import_(
    run: RunArgument,
    replies: Annotated[Path, typer.Argument(help="The file of replies.", show_default=False)],
) -> None:
    """Read the replies to exported prompts; `export` again for what they lead to."""
    from groundwire.bench.runs.batch import import_replies
    from groundwire.bench.runs.folder import RunFolder
    from groundwire.draft.model import ModelSettings

    folder = RunFolder.open(run)
    with folder.held():
        found = import_replies(folder, replies, ModelSettings.from_environment())
    for sentence in found.unusable:
        typer.echo(f"Not used: {sentence}.", err=True)
    typer.echo(f"{found.replies:,} new replies were read.")


def _here() -> dict[str, str]:
    return {
        "now": datetime.now().astimezone().isoformat(),
        "policy": Settings.from_environment().policy,
        "version": version("groundwire"),
    }


def settings_of(configuration: Configuration) -> Settings:
    """The settings of the environment under the configuration of a run."""
    settings = Settings.from_environment()
    return replace(settings, without=configuration.without, policy=configuration.policy)


def _ask(
    folder: RunFolder,
    databases: str,
    *,
    model: str | None = None,
    exemplars: Exemplars | None = None,
    at_once: int = 4,
    per_minute: float = 0.0,
) -> Asked:
    """Ask what is not done; a drafter that is a model but is not given answers from the journal."""
    from groundwire.bench.runs.asking import Asker
    from groundwire.bench.runs.grading import RUN_METRICS
    from groundwire.bench.runs.recording import Pace, RecordedModel
    from groundwire.draft.model import ModelSettings, open_model

    name = folder.configuration.drafter
    recorded = None
    if name != "offline":
        inner = open_model(model) if model else None
        limits = ModelSettings.from_environment()
        recorded = RecordedModel(name, inner, folder.journal, Pace(per_minute), limits)
    settings = settings_of(folder.configuration)
    with (
        open_scorer(folder.cases, databases, RUN_METRICS, settings=settings) as scorer,
        progress(folder) as on_record,
    ):
        asker = Asker(
            folder,
            scorer,
            recorded,
            exemplars=exemplars,
            at_once=at_once,
            on_record=on_record,
        )
        return asyncio.run(asker.run())


@contextmanager
def progress(folder: RunFolder) -> Iterator[Callable[[Record], None]]:
    """A bar with the running scores."""
    from groundwire.bench.admission import effect
    from groundwire.cli.progress import bar

    effects = Counter(effect(record.judged()) for record in folder.records)
    with bar() as advance:

        def on_record(record: Record) -> None:
            effects[effect(record.judged())] += 1
            done, right, wrong = effects.total(), effects["right shown"], effects["wrong shown"]
            shown = right + wrong + effects["undecided shown"]
            risk = f"{wrong / (right + wrong):.1%}" if right + wrong else "-"
            advance(
                f"{done:,} of {len(folder.cases):,}, shown {shown / done:.0%}, "
                f"of these wrong {risk}",
                done / len(folder.cases),
            )

        yield on_record


def _tell(folder: RunFolder, asked: Asked, as_json: bool) -> None:
    from groundwire.cli.bench.figures import print_run

    print_run(folder, as_json)
    if asked.pending:
        keys = {request.key for request in asked.pending}
        typer.echo(f"{len(keys):,} prompts have no reply: `groundwire bench export`.", err=True)
    left = len(folder.todo)
    if asked.stopped is not None:
        typer.echo(f"{left:,} cases are not done; the same command goes on with them.", err=True)
        raise asked.stopped

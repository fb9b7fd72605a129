"""`groundwire bench replay` and `ablate`: recorded drafts through the guard, and what each
component is worth."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.cli.bench.common import (
    DatabasesOption,
    DataOption,
    LimitOption,
    SeedOption,
    drawn,
    open_scorer,
    read_set,
)
from groundwire.cli.bench.run import progress, settings_of
from groundwire.cli.exits import command
from groundwire.cli.options import JsonOption
from groundwire.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from groundwire.bench.case import Case
    from groundwire.bench.runs.folder import RunFolder
    from groundwire.bench.runs.record import Record

__all__ = ["ablate", "replay"]

DraftsArgument = Annotated[
    Path,
    typer.Argument(
        metavar="RUN|FILE",
        help='The folder of a run, or a file of drafts: JSON lines {"id", "query"}.',
        show_default=False,
    ),
]
CasesOption = Annotated[
    str,
    typer.Option("--cases", help="The set that a file of drafts is for: a name or a file."),
]
WithoutOption = Annotated[
    list[str] | None,
    typer.Option("--without", help="A component to switch off; repeatable.", show_default=False),
]


@command
def replay(
    drafts: DraftsArgument,
    to: Annotated[Path, typer.Option("--to", help="The folder of the replay.")],
    cases: CasesOption = "",
    data: DataOption = None,
    databases: DatabasesOption = "",
    without: WithoutOption = None,
    limit: LimitOption = 0,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Put recorded drafts through today's guard, with no model, and score before and after."""
    from groundwire.cli.bench.figures import print_run

    folder, texts, where = _begin(
        drafts, to, cases, data, databases, tuple(without or ()), limit, seed
    )
    _replay(folder, texts, where)
    print_run(folder, as_json)


@command
def ablate(
    drafts: DraftsArgument,
    to: Annotated[Path, typer.Option("--to", help="A folder of replays, one a component.")],
    cases: CasesOption = "",
    data: DataOption = None,
    databases: DatabasesOption = "",
    limit: LimitOption = 0,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """The drop-one table: replay the drafts with each component of the guard off in turn.

    What a prompt's components are worth needs a model: `bench run` with and without, then
    `bench compare`.
    """
    from groundwire.bench.runs.ablation import GUARD_COMPONENTS, table

    def records(name: str, without: tuple[str, ...] = ()) -> Sequence[Record]:
        folder, texts, where = _begin(
            drafts, to / name, cases, data, databases, without, limit, seed
        )
        _replay(folder, texts, where)
        return folder.records

    whole = records("whole")
    rows = table(whole, {name: records(f"no-{name}", (name,)) for name in GUARD_COMPONENTS})
    if as_json:
        from groundwire.cli.output import print_json

        print_json([row.to_json() for row in rows])
        return
    from groundwire.cli.bench.compare import print_ablation

    print_ablation(rows)


def _begin(
    drafts: Path,
    to: Path,
    cases: str,
    data: Path | None,
    databases: str,
    without: tuple[str, ...],
    limit: int,
    seed: int,
) -> tuple[RunFolder, Mapping[str, str], str]:
    """The folder of a replay, the drafts by case, and where the databases are."""
    from groundwire.bench.runs.configuration import Configuration
    from groundwire.bench.runs.folder import RunFolder
    from groundwire.settings import Settings

    source: Sequence[Case]
    if drafts.is_dir():
        run = RunFolder.open(drafts)
        name, source = run.configuration.set, run.cases
        texts = {record.id: record.draft for record in run.records}
        where = databases or read_set(name, data, databases).databases
    else:
        if not cases:
            raise UsageError(
                "A file of drafts needs the set that it is for.", hint="Add --cases SET."
            )
        sample = read_set(cases, data, databases)
        sample.tell()
        name, source, where = cases, sample.cases, sample.databases
        texts = _texts(drafts)
    configuration = Configuration(
        set=name,
        drafter="recorded",
        without=without,
        limit=limit,
        seed=seed,
        policy=Settings.from_environment().policy,
        version=version("groundwire"),
    )
    return RunFolder.begin(to, configuration, drawn(source, limit, seed)), texts, where


def _texts(file: Path) -> dict[str, str]:
    from groundwire.bench.case import Prediction, read_predictions

    texts: dict[str, str] = {}
    for line in read_predictions(file):
        if isinstance(line, Prediction):
            texts[line.id] = line.query
        else:
            typer.echo(f"Line {line.number} is left out: {line.reason}.", err=True)
    return texts


def _replay(folder: RunFolder, texts: Mapping[str, str], databases: str) -> None:
    from groundwire.bench.runs.grading import RUN_METRICS
    from groundwire.bench.runs.replay import replay as put_through

    settings = settings_of(folder.configuration)
    with (
        folder.held(),
        open_scorer(folder.cases, databases, RUN_METRICS, settings=settings) as scorer,
        progress(folder) as on_record,
    ):
        put_through(folder, texts, scorer, on_record=on_record)

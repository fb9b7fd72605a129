"""What the benchmark's commands share: a set with its cases, its databases, the scorer."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.errors import UsageError
from groundwire.settings import Settings

if TYPE_CHECKING:
    from groundwire.bench.case import Case, Malformed
    from groundwire.bench.metrics import Judge, Metric
    from groundwire.bench.scoring import Scorer

__all__ = [
    "CopiesOption",
    "DataOption",
    "DatabasesOption",
    "LimitOption",
    "Sample",
    "SeedOption",
    "SetArgument",
    "drawn",
    "open_scorer",
    "read_set",
]

SetArgument = Annotated[
    str,
    typer.Argument(
        metavar="SET",
        help="A data set (`bench datasets` lists them), or a file of cases (JSON lines, CSV).",
        show_default=False,
    ),
]
DataOption = Annotated[
    Path | None,
    typer.Option("--data", help="The folder that holds the data set.", show_default=False),
]
DatabasesOption = Annotated[
    str,
    typer.Option(
        "--databases",
        help="Where the databases are: a folder, or a URL with {database} in it.",
    ),
]
LimitOption = Annotated[int, typer.Option("--limit", min=0, help="Cases at most; 0 = all.")]
SeedOption = Annotated[int, typer.Option("--seed", help="Of the draw and of the intervals.")]
CopiesOption = Annotated[
    bool,
    typer.Option(
        "--copies/--no-copies", help="Score also on perturbed copies of the databases (test_suite)."
    ),
]


@dataclass(frozen=True, slots=True)
class Sample:
    """The usable cases of a set, its unusable lines, and where its databases are."""

    cases: tuple[Case, ...]
    unusable: tuple[Malformed, ...]
    databases: str

    def tell(self) -> None:
        """Say on standard error what cannot be used."""
        for line in self.unusable:
            name = f" ({line.id})" if line.id else ""
            typer.echo(f"Line {line.number}{name} is left out: {line.reason}.", err=True)


def read_set(name: str, data: Path | None = None, databases: str = "") -> Sample:
    """A data set by its name, or a file of cases.

    Raises:
        UsageError: there is neither, or it cannot be read.
    """
    from groundwire.bench.case import Case, Malformed
    from groundwire.bench.datasets import DATASETS

    path = Path(name)
    if name in DATASETS:
        known = DATASETS[name]
        path = data or Path()
    elif path.is_file():
        known = DATASETS["own"]
    else:
        raise UsageError(
            f"{name!r} is neither a data set nor a file of cases.",
            hint="Data sets: " + ", ".join(DATASETS) + ".",
        )
    found = known.load(path)
    return Sample(
        tuple(case for case in found if isinstance(case, Case)),
        tuple(case for case in found if isinstance(case, Malformed)),
        databases or known.where(path),
    )


def drawn(cases: Sequence[Case], limit: int, seed: int) -> tuple[Case, ...]:
    """At most `limit` cases, in their order; the same seed draws the same ones."""
    if not limit or limit >= len(cases):
        return tuple(cases)
    places = sorted(random.Random(seed).sample(range(len(cases)), limit))
    return tuple(cases[place] for place in places)


@contextmanager
def open_scorer(
    cases: Sequence[Case | Malformed],
    databases: str,
    metrics: dict[str, Metric] | None = None,
    *,
    settings: Settings | None = None,
    copies: bool = True,
    judge: Judge | None = None,
) -> Iterator[Scorer]:
    """A scorer with the databases of the cases, and their copies where a metric needs them.

    Where `databases` is a folder of witnesses (`1/`, `2/`, …) a verdict has to hold on each.
    """
    from groundwire.bench.copies import PerturbedCopies
    from groundwire.bench.metrics import METRICS
    from groundwire.bench.running import MAX_ROWS, Databases
    from groundwire.bench.scoring import Scorer
    from groundwire.bench.witness import WitnessScorer

    wanted = METRICS if metrics is None else metrics
    settings = replace(settings or Settings.from_environment(), max_rows=MAX_ROWS)
    with ExitStack() as stack:
        made = None
        if copies and "test_suite" in wanted:
            made = stack.enter_context(PerturbedCopies(cases, databases))
        opened = [
            stack.enter_context(Databases(place, settings, made)) for place in _places(databases)
        ]
        if len(opened) > 1:
            yield WitnessScorer(opened, wanted, judge)
        else:
            yield Scorer(opened[0], wanted, judge)


def _places(databases: str) -> list[str]:
    """The folders of a set of witnesses in their order, or the one place."""
    if "://" in databases or not databases:
        return [databases]
    numbered = (path for path in Path(databases).glob("[0-9]*") if path.is_dir())
    found = sorted((path for path in numbered if path.name.isdigit()), key=lambda p: int(p.name))
    return [str(path) for path in found] or [databases]

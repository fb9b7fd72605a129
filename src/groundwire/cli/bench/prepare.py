"""`groundwire bench prepare` and `witnesses`: make the databases of a set."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from groundwire.cli.bench.common import DataOption, SeedOption, SetArgument, read_set
from groundwire.cli.exits import command
from groundwire.errors import UsageError

if TYPE_CHECKING:
    from groundwire.bench.case import Case

__all__ = ["prepare", "witnesses"]


@command
def prepare(
    folder: Annotated[
        Path,
        typer.Argument(
            help="NAME.sql, NAME/nodes and relationships, or NAME_simplekg.json.",
            show_default=False,
        ),
    ],
    into: Annotated[
        str,
        typer.Option("--into", help="A URL with {database} in it; what is there is left alone."),
    ],
) -> None:
    """Load the databases of a set from the files in which they are published."""
    from groundwire.bench.datasets.prepare import prepare as load
    from groundwire.database.url import mask

    for name, url in load(folder, into).items():
        typer.echo(f"{name}  {mask(url)}")


@command
def witnesses(
    set: SetArgument,
    schemas: Annotated[
        Path,
        typer.Option(
            "--schemas",
            help="The folder of NAME_schema.json, and of graph_info.json (or beside it).",
            show_default=False,
        ),
    ],
    to: Annotated[Path, typer.Option("--to", help="The folder of the graphs; --databases later.")],
    data: DataOption = None,
    graphs: Annotated[int, typer.Option("--graphs", min=1, help="Graphs for each schema.")] = 3,
    seed: SeedOption = 0,
) -> None:
    """Make small graphs that decide as the large ones do, for a Cypher set without its graphs.

    A prediction is right when it agrees with the gold on each of them.
    """
    from groundwire.bench.witness import store_witnesses
    from groundwire.bench.witness import witnesses as make

    by_graph: dict[str, list[Case]] = defaultdict(list)
    for case in read_set(set, data).cases:
        by_graph[case.database].append(case)
    info = _json(next(iter(_places(schemas, "graph_info.json")), None))
    for name, cases in sorted(by_graph.items()):
        file = next(iter(_places(schemas, f"{name}_schema.json")), None)
        if file is None:
            raise UsageError(
                f"There is no {name}_schema.json in {schemas}.", hint="Give its folder: --schemas."
            )
        rows = make(cases, _json(file), info.get(name), graphs, seed)
        store_witnesses(rows, name, to)
        sizes = ", ".join(f"{len(graph.relationships):,}" for graph in rows)
        typer.echo(f"{name}: {len(cases):,} cases; relationships {sizes}")


def _places(folder: Path, name: str) -> list[Path]:
    return [path for path in (folder / name, folder.parent / name) if path.is_file()]


def _json(path: Path | None) -> dict[str, Any]:
    if path is None:
        return {}
    try:
        return dict(json.loads(path.read_text("utf-8")))
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be read: {error}.") from error

"""`groundwire graph`: load a graph from files, or make a small one to try."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.cli.exits import command
from groundwire.cli.options import JsonOption
from groundwire.counted import counted
from groundwire.errors import UsageError

if TYPE_CHECKING:
    from groundwire.database.graph_load import LoadReport

__all__ = ["app"]

app = typer.Typer(help="Graphs: load one from files, or make a small one.", no_args_is_help=True)

IntoOption = Annotated[
    str,
    typer.Option("--into", help="kglite:///file or a Neo4j URL.", show_default=False),
]


@app.command()
@command
def load(
    nodes: Annotated[Path, typer.Argument(help="Nodes: JSON lines or CSV.")],
    relationships: Annotated[Path, typer.Argument(help="Relationships: JSON lines or CSV.")],
    into: IntoOption,
    as_json: JsonOption = False,
) -> None:
    """Load nodes and the relationships between them; what cannot be read is put aside."""
    from groundwire.cli.progress import counter
    from groundwire.database.graph_load import load_graph

    with counter() as count:
        report = load_graph(nodes, relationships, into, progress=count)
    _tell(report, as_json)
    if not report.nodes:
        why = "every line was put aside" if report.rejected_count else "the file of nodes is empty"
        raise UsageError(
            f"Nothing is stored: {why}.",
            hint="Give the file of nodes first, then that of relationships, as JSON lines or CSV.",
        )


@app.command()
@command
def demo(
    into: IntoOption,
    people: Annotated[int, typer.Option(min=1, help="How many people.")] = 120,
    seed: Annotated[int, typer.Option(help="The same seed gives the same graph.")] = 7,
    as_json: JsonOption = False,
) -> None:
    """Make a small synthetic graph: people, towns, places, a relation stored both ways."""
    from groundwire.database.graph_demo import demo_graph
    from groundwire.database.graph_load import load_graph

    nodes, relationships = demo_graph(people, seed)
    _tell(load_graph(nodes, relationships, into), as_json)


def _tell(report: LoadReport, as_json: bool) -> None:
    from groundwire.cli.output import console, print_json

    if as_json:
        print_json(
            {
                "nodes": report.nodes,
                "relationships": report.relationships,
                "added": report.added,
                "rejected": report.rejected_count,
                "seconds": round(report.seconds, 3),
            }
        )
        return
    out = console()
    relationships = counted(report.relationships, "relationship")
    added = counted(report.added, "relationship is", "relationships are")
    out.print(
        f"{counted(report.nodes, 'node')} and {relationships} are stored ({added} new)"
        f" after {report.seconds:.1f} s."
    )
    for line in report.rejected[:20]:
        out.print(f"{line.source}:{line.line}: {line.reason}", markup=False, soft_wrap=True)
    if report.rejected_count:
        out.print(f"{report.rejected_count:,} lines were put aside.")

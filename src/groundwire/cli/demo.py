"""`groundwire demo`: five questions answered without a model, and a graph query repaired."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from groundwire.cli.exits import command

__all__ = ["demo"]

QUESTIONS = (
    "How many thefts were there in 2023?",
    "Which five community areas had the most robberies last year?",
    "Show the number of burglaries per year since 2015.",
    "What percentage of narcotics cases led to an arrest?",
    "How many car thefts happened at night in district 11 this year?",
)
DOUBLED = (
    "MATCH (p:Person)-[:KNOWS]-(q:Person)"
    " RETURN p.name AS person, count(q) AS known ORDER BY known DESC, person LIMIT 5"
)
ROWS = 200_000
AFTER = """
That was synthetic data, made on this machine. The steps behind the first answer are its trace;
`--trace` shows them for any question. Now ask one of your own:

  {program} ask {url} "How many burglaries were there in Austin in 2022?"

let a model draft (any provider, or a server of your own that speaks the OpenAI protocol):

  {program} ask {url} "…" --model openai:gpt-5-mini
  {program} ask {url} "…" --model openai:NAME@http://localhost:8080/v1

ask the graph:

  {program} schema kglite:///demo/people.kgl
  {program} check kglite:///demo/people.kgl "MATCH (p:Person)-[:KNOWS]-(q) RETURN count(*)"

or connect a database of your own:

  {program} doctor postgresql://user@host/name
  {program} ask postgresql://user@host/name "…"
"""


@command
def demo(
    folder: Annotated[Path, typer.Option(help="Where the data is kept.")] = Path("demo"),
    rows: Annotated[int, typer.Option(help="Synthetic crimes to make.")] = ROWS,
) -> None:
    """Make synthetic data, ask five questions, and show what each answer rests on."""
    from groundwire.cli.output import console

    out = console()
    url = _prepare(folder, rows)
    out.print(f"The database {url} holds {rows:,} SYNTHETIC crimes.", style="bold", soft_wrap=True)
    unanswered = [
        question
        for question in QUESTIONS
        if not _ask(url, question, trace=question is QUESTIONS[0])
    ]
    _show_graph(folder)
    out.print(AFTER.format(program=_program(), url=url), soft_wrap=True, markup=False)
    if unanswered:
        raise typer.Exit(4)


def _prepare(folder: Path, rows: int) -> str:
    """Generate and load unless an earlier run did; the file appears when it is complete."""
    from groundwire.cli.progress import bar
    from groundwire.packs.chicago.loading.loader import load
    from groundwire.packs.chicago.synthetic.generator import generate

    database = folder / f"chicago-{rows}.duckdb"
    url = f"duckdb:///{database}"
    folder.mkdir(parents=True, exist_ok=True)
    if not database.exists():
        file, unfinished = folder / f"chicago-{rows}.csv", folder / f"chicago-{rows}.unfinished"
        unfinished.unlink(missing_ok=True)
        with bar() as advance:
            generate(rows, 1, file, progress=advance)
            load(file, f"duckdb:///{unfinished}", progress=advance)
        unfinished.rename(database)
        file.unlink()
    return url


def _program() -> str:
    """How the command was called, so that what is printed can be copied."""
    return sys.argv[0] if Path(sys.argv[0]).name == "groundwire" else "groundwire"


def _show_graph(folder: Path) -> None:
    """A count that a relation stored both ways would double, caught before it is run."""
    from rich.text import Text

    from groundwire.cli.check import judge
    from groundwire.cli.options import open_database
    from groundwire.cli.output import console, print_query, print_verdict
    from groundwire.database.graph_demo import demo_graph
    from groundwire.database.graph_load import load_graph

    file = folder / "people.kgl"
    out = console()
    if not file.exists():
        nodes, relationships = demo_graph()
        load_graph(nodes, relationships, f"kglite:///{file}")
    out.rule("[bold]A graph: who knows the most people?")
    out.print(Text("A draft in Cypher, from anywhere:"))
    print_query(DOUBLED, "cypher")
    with open_database(f"kglite:///{file}") as database:
        print_verdict(judge(database, DOUBLED, run=True), "cypher")


def _ask(url: str, question: str, *, trace: bool) -> bool:
    from groundwire.ask import Options
    from groundwire.cli.answer import print_answer
    from groundwire.cli.ask import answer_in_terminal
    from groundwire.cli.options import open_database
    from groundwire.cli.output import console

    console().rule(f"[bold]{question}")
    with open_database(url) as database:
        answer = answer_in_terminal(database, question, None, Options())
    print_answer(answer, trace=trace)
    return answer.answered

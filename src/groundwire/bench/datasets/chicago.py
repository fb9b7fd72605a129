"""The worked example's 100 questions about crime in Chicago, with every accepted reading as SQL.

The questions are in the package (`packs/chicago/questions.yaml`); the rows are synthetic ones of a
seed, or the city's export. Both DuckDB and PostgreSQL run every gold. The pack's solved examples
are a set of their own: drafters are shown them, so that only their golds can be checked with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from groundwire.bench.case import Case
from groundwire.bench.datasets.dataset import FromPackage, make_case

if TYPE_CHECKING:
    from groundwire.packs.chicago.questions import Question

__all__ = ["CHICAGO", "CHICAGO_SOLVED", "make_chicago"]

DATABASE = "chicago"


def make_chicago(url: str, rows: int = 100_000, seed: int = 1) -> None:
    """Make synthetic crimes and load them into a DuckDB, SQLite or PostgreSQL database.

    Raises:
        GroundwireError: as the pack's loader.
    """
    from tempfile import TemporaryDirectory

    from groundwire.packs.chicago.loading import load
    from groundwire.packs.chicago.synthetic import generate

    with TemporaryDirectory(prefix="groundwire-") as folder:
        file = Path(folder) / "crimes.csv"
        generate(rows, seed, file)
        load(file, url)


def _golds(question: Question) -> tuple[str, ...]:
    """Each reading, whole and without any choice of the columns that an answer may leave out."""
    from sqlglot import exp

    from groundwire.query.sql import parse

    golds = [gold.sql for gold in question.golds]
    optional = [name.lower() for name in question.optional]
    for gold in question.golds:
        statement = parse(gold.sql, "duckdb").statements[0]
        assert isinstance(statement, exp.Query)
        columns = [name.lower() for name in statement.named_selects]
        for size in range(1, len(optional) + 1):
            for left_out in combinations(optional, size):
                kept = ", ".join(name for name in columns if name not in left_out)
                golds.append(f"SELECT {kept} FROM ({gold.sql.rstrip('; ')}) AS answer")
    return tuple(golds)


def _questions() -> Iterator[Case]:
    from groundwire.packs.chicago.questions import load_questions

    for question in load_questions():
        yield make_case(
            id=question.id,
            database=DATABASE,
            language="sql",
            question=question.question,
            queries=_golds(question),
            order_matters=question.order_by or False,
            tier=question.tier,
            tags=question.tags,
        )


def _solved() -> Iterator[Case]:
    from groundwire.packs.pack import load_pack

    for number, solved in enumerate(load_pack("chicago").solved, 1):
        yield make_case(
            id=f"S{number:02}",
            database=DATABASE,
            language="sql",
            question=solved.question,
            queries=(solved.query,),
            tags=("shown to drafters",),
        )


_NEEDS = "chicago.duckdb (`groundwire chicago generate`, then `groundwire chicago load`)"

CHICAGO = FromPackage(
    name="chicago",
    title="Chicago crime",
    language="sql",
    needs=_NEEDS,
    source="groundwire.packs.chicago",
    licence="Apache-2.0",
    cases=_questions,
    databases=(".",),
    prepared="synthetic rows are made, or the city's export is loaded",
)

CHICAGO_SOLVED = FromPackage(
    name="chicago-solved",
    title="Chicago crime, the solved examples that drafters are shown",
    language="sql",
    needs=_NEEDS,
    source="groundwire.packs.chicago",
    licence="Apache-2.0",
    cases=_solved,
    databases=(".",),
    prepared=CHICAGO.prepared,
)

"""Two small databases on each engine, and the fixture pairs asked of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest

from groundwire.database.base import SqlDatabase
from groundwire.draft.offline import OfflineDrafter
from groundwire.packs.pack import pack_for
from tests.conftest import NewDatabase, new_file

HERE = Path(__file__).parent
TODAY = date(2026, 11, 30)


@dataclass(frozen=True)
class Case:
    """A question, the name of its database, and the SQL that is expected, None for a decline."""

    file: str
    line: int
    question: str
    expected: str | None

    @property
    def database(self) -> str:
        return self.file.partition("_")[0]


def read_cases() -> list[Case]:
    """All fixture pairs of the folder `cases`."""
    cases: list[Case] = []
    for path in sorted((HERE / "cases").glob("*.txt")):
        question, number, body = "", 0, list[str]()
        lines = [*path.read_text(encoding="utf-8").splitlines(), "?"]
        for position, line in enumerate(lines, 1):
            if line.startswith("?"):
                if question:
                    text = " ".join(" ".join(body).split())
                    expected = None if text == "declines" else text
                    cases.append(Case(path.stem, number, question, expected))
                question, number, body = line[1:].strip(), position, []
            elif not line.startswith("#"):
                body.append(line)
    return cases


class Asked:
    """The databases of one engine, by the name of their SQL file, and a drafter for each."""

    def __init__(self, databases: dict[str, SqlDatabase]) -> None:
        self.databases = databases
        self._drafters = {
            name: OfflineDrafter(pack_for(database.catalog()), TODAY)
            for name, database in databases.items()
        }

    def draft(self, name: str, question: str) -> str:
        """The SQL that a question becomes, on one line."""
        text = self._drafters[name].draft(question, self.databases[name]).text
        return " ".join(text.split())

    def rows(self, name: str, question: str) -> list[tuple[object, ...]]:
        """The rows that a question gives."""
        text = self._drafters[name].draft(question, self.databases[name]).text
        return list(self.databases[name].execute(text).rows)


def _statements(path: Path) -> list[str]:
    return [part for part in path.read_text(encoding="utf-8").split(";\n") if part.strip()]


@pytest.fixture(scope="session")
def duckdb_asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    """The databases in DuckDB."""
    yield from _asked({n: _file("duckdb", n, tmp_path_factory) for n in ("concerts", "chicago")})


@pytest.fixture(scope="session")
def sqlite_asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    """The databases in SQLite."""
    yield from _asked({n: _file("sqlite", n, tmp_path_factory) for n in ("concerts", "chicago")})


@pytest.fixture(scope="session")
def postgres_asked(request: pytest.FixtureRequest) -> Iterator[Asked]:
    """The databases in PostgreSQL."""
    server = request.getfixturevalue("postgres_server")
    new = {n: NewDatabase("postgres", server.create_database()) for n in ("concerts", "chicago")}
    yield from _asked(new)


def _file(engine: str, name: str, factory: pytest.TempPathFactory) -> NewDatabase:
    return new_file(engine, factory.mktemp(name))


def _asked(new: dict[str, NewDatabase]) -> Iterator[Asked]:
    for name, database in new.items():
        database.fill(*_statements(HERE / f"{name}.sql"))
    connected = {name: database.connect() for name, database in new.items()}
    yield Asked(connected)
    for database in connected.values():
        database.close()

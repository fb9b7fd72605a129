"""The Chicago schema with a few rows, its pack, and the labelled questions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from groundwire.database.base import SqlDatabase
from groundwire.packs.pack import Pack, pack_for
from tests.conftest import new_file

HERE = Path(__file__).parent


def labelled(name: str) -> list[str]:
    """The questions of a file, one a line; `#` begins a comment."""
    lines = (line.strip() for line in (HERE / name).read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line and not line.startswith("#")]


@pytest.fixture(scope="session")
def chicago(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqlDatabase]:
    """The schema of the pack in DuckDB."""
    new = new_file("duckdb", tmp_path_factory.mktemp("relevance"))
    text = (HERE.parent / "offline" / "chicago.sql").read_text(encoding="utf-8")
    new.fill(*(part for part in text.split(";\n") if part.strip()))
    database = new.connect()
    yield database
    database.close()


@pytest.fixture(scope="session")
def pack(chicago: SqlDatabase) -> Pack:
    """The pack that recognises it."""
    found = pack_for(chicago.catalog())
    assert found is not None
    return found

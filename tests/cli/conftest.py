"""A small database file, and the command line called in process."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner


@dataclass(frozen=True)
class Ran:
    """What one call of the command line gave."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


@pytest.fixture
def groundwire() -> Callable[..., Ran]:
    from groundwire.cli.app import app

    def call(*arguments: str, stdin: str | None = None) -> Ran:
        result = CliRunner().invoke(app, list(arguments), input=stdin, catch_exceptions=False)
        return Ran(result.exit_code, result.stdout, result.stderr)

    return call


@pytest.fixture
def url(tmp_path: Path) -> str:
    import duckdb

    path = tmp_path / "shop.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT)")
        connection.execute(
            "INSERT INTO customers VALUES"
            " (1, 'Ada', 'London'), (2, 'Bo', 'Oslo'), (3, 'Cy', 'Oslo')"
        )
    return f"duckdb:///{path}"

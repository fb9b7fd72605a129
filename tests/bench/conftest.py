"""The benchmark's commands called in process."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
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


@pytest.fixture
def bench() -> Callable[..., Ran]:
    from groundwire.cli.app import app

    def call(*arguments: object) -> Ran:
        words = ["bench", *(str(argument) for argument in arguments)]
        result = CliRunner().invoke(app, words, catch_exceptions=False)
        return Ran(result.exit_code, result.stdout, result.stderr)

    return call

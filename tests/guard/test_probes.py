"""The guard asks small questions within a budget."""

from __future__ import annotations

from typing import Any, cast

import pytest

from groundwire.database.base import Database
from groundwire.database.result import Result
from groundwire.errors import QueryError, QueryTimeout
from groundwire.guard.probes import Probes
from groundwire.settings import Settings


class Asked:
    """A database that notes what it was asked, and answers or raises."""

    def __init__(self, error: Exception | None = None) -> None:
        self.settings = Settings(max_probes=3)
        self.statements: list[str] = []
        self.error = error

    def execute(self, statement: str, *_: Any, **__: Any) -> Result:
        self.statements.append(statement)
        if self.error is not None:
            raise self.error
        return Result((), ((1,),), False, 0.0)


def ask_all(database: Asked, *statements: str) -> list[bool]:
    probes = Probes(cast(Database, database))
    return [probes.ask(statement) is not None for statement in statements]


def test_the_same_probe_is_asked_once() -> None:
    database = Asked()
    assert ask_all(database, "a", "a", "b") == [True, True, True]
    assert database.statements == ["a", "b"]


def test_nothing_is_asked_beyond_the_budget() -> None:
    database = Asked()
    assert ask_all(database, *"abcde") == [True, True, True, False, False]
    assert database.statements == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("error", "asked"),
    [
        (QueryTimeout("Too slow.", hint="Wait."), ["a"]),
        (QueryError("No.", hint="Ask."), ["a", "b"]),
    ],
)
def test_a_probe_that_runs_out_of_time_is_the_last(error: Exception, asked: list[str]) -> None:
    database = Asked(error)
    assert ask_all(database, "a", "b") == [False, False]
    assert database.statements == asked

"""A small database of planets and one of nothing, for cases with every fault."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from groundwire.bench.running import Databases
from groundwire.settings import Settings

PLANETS = """
CREATE TABLE planet (name TEXT PRIMARY KEY, moons INTEGER, rings TEXT);
INSERT INTO planet VALUES ('Venus', 0, NULL), ('Mercury', 0, NULL), ('Earth', 1, NULL),
    ('Mars', 2, NULL), ('Saturn', 146, 'many');
"""


@pytest.fixture
def databases(tmp_path: Path) -> Iterator[Databases]:
    """`planets` with five rows and `void` with none; at most 20 rows and half a second."""
    for name, script in (("planets", PLANETS), ("void", "CREATE TABLE planet (name TEXT)")):
        connection = sqlite3.connect(tmp_path / f"{name}.sqlite")
        connection.executescript(script)
        connection.close()
    with Databases(str(tmp_path), Settings(max_rows=20, query_timeout=0.5)) as opened:
        yield opened

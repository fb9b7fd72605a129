"""Imports run one way (design, section 3), and nothing heavy is imported before it is used."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "src" / "groundwire"

ORDER = [
    ("counted", "errors", "masking", "settings", "trace"),
    ("query",),
    ("database",),
    ("guard",),
    ("draft",),
    ("answer",),
    ("packs",),
    ("ask", "pipeline", "session"),
    ("serve", "bench", "mine", "cli"),
]
"""From left to right; a room imports from rooms to its left, and from its own group."""

RANK = {room: rank for rank, rooms in enumerate(ORDER) for room in rooms}
HEAVY = (
    "altair",
    "duckdb",
    "kglite",
    "langchain",
    "langchain_core",
    "langgraph",
    "neo4j",
    "numpy",
    "psycopg",
    "rich",
    "sqlglot",
    "sqlite3",
    "typer",
    "wordllama",
    "yaml",
)
SEAM = {("ask", "packs"), ("ask", "pipeline"), ("ask", "session")}


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def imported(path: Path) -> Iterator[str]:
    """The absolute names of Groundwire modules that a file imports, type checking included."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            if node.module == "groundwire":
                yield from (f"groundwire.{alias.name}" for alias in node.names)
            elif node.module and node.module.startswith("groundwire."):
                yield node.module
        elif isinstance(node, ast.Import):
            yield from (a.name for a in node.names if a.name.startswith("groundwire."))


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_imports_only_from_its_left(path: Path) -> None:
    room = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    if room == "__init__":
        return
    assert room in RANK, f"{room} has no place in the order"
    for name in imported(path):
        target = name.split(".")[1]
        assert RANK[target] <= RANK[room], f"{path.name} imports {name}, which is to its right"


def test_every_room_of_the_package_has_a_place_in_the_order() -> None:
    rooms = {path.name.removesuffix(".py") for path in PACKAGE.iterdir() if path.suffix == ".py"}
    rooms |= {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists()}
    assert rooms - {"__init__"} <= set(RANK)


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_fits_in_about_four_hundred_lines(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 460


def test_importing_groundwire_imports_nothing_heavy() -> None:
    code = "import sys, groundwire; print('\\n'.join(sorted(sys.modules)))"
    printed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {name.split(".")[0] for name in printed} & set(HEAVY)

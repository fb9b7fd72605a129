"""A small shop on SQLite, and questions to it."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from groundwire.bench import Case

CASES = [
    (
        "cheap",
        "How many products cost less than 2?",
        "SELECT count(*) FROM products WHERE price < 2",
    ),
    ("names", "What are the names of the toys?", "SELECT name FROM products WHERE kind = 'toy'"),
    ("kinds", "Which kinds are there?", "SELECT DISTINCT kind FROM products"),
]


@dataclass(frozen=True)
class Shop:
    """A folder with the database and the file of cases."""

    folder: Path

    @property
    def url(self) -> str:
        return f"sqlite:///{self.folder / 'shop.sqlite'}"

    @property
    def file(self) -> Path:
        return self.folder / "cases.jsonl"

    @property
    def cases(self) -> list[Case]:
        return [
            Case(id, "shop", "sql", question, (gold,), tier="easy") for id, question, gold in CASES
        ]

    def write(self, name: str, entries: list[Any]) -> Path:
        path = self.folder / name
        path.write_text("".join(f"{json.dumps(entry)}\n" for entry in entries), encoding="utf-8")
        return path


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    connection = sqlite3.connect(tmp_path / "shop.sqlite")
    with connection:
        connection.execute(
            "CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT, kind TEXT, price REAL)"
        )
        connection.executemany(
            "INSERT INTO products (name, kind, price) VALUES (?, ?, ?)",
            [
                ("Ball", "toy", 1.5),
                ("Kite", "toy", 7.0),
                ("Saw", "tool", 12.0),
                ("Nut", "part", 0.1),
            ],
        )
    connection.close()
    shop = Shop(tmp_path)
    shop.write("cases.jsonl", [case.to_json() for case in shop.cases])
    return shop

"""A small shop, and questions asked of a model that says what it was told to say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import groundwire
from groundwire import Answer, Database, Options, Settings
from groundwire.draft.model import ScriptedModel

Ask = Callable[..., Answer]


@pytest.fixture
def shop_url(tmp_path: Path) -> str:
    import duckdb

    path = tmp_path / "shop.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            "CREATE TABLE orders (id INTEGER PRIMARY KEY, city TEXT, total INTEGER, day DATE)"
        )
        connection.execute(
            "INSERT INTO orders SELECT i, ['Oslo', 'Bergen', 'Tromsø'][i % 3 + 1], i * 10,"
            " DATE '2024-01-01' + CAST(i AS INTEGER) FROM range(30) t(i)"
        )
    return f"duckdb:///{path}"


@pytest.fixture
def shop(shop_url: str) -> Iterator[Database]:
    with groundwire.connect(shop_url, Settings(max_rows=10)) as database:
        yield database


@pytest.fixture
def ask(shop: Database) -> Ask:
    """Ask with a script of replies; the model is kept as `ask.model`."""

    def ask(*script: Any, question: str = "How many orders?", **options: Any) -> Answer:
        model = ScriptedModel(list(script))
        ask.model = model  # type: ignore[attr-defined]
        return groundwire.ask(shop, question, model, options=Options(**options))

    return ask

"""`flaws.txt`: what the published metrics say of results, and what ours say."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from groundwire.bench.metrics import METRICS, OPTIONAL, Pair, applies
from groundwire.database.graph_values import Node
from tests.bench.rows import CASE, outcome, pair

TAGS = {
    "decimal": Decimal,
    "float": float,
    "date": date.fromisoformat,
    "timestamp": datetime.fromisoformat,
    "bytes": bytes.fromhex,
    "node": lambda identity: Node(identity, (), {}),
    "map": lambda items: items,
}
FILE = Path(__file__).with_name("flaws.txt")


@dataclass(frozen=True)
class Block:
    """One block of the file."""

    sentence: str
    line: int
    values: dict[str, str]

    def metrics(self) -> dict[str, str]:
        known = METRICS | OPTIONAL
        return {key: value for key, value in self.values.items() if key in known}

    def pair(self) -> Pair:
        gold, found = (_value(json.loads(self.values[key])) for key in ("gold", "prediction"))
        columns, theirs = (
            json.loads(self.values[key]) if key in self.values else None
            for key in ("columns", "predicted columns")
        )
        query = self.values.get("gold query", "SELECT gold")
        order = self.values.get("order") == "yes"
        return pair(
            outcome(gold, columns, query),
            outcome(found, theirs, "SELECT prediction"),
            replace(CASE, order_matters=order),
        )


def _value(value: Any) -> Any:
    if isinstance(value, list):
        return [_value(item) for item in value]
    if isinstance(value, dict):
        ((tag, content),) = value.items()
        return TAGS[tag](content)
    return value


def read_blocks() -> list[Block]:
    blocks: list[Block] = []
    for number, line in enumerate(FILE.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("-- "):
            blocks.append(Block(line[3:], number, {}))
        elif blocks and line.strip():
            key, _, value = line.partition(": ")
            blocks[-1].values[key] = value
    return blocks


BLOCKS = read_blocks()


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: f"{block.line}")
def test_a_metric_says_what_the_file_says(block: Block) -> None:
    known = METRICS | OPTIONAL
    made = block.pair()
    found = {
        name: known[name](made) if applies(name, made.case) else None for name in block.metrics()
    }
    wanted = {
        name: None if value == "none" else pytest.approx(float(value))
        for name, value in block.metrics().items()
    }
    assert found == wanted, block.sentence


def test_every_line_of_the_file_is_understood() -> None:
    keys = {"gold", "prediction", "columns", "predicted columns", "order", "gold query"}
    assert len(BLOCKS) > 30
    for block in BLOCKS:
        assert block.values.keys() - keys == block.metrics().keys(), block.line

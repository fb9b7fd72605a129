"""The parser against Neo4j's own verdict on queries that language models wrote."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from groundwire.query.cypher import parse

VERDICTS = Path(__file__).parents[4] / "shared" / "data" / "neo4j_verdicts.jsonl.gz"


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    if not VERDICTS.exists():
        pytest.skip("needs neo4j_verdicts.jsonl.gz in ../shared/data beside the repository")
    with gzip.open(VERDICTS, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def test_what_neo4j_accepts_is_accepted(rows: list[dict[str, Any]]) -> None:
    accepted = [row for row in rows if row["ok"]]
    ours = sum(parse(row["query"]).ok for row in accepted)
    assert ours / len(accepted) >= 0.9995


def test_what_neo4j_refuses_is_refused_at_its_place(rows: list[dict[str, Any]]) -> None:
    refused = [row for row in rows if not row["ok"]]
    errors = [parse(row["query"]).errors for row in refused]
    assert sum(map(bool, errors)) / len(refused) >= 0.95
    same = sum(
        bool(found) and found[0].offset == row["offset"]
        for row, found in zip(refused, errors, strict=True)
    )
    assert same / len(refused) >= 0.85

"""Recorded attacks on read-only Cypher access: each gets its verdict, and the graph stays."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from groundwire.database.graph import GraphDatabase
from groundwire.guard import Guard

CASES = Path(__file__).parents[4] / "shared" / "data" / "attacks" / "cypher_guard_cases.jsonl.gz"


def cases() -> list[dict[str, Any]]:
    if not CASES.exists():
        pytest.skip("the recorded attacks (../shared/data) are not here")
    with gzip.open(CASES, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def contents(graph: GraphDatabase) -> list[Any]:
    return [
        graph.execute("MATCH (n) RETURN labels(n) AS l, count(*) AS n ORDER BY l").rows,
        graph.execute("MATCH ()-[r]->() RETURN type(r) AS t, count(*) AS n ORDER BY t").rows,
    ]


def test_each_attack_is_refused_as_no_reading_and_nothing_changes(graph: GraphDatabase) -> None:
    before = contents(graph)
    guard = Guard(graph)
    for case in cases():
        verdict = guard.check(case["cypher"])
        refused = verdict.error is not None and verdict.error.code == "NOT_READ_ONLY"
        if case["expect"] == "deny":
            assert verdict.outcome == "refused", case["cypher"]
        else:
            assert not refused, (case["cypher"], verdict.error)
    assert contents(graph) == before

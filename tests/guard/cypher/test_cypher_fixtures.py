"""Every fixture pair (Cypher draft → verdict) holds on every graph engine that it is for."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundwire.database.graph import GraphDatabase
from groundwire.guard import Guard
from tests.fixture_pairs import read_pairs
from tests.guard.test_sql_fixtures import differences

FIXTURES = Path(__file__).parent / "fixtures"


@pytest.mark.parametrize("name", sorted(path.stem for path in FIXTURES.glob("*.txt")))
def test_each_draft_gets_its_verdict(name: str, graph: GraphDatabase) -> None:
    pairs = [p for p in read_pairs(FIXTURES / f"{name}.txt") if p.is_for(graph.dialect)]
    assert pairs
    guard = Guard(graph)
    wrong = [
        difference
        for pair in pairs
        for difference in differences(guard.check(pair.draft, pair.question or None), pair)
    ]
    assert not wrong, "\n".join(wrong)


def test_a_repair_is_made_of_its_findings_edits(graph: GraphDatabase) -> None:
    guard = Guard(graph)
    for path in FIXTURES.glob("*.txt"):
        for pair in read_pairs(path):
            verdict = guard.check(pair.draft)
            for finding in verdict.findings:
                assert finding.evidence, pair.name
                assert 0 <= finding.span[0] <= finding.span[1] <= len(pair.draft), pair.name


def test_a_repaired_query_is_admitted_as_it_is(graph: GraphDatabase) -> None:
    guard = Guard(graph)
    for path in FIXTURES.glob("*.txt"):
        for pair in read_pairs(path):
            if pair.verdict == "repaired" and pair.is_for(graph.dialect):
                again = guard.check(pair.query)
                assert again.outcome == "admitted", (pair.name, again.error)

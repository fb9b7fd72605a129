"""Tier 1 of the loop: which arrows are turned when a query found nothing, and what is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundwire.database.graph import GraphDatabase
from groundwire.database.result import Result, ResultColumn
from groundwire.guard import Guard, Verdict
from groundwire.guard.turned_arrows import TurnedArrows, turn_open_arrows
from groundwire.query.edits import apply
from tests.fixture_pairs import Pair, read_pairs

PAIRS = read_pairs(Path(__file__).parent / "turned_arrows.txt")
DRAFT = "MATCH (a:Person {name: 'Ann Lee'})-[:REPORTS_TO]->(b:Person) RETURN b.name"


def found(*names: str, truncated: bool = False) -> Result:
    return Result((ResultColumn("b.name", "STRING"),), tuple((name,) for name in names), truncated)


def turned(draft: str, graph: GraphDatabase) -> TurnedArrows:
    arrows = turn_open_arrows(Guard(graph).check(draft), graph)
    assert arrows is not None
    return arrows


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_only_what_the_schema_leaves_open_is_turned(pair: Pair, graph: GraphDatabase) -> None:
    arrows = turn_open_arrows(Verdict("admitted", pair.draft, pair.draft), graph)
    assert (arrows.query if arrows else "") == pair.query
    if arrows:
        assert apply(pair.draft, arrows.edits) == pair.query


def test_turned_twice_is_the_query_again(graph: GraphDatabase) -> None:
    for pair in PAIRS:
        if pair.verdict == "turned":
            again = turn_open_arrows(Verdict("admitted", pair.query, pair.query), graph)
            assert again is not None
            assert again.query == pair.draft


def test_by_the_paper_what_finds_rows_is_the_query(graph: GraphDatabase) -> None:
    arrows = turned(DRAFT, graph)
    verdict = arrows.repaired(found("Bob Ray", "Cid Fox"))
    assert (verdict.outcome, verdict.query) == ("repaired", arrows.query)
    (finding,) = verdict.findings
    assert (finding.code, finding.severity, finding.action) == ("DIR2", "fault", "repaired")
    assert apply(DRAFT, finding.edits) == verdict.query
    assert DRAFT[slice(*finding.span)] == "-[:REPORTS_TO]->"
    (evidence,) = finding.evidence
    assert (evidence.statement, evidence.answer) == (arrows.query, 2)
    assert evidence.sentence == "Turned round, it finds 2 rows."


def test_truthfully_the_query_stays_and_the_rows_are_said_beside_it(graph: GraphDatabase) -> None:
    arrows = turned(DRAFT, graph)
    verdict = arrows.doubted(found("Bob Ray", truncated=True))
    assert (verdict.outcome, verdict.query) == ("admitted", DRAFT)
    (finding,) = verdict.findings
    assert (finding.code, finding.severity, finding.action) == ("DIR2", "doubt", "reported")
    assert finding.edits == ()
    assert finding.evidence[0].sentence == "Turned round, it finds at least 1 row."
    assert finding.message.startswith("The arrow over REPORTS_TO may be meant the other way round")


def test_behind_a_repair_the_places_are_those_of_the_draft(graph: GraphDatabase) -> None:
    draft = DRAFT.replace("a:Person", "a:Persn")
    arrows = turned(draft, graph)
    verdict = arrows.repaired(found("Bob Ray"))
    edits = [edit for finding in verdict.findings for edit in finding.edits]
    assert apply(draft, edits) == verdict.query == arrows.query
    assert draft[slice(*verdict.findings[-1].span)] == "-[:REPORTS_TO]->"


def test_where_one_repair_lies_in_another_the_whole_text_is_the_edit(graph: GraphDatabase) -> None:
    before = DRAFT.replace("Person", "Persn")
    arrows = turn_open_arrows(Verdict("repaired", before, DRAFT), graph)
    assert arrows is not None
    assert arrows.span == (0, len(before))
    assert apply(before, arrows.edits) == arrows.query

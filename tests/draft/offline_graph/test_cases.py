"""Every fixture pair: the expected Cypher, its rows, the guard's consent; or a decline."""

from __future__ import annotations

from collections import Counter
from datetime import date

import pytest

from groundwire.database.values import to_json
from groundwire.draft.offline_graph import OfflineGraphDrafter
from groundwire.errors import NotUnderstood
from groundwire.guard import Guard
from tests.draft.offline_graph.conftest import Case, OpenGraph, read_cases

CASES = read_cases()
ANSWERED = [case for case in CASES if case.query]
DECLINED = [case for case in CASES if not case.query]
DRAFTER = OfflineGraphDrafter(today=date(2026, 7, 1))


def name(case: Case) -> str:
    return f"{case.graph}: {case.question}"


@pytest.mark.parametrize("case", ANSWERED, ids=name)
def test_a_question_becomes_the_expected_query_with_the_expected_rows(
    case: Case, graphs: OpenGraph
) -> None:
    graph = graphs.open(case.graph)
    draft = DRAFTER.draft(case.question, graph)
    assert draft.text == case.query
    assert draft.drafter == "offline"
    assert draft.understood
    assert bag(graph.execute(draft.text).rows) == bag(case.rows)
    verdict = Guard(graph).check(draft.text, question=case.question)
    assert verdict.outcome == "admitted", verdict.findings
    assert verdict.query == draft.text
    assert [f for f in verdict.findings if f.severity == "fault"] == []


@pytest.mark.parametrize("case", DECLINED, ids=name)
def test_a_doubtful_question_is_declined(case: Case, graphs: OpenGraph) -> None:
    with pytest.raises(NotUnderstood):
        DRAFTER.draft(case.question, graphs.open(case.graph))


def bag(rows: object) -> Counter[tuple[str, ...]]:
    """Rows in any order, numbers to nine places."""
    assert isinstance(rows, (list, tuple))
    return Counter(tuple(plain(to_json(value)) for value in row) for row in rows)


def plain(value: object) -> str:
    return f"{value:.9g}" if isinstance(value, float) else str(value)

"""Each fault of a gold is found and told; what is left after dropping scores 1.0."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from groundwire.bench.audit import KINDS, NOTES, Fault, audit, drop
from groundwire.bench.case import Case, Malformed, read_cases
from groundwire.bench.metrics import METRICS, OPTIONAL
from groundwire.bench.running import Databases
from groundwire.bench.scoring import Scorer

LINES = (Path(__file__).parent / "golds.txt").read_text(encoding="utf-8").splitlines()
GOLDS = [
    [part.strip() for part in line.split("|", 2)]
    for line in LINES
    if line.strip() and not line.startswith("#")
]


def case(id: str, *queries: str, question: str = "", **fields: Any) -> Case:
    order = question.startswith("ordered ")
    asked = question.removeprefix("ordered ") or f"Question {id}?"
    return Case(id, "planets", "sql", asked, queries, order, **fields)


def kinds(faults: list[Fault]) -> list[str]:
    return [fault.kind for fault in faults]


@pytest.mark.parametrize(("kind", "question", "gold"), GOLDS, ids=[gold[1] for gold in GOLDS])
def test_a_gold_has_the_fault_that_its_line_says(
    databases: Databases, kind: str, question: str, gold: str
) -> None:
    faults = audit([case("1", gold, question=question)], databases)
    assert kinds(faults) == ([] if kind == "-" else kind.split())
    assert all(fault.query == gold and fault.reason for fault in faults)


def test_every_kind_is_described() -> None:
    assert set(KINDS) > NOTES
    assert {kind for kind, _, _ in GOLDS} - {"-"} <= KINDS.keys()


def test_a_faulty_gold_is_dropped_and_the_case_kept_where_another_is_left(
    databases: Databases,
) -> None:
    cases = [case("1", "SELECT mass FROM planet", "SELECT count(*) FROM planet")]
    faults = audit(cases, databases)
    assert kinds(faults) == ["fails"]
    assert drop(cases, faults) == [replace(cases[0], queries=("SELECT count(*) FROM planet",))]


def test_a_case_without_a_gold_that_is_left_is_dropped(databases: Databases) -> None:
    cases = [case("1", "SELECT mass FROM planet"), case("2", "SELECT count(*) FROM planet")]
    assert drop(cases, audit(cases, databases)) == cases[1:]


def test_notes_drop_nothing(databases: Databases) -> None:
    cases = [case("1", "SELECT name FROM planet ORDER BY moons LIMIT 1")]
    faults = audit(cases, databases)
    assert [fault.note for fault in faults] == [True]
    assert drop(cases, faults) == cases


def test_a_case_that_cannot_be_answered_has_no_golds_to_be_wrong(databases: Databases) -> None:
    cases = [case("1", answerable=False)]
    assert audit(cases, databases) == []
    assert drop(cases, []) == cases


def test_cases_that_answer_one_question_differently_are_all_dropped(databases: Databases) -> None:
    cases = [
        case("1", "SELECT count(*) FROM planet", question="How many  planets?"),
        case("2", "SELECT 4", question="how many planets?"),
        case("3", "SELECT count(name) FROM planet", question="How many planets?"),
        case("4", "SELECT 5", question="How many planets have a name?"),
    ]
    faults = audit(cases, databases)
    assert [(fault.id, fault.kind) for fault in faults] == [
        ("1", "contradiction"),
        ("2", "contradiction"),
        ("3", "contradiction"),
    ]
    assert "case 2" in faults[0].reason
    assert drop(cases, faults) == cases[3:]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("SELECT count(*) FROM planet", "SELECT count(name) AS n FROM planet"),
        ("SELECT name, moons FROM planet", "SELECT moons, name FROM planet ORDER BY 1"),
        ("SELECT 0.1 + 0.2", "SELECT 0.3"),
    ],
)
def test_golds_with_the_same_result_do_not_contradict_each_other(
    databases: Databases, one: str, other: str
) -> None:
    cases = [case("1", one, question="Which?"), case("2", other, question="Which?")]
    assert audit(cases, databases) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Matches of the 'First Stage'?", "Matches of the 'First stage'?"),
        ('What\'s in "Mars"?', 'What\'s in "MARS"?'),
        ("What's the planet's name, 'Mars'?", "What's the planet's name, 'mars'?"),
    ],
)
def test_the_case_of_what_is_quoted_tells_questions_apart(
    databases: Databases, one: str, other: str
) -> None:
    cases = [case("1", "SELECT 1", question=one), case("2", "SELECT 2", question=other)]
    assert audit(cases, databases) == []
    cases = [case("1", "SELECT 1", question=one), case("2", "SELECT 2", question=one.lower())]
    assert audit(cases, databases) == []
    cases = [case("1", "SELECT 1", question=one), case("2", "SELECT 2", question=f" {one}")]
    assert kinds(audit(cases, databases)) == ["contradiction"] * 2


def test_one_accepted_gold_in_common_is_agreement(databases: Databases) -> None:
    cases = [
        case("1", "SELECT 1", "SELECT 2", question="Which?"),
        case("2", "SELECT 2", "SELECT 3", question="Which?"),
    ]
    assert "contradiction" not in kinds(audit(cases, databases))


def test_the_same_question_on_two_databases_is_no_contradiction(databases: Databases) -> None:
    cases = [
        case("1", "SELECT count(*) FROM planet", question="How many?"),
        replace(case("2", "SELECT count(*) FROM planet", question="How many?"), database="void"),
    ]
    assert kinds(audit(cases, databases)) == ["no_rows"]


def test_columns_left_out_are_no_other_reading(databases: Databases) -> None:
    cases = [
        case("1", "SELECT name, moons FROM planet", "SELECT name FROM planet"),
        case("2", "SELECT name, moons FROM planet", "SELECT name FROM planet",
             "SELECT moons FROM planet"),
        case("3", "SELECT count(*) FROM planet", "SELECT count(rings) FROM planet"),
    ]  # fmt: skip
    assert [(fault.id, fault.kind) for fault in audit(cases, databases)] == [("3", "readings")]


def test_the_first_of_several_cases_with_one_id_is_kept(databases: Databases) -> None:
    cases = [case("1", "SELECT 1"), case("1", "SELECT 2", question="Another?")]
    faults = audit(cases, databases)
    assert kinds(faults) == ["duplicate_id"]
    assert drop(cases, faults) == cases[:1]


def test_lines_that_are_no_cases_are_told_with_their_numbers(
    databases: Databases, tmp_path: Path
) -> None:
    file = tmp_path / "cases.jsonl"
    good = '{"id": 1, "database": "planets", "language": "sql", "question": "?", "queries": ["SELECT 1"]}'  # noqa: E501
    file.write_text(f'{good}\n{{"id": 2}}\n{good}\nnonsense\n')
    cases = read_cases(file)
    faults = audit(cases, databases)
    assert [(fault.id, fault.kind) for fault in faults] == [
        ("2", "malformed"),
        ("1", "duplicate_id"),
        ("", "malformed"),
    ]
    assert [fault.reason.split(":")[0] for fault in faults] == ["Line 2", "Line 3", "Line 4"]
    assert [left.id for left in drop(cases, faults)] == ["1"]


def test_a_missing_database_is_a_fault_of_each_of_its_cases(databases: Databases) -> None:
    cases = [replace(case(str(number), "SELECT 1"), database="pluto") for number in (1, 2)]
    cases += [replace(case("3", "SELECT 1"), database=""), case("4", "SELECT 1")]
    faults = audit(cases, databases)
    assert [(fault.id, fault.kind) for fault in faults] == [
        ("1", "no_database"),
        ("2", "no_database"),
        ("3", "no_database"),
    ]
    assert "pluto" in faults[0].reason
    assert "names no database" in faults[2].reason
    assert drop(cases, faults) == cases[3:]


def test_a_database_without_rows_decides_nothing(databases: Databases) -> None:
    cases = [replace(case("1", "SELECT count(*) FROM planet"), database="void")]
    faults = audit(cases, databases)
    assert kinds(faults) == ["no_rows"]
    assert drop(cases, faults) == []


def test_faults_come_in_the_order_of_the_cases(databases: Databases) -> None:
    bad = "SELECT mass FROM planet"
    cases: list[Case | Malformed] = [
        case("1", bad, question="Same?"),
        Malformed(2, "2", "it is not JSON"),
        case("3", bad),
        case("4", bad, question="Same?"),
    ]
    assert [fault.id for fault in audit(cases, databases)] == ["1", "2", "3", "4"]


def test_progress_is_told_up_to_the_end(databases: Databases) -> None:
    told: list[tuple[int, int]] = []
    cases = [case("1", "SELECT 1"), case("2", "SELECT 2"), Malformed(3, "", "no")]
    audit(cases, databases, lambda done, all: told.append((done, all)))
    assert told == [(2, 3), (3, 3)]


def test_a_fault_as_json() -> None:
    assert Fault("1", "empty", "The gold returns no row.", "SELECT 1").to_json() == {
        "id": "1",
        "kind": "empty",
        "reason": "The gold returns no row.",
        "query": "SELECT 1",
        "note": False,
    }
    assert "query" not in Fault("1", "no_database", "Gone.").to_json()


def all_golds() -> list[Case]:
    return [
        case(str(number), gold, question=question)
        for number, (_, question, gold) in enumerate(GOLDS)
    ]


def test_after_dropping_gold_scores_one_and_nothing_scores_zero(databases: Databases) -> None:
    cases = drop(all_golds(), audit(all_golds(), databases))
    assert len(cases) == sum(kind == "-" or kind in NOTES for kind, _, _ in GOLDS)
    scorer = Scorer(databases, {**METRICS, "ex": OPTIONAL["ex"]})
    for one in cases:
        gold = scorer.score(one, one.queries[0])
        nothing = scorer.score(one, "")
        given = {name: value for name, value in gold.values.items() if value is not None}
        assert given.pop("both_empty") == 0
        assert set(given.values()) == {1.0}, (one, given)
        assert {nothing.values[name] for name in given} == {0.0}, one

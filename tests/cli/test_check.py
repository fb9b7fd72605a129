"""`groundwire check`: exit codes, JSON and the batch form are a contract (design, section 10)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Ran

Call = Callable[..., Ran]
KEYS = {"language", "dialect", "verdict", "draft", "query", "findings", "choices", "error", "cost"}


@pytest.mark.parametrize(
    ("draft", "code", "verdict"),
    [
        ("SELECT count(*) FROM customers", 0, "admitted"),
        ("SELECT count(*) FROM customer", 1, "repaired"),
        ("SELECT * FROM invoices", 3, "refused"),
        ("DROP TABLE customers", 3, "refused"),
        ("how many customers", 3, "refused"),
    ],
)
def test_the_exit_code_says_the_verdict(
    groundwire: Call, url: str, draft: str, code: int, verdict: str
) -> None:
    ran = groundwire("check", url, draft, "--json")
    assert ran.code == code
    assert ran.json["verdict"] == verdict
    assert set(ran.json) >= KEYS
    assert "rows" not in ran.json


def test_a_finding_has_all_its_keys(groundwire: Call, url: str) -> None:
    finding = groundwire("check", url, "SELECT nmae FROM customers", "--json").json["findings"][0]
    assert finding["code"] == "SCH3"
    assert finding["severity"] == "fault"
    assert finding["action"] == "repaired"
    assert finding["span"] == [7, 11]
    assert finding["edits"] == [{"span": [7, 11], "text": "name"}]
    assert set(finding["evidence"][0]) == {"statement", "answer", "seconds", "sentence"}


def test_run_adds_the_rows(groundwire: Call, url: str) -> None:
    ran = groundwire("check", url, "SELECT name FROM customers ORDER BY id", "--json", "--run")
    assert ran.json["rows"] == [["Ada"], ["Bo"], ["Cy"]]
    assert ran.json["columns"] == [{"name": "name", "type": "VARCHAR"}]
    assert ran.json["row_count"] == 3
    assert ran.json["truncated"] is False


def test_a_cut_result_says_so(groundwire: Call, url: str) -> None:
    ran = groundwire(
        "check", url, "SELECT name FROM customers", "--json", "--run", "--max-rows", "2"
    )
    assert ran.json["row_count"] == 2
    assert ran.json["truncated"] is True


def test_a_draft_can_come_from_standard_input(groundwire: Call, url: str) -> None:
    assert (
        groundwire("check", url, "-", "--json", stdin="SELECT 1 AS x").json["draft"]
        == "SELECT 1 AS x"
    )


def test_a_batch_gives_one_line_a_draft_in_order(
    groundwire: Call, url: str, tmp_path: Path
) -> None:
    batch = tmp_path / "batch.jsonl"
    entries = [
        {"id": "a", "draft": "SELECT 1"},
        {"id": 2, "draft": "SELECT nmae FROM customers", "question": "names?"},
        {"id": "p", "draft": "SELECT name FROM customers WHERE id = ?", "params": [1]},
        {"id": None, "draft": "DELETE FROM customers"},
    ]
    batch.write_text("\n".join(json.dumps(entry) for entry in entries) + "\n\n")
    ran = groundwire("check", url, "--file", str(batch))
    assert [line["id"] for line in ran.lines] == ["a", 2, "p", None]
    verdicts = [line["verdict"] for line in ran.lines]
    assert verdicts == ["admitted", "repaired", "admitted", "refused"]
    assert ran.lines[1]["question"] == "names?"
    assert ran.code == 3


def test_a_broken_line_of_a_batch_is_told_and_the_rest_goes_on(
    groundwire: Call, url: str, tmp_path: Path
) -> None:
    batch = tmp_path / "batch.jsonl"
    batch.write_text(
        '{"id": 1, "draft": "SELECT 1"}\nnot json\n{"id": 3}\n{"id": 4, "draft": "SELECT 4"}\n'
    )
    ran = groundwire("check", url, "--file", str(batch))
    assert [line["verdict"] for line in ran.lines] == ["admitted", "failed", "failed", "admitted"]
    assert ran.lines[2]["id"] == 3
    assert "Line 2" in ran.lines[1]["error"]["message"]
    assert ran.code == 4


@pytest.mark.parametrize(
    ("arguments", "code", "part"),
    [
        (["check", "nothing://here", "SELECT 1"], 2, "not served"),
        (["check", "no url at all", "SELECT 1"], 2, ""),
        (["check", "duckdb:///missing.duckdb", "SELECT 1"], 4, "does not exist"),
        (["check", "{url}"], 2, "Give one query"),
        (["check", "{url}", "SELECT 1", "--file", "x.jsonl"], 2, "Give one query"),
        (["check", "{url}", "--file", "missing.jsonl"], 2, "cannot be read"),
        (["check", "postgresql://localhost:1/none", "SELECT 1"], 4, ""),
        (["check"], 2, ""),
        (["frobnicate"], 2, ""),
    ],
)
def test_wrong_usage_and_missing_databases_are_told_apart(
    groundwire: Call, url: str, arguments: list[str], code: int, part: str
) -> None:
    ran = groundwire(*(argument.replace("{url}", url) for argument in arguments))
    assert ran.code == code
    assert part in ran.err
    assert not ran.out


def test_a_missing_database_is_json_where_json_is_wanted(groundwire: Call) -> None:
    ran = groundwire("check", "duckdb:///missing.duckdb", "SELECT 1", "--json")
    assert ran.code == 4
    assert ran.json["verdict"] == "failed"
    assert ran.json["error"]["who"] == "operator"


def test_excluded_columns_cannot_be_read(groundwire: Call, url: str) -> None:
    ran = groundwire(
        "check", url, "SELECT * FROM customers", "--json", "--run", "--exclude", "customers.city"
    )
    assert ran.json["verdict"] == "repaired"
    assert [column["name"] for column in ran.json["columns"]] == ["id", "name"]
    assert groundwire("check", url, "SELECT city FROM customers", "--exclude", "*.city").code == 3


TWO_SPELLINGS = "SELECT count(*) FROM thefts WHERE kind = 'Theft'"


@pytest.fixture
def two_spellings(tmp_path: Path) -> str:
    """A database that stores one kind in two spellings."""
    import duckdb

    path = tmp_path / "thefts.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE thefts (id INTEGER, kind TEXT)")
        connection.execute("INSERT INTO thefts VALUES (1, 'theft'), (2, 'THEFT'), (3, 'THEFT')")
    return f"duckdb:///{path}"


def test_a_draft_with_two_readings_is_asked_about(groundwire: Call, two_spellings: str) -> None:
    ran = groundwire("check", two_spellings, TWO_SPELLINGS, "--json")
    assert ran.code == 3
    assert ran.json["verdict"] == "asked"
    assert [choice["query"] for choice in ran.json["choices"]] == [
        "SELECT count(*) FROM thefts WHERE kind = 'THEFT'",
        "SELECT count(*) FROM thefts WHERE kind = 'theft'",
        "SELECT count(*) FROM thefts WHERE kind IN ('THEFT', 'theft')",
    ]
    assert all(choice["label"] for choice in ran.json["choices"])


def test_the_readings_are_shown_to_a_person(groundwire: Call, two_spellings: str) -> None:
    ran = groundwire("check", two_spellings, TWO_SPELLINGS)
    assert ran.code == 3
    assert "asked" in ran.out
    assert "3. thefts.kind is 'THEFT' or 'theft'" in ran.out
    assert "kind IN ('THEFT', 'theft')" in ran.out


def test_a_choice_is_admitted_when_it_comes_back(groundwire: Call, two_spellings: str) -> None:
    for choice in groundwire("check", two_spellings, TWO_SPELLINGS, "--json").json["choices"]:
        assert groundwire("check", two_spellings, choice["query"], "--json").code == 0


def test_what_was_not_checked_is_said(
    groundwire: Call, two_spellings: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert groundwire("check", two_spellings, TWO_SPELLINGS, "--json").json["unchecked"] == []
    monkeypatch.setenv("GROUNDWIRE_MAX_PROBES", "0")
    ran = groundwire("check", two_spellings, TWO_SPELLINGS, "--json")
    assert ran.json["verdict"] == "admitted"
    assert "literal_not_stored" in ran.json["unchecked"]
    shown = groundwire("check", two_spellings, TWO_SPELLINGS).out
    assert "Not checked, the budget for small questions was spent: literal not stored" in shown

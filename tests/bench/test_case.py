"""Cases and predictions as lines: what is read, and what is said of a line that cannot be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from groundwire.bench import Case, Prediction, read_cases, read_predictions
from groundwire.bench.case import TOLERANCE, Malformed
from groundwire.errors import UsageError

LEAST = {"id": "1", "database": "db", "language": "sql", "question": "?", "queries": ["SELECT 1"]}


def written(path: Path, *lines: Any) -> Path:
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return path


def test_a_case_comes_back_from_its_line() -> None:
    case = Case(
        "7", "db", "cypher", "Wer?", ("RETURN 1", "RETURN 2"), ("name",), 0.01, "hard", ("join",)
    )
    assert Case.from_json(json.loads(json.dumps(case.to_json()))) == case
    none = Case("8", "db", "sql", "?", (), answerable=False)
    assert Case.from_json(none.to_json()) == none


def test_what_may_be_left_out_has_a_default() -> None:
    case = Case.from_json(LEAST)
    assert (case.order_matters, case.tolerance, case.tier, case.tags) == (False, TOLERANCE, "", ())
    assert case.answerable
    assert Case.from_json(LEAST | {"order_matters": None, "tier": None, "tags": None}) == case
    assert Case.from_json(LEAST | {"order_matters": []}).order_matters is False
    assert Case.from_json(LEAST | {"id": 1}).id == "1"
    assert Case.from_json(LEAST | {"later": "more"}) == case


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"id": None}, '"id" must be a text or a number'),
        ({"id": True}, '"id" must be a text or a number'),
        ({"id": " "}, '"id" must be a text or a number'),
        ({"id": ["1"]}, '"id" must be a text or a number'),
        ({"database": 3}, '"database" must be a text'),
        ({"language": "gql"}, '"language" must be "sql" or "cypher"'),
        ({"language": []}, '"language" must be "sql" or "cypher"'),
        ({"question": None}, '"question" must be a text'),
        ({"queries": "SELECT 1"}, '"queries" must be a list of texts'),
        ({"queries": [1]}, '"queries" must be a list of texts'),
        ({"queries": []}, 'an answerable case needs "queries"'),
        ({"queries": ["  "]}, 'an answerable case needs "queries"'),
        ({"answerable": "no"}, '"answerable" must be true or false'),
        ({"order_matters": "yes"}, '"order_matters" must be true or false'),
        ({"order_matters": [1]}, '"order_matters" must be a list of texts'),
        ({"tolerance": "0.1"}, '"tolerance" must be a number'),
        ({"tolerance": True}, '"tolerance" must be a number'),
        ({"tolerance": -1}, '"tolerance" must be a number from 0 to below 1'),
        ({"tolerance": 1}, '"tolerance" must be a number from 0 to below 1'),
        ({"tolerance": float("nan")}, '"tolerance" must be a number from 0 to below 1'),
        ({"tier": 3}, '"tier" must be a text'),
        ({"tags": {"a": 1}}, '"tags" must be a list of texts'),
    ],
)
def test_a_field_of_another_kind_is_named(change: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason.replace("(", r"\(")):
        Case.from_json(LEAST | change)


@pytest.mark.parametrize("key", ["id", "database", "language", "question"])
def test_a_missing_field_is_named(key: str) -> None:
    with pytest.raises(ValueError, match=f'"{key}" is missing'):
        Case.from_json({name: value for name, value in LEAST.items() if name != key})


@pytest.mark.parametrize("entry", [None, 3, "text", ["list"]])
def test_a_line_is_an_object(entry: Any) -> None:
    for kind in (Case, Prediction):
        with pytest.raises(ValueError, match="an object is expected"):
            kind.from_json(entry)


def test_a_prediction_may_be_empty_and_may_have_an_answer() -> None:
    assert Prediction.from_json({"id": 1, "query": None}) == Prediction("1", "")
    assert Prediction.from_json({"id": "1", "query": " SELECT 1\n"}) == Prediction("1", "SELECT 1")
    worded = Prediction.from_json({"id": "1", "query": "SELECT 1", "answer": " One. "})
    assert worded.answer == "One."
    for change in ({"query": 1}, {"query": "SELECT 1", "answer": 1}):
        with pytest.raises(ValueError, match="must be a text"):
            Prediction.from_json({"id": "1"} | change)
    with pytest.raises(ValueError, match='"query" is missing'):
        Prediction.from_json({"id": "1"})


def test_lines_that_cannot_be_used_keep_their_place(tmp_path: Path) -> None:
    file = written(
        tmp_path / "cases.jsonl",
        LEAST,
        "",
        "{",
        {"id": "2"},
        "[" * 100_000,
        LEAST | {"id": "3"},
        LEAST,
        "null",
    )
    found = read_cases(file)
    assert [item.id for item in found] == ["1", "", "2", "", "3", "1", ""]
    bad = [(item.number, item.reason) for item in found if isinstance(item, Malformed)]
    assert [number for number, _ in bad] == [3, 4, 5, 7, 8]
    assert bad[0][1].endswith("Expecting property name enclosed in double quotes at column 2")
    assert bad[2][1] == "it is nested too deeply"
    assert bad[1][1] == '"database" is missing'
    assert bad[3][1] == "the id 1 stands twice"
    assert bad[4][1] == "an object is expected"


def test_an_id_is_the_same_as_number_and_as_text(tmp_path: Path) -> None:
    file = written(
        tmp_path / "p.jsonl", {"id": 1, "query": "SELECT 1"}, {"id": "1", "query": "SELECT 2"}
    )
    first, second = read_predictions(file)
    assert first == Prediction("1", "SELECT 1")
    assert isinstance(second, Malformed)
    assert (second.number, second.id, second.reason) == (2, "1", "the id 1 stands twice")


def test_a_file_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        read_cases(tmp_path / "nowhere.jsonl")
    with pytest.raises(UsageError, match="cannot be read: Is a directory"):
        read_predictions(tmp_path)
    latin = tmp_path / "latin.jsonl"
    latin.write_bytes('{"id": "é"}'.encode("latin-1"))
    with pytest.raises(UsageError, match="is not UTF-8 text"):
        read_cases(latin)


def test_a_lone_surrogate_and_a_byte_order_mark_are_no_crash(tmp_path: Path) -> None:
    file = tmp_path / "odd.jsonl"
    file.write_bytes(b"\xef\xbb\xbf" + json.dumps(LEAST).encode() + b"\n")
    assert read_cases(file) == [Case.from_json(LEAST)]
    for line in ('{"id": "1", "query": "\\ud800"}', '{"id": "\\ud800", "query": "SELECT 1"}'):
        (lone,) = read_predictions(written(tmp_path / "s.jsonl", line))
        assert lone == Malformed(1, "", "it holds half of a surrogate pair, which is no text")
    (pair,) = read_predictions(
        written(tmp_path / "s.jsonl", '{"id": "\\ud83d\\ude00", "query": ""}')
    )
    assert pair == Prediction("\N{GRINNING FACE}", "")

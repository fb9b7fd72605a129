"""Files that are not what their names say, and cells and lines of every kind."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from groundwire.bench.case import Case, Malformed
from groundwire.bench.datasets.dataset import make_case
from groundwire.bench.datasets.files import Record, Unusable, read_files
from groundwire.errors import UsageError


def read(record: Record) -> Case:
    return make_case(
        id=record.identity("id", "number"),
        database="d",
        language="sql",
        question=record.text("question"),
        queries=(record.optional("query"),),
    )


GOOD = {"id": "a", "question": "Which?", "query": "SELECT 1"}


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.json", b"[{]", "is not JSON"),
        ("a.json", b"[" * 100_000, "is not JSON"),
        ("a.txt", b"", "of no known kind"),
        ("a.jsonl", b"\xff\xfe", "not UTF-8"),
        ("a.jsonl.gz", b"plain", "cannot be read"),
        ("a.jsonl.gz", gzip.compress(b'{"id": 1}', mtime=0)[:-6], "cannot be read"),
        ("a.csv", b'id,question\n1,"open', "is not CSV"),
        ("a.parquet", b"PAR", "cannot be read as Parquet"),
    ],
    ids=range(8),
)
def test_a_file_that_is_not_what_its_name_says(
    tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(UsageError, match=message) as error:
        read_files([tmp_path / name], read)
    assert name in error.value.message


def test_a_file_that_is_missing(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        read_files([tmp_path / "a.json"], read)


@pytest.mark.parametrize("name", ["a.json", "a.csv", "a.jsonl"])
def test_an_empty_file_has_no_cases(tmp_path: Path, name: str) -> None:
    (tmp_path / name).touch()
    assert read_files([tmp_path / name], read) == []


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("name", ["a.json", "lines.json", "a.jsonl", "a.csv"])
def test_every_kind_gives_the_same_case(tmp_path: Path, name: str, packed: bool) -> None:
    texts = {
        "a.json": json.dumps([GOOD]),
        "lines.json": json.dumps(GOOD),
        "a.jsonl": "\n" + json.dumps(GOOD) + "\n",
        "a.csv": "id,question,query\r\n\r\na,Which?,SELECT 1\r\n",
    }
    content = ("\ufeff" + texts[name]).encode()
    file = tmp_path / (name + ".gz" * packed)
    file.write_bytes(gzip.compress(content) if packed else content)
    (case,) = read_files([file], read)
    assert isinstance(case, Case)
    assert (case.id, case.question, case.queries) == ("a", "Which?", ("SELECT 1",))


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ({**GOOD, "id": None}, '"id" must be a text or a number'),
        ({**GOOD, "id": True}, '"id" must be a text or a number'),
        ({"number": [], "question": "?"}, '"number" must be a text or a number'),
        ({**GOOD, "question": "  "}, '"question" must be a text'),
        ({**GOOD, "question": 7}, '"question" must be a text'),
        ({**GOOD, "query": None}, "it has no gold query"),
        ([], "an object is expected"),
    ],
)
def test_a_record_that_is_no_case_is_told(tmp_path: Path, record: object, reason: str) -> None:
    file = tmp_path / "a.json"
    file.write_text(json.dumps([record, GOOD]))
    line, case = read_files([file], read)
    assert isinstance(line, Malformed)
    assert (line.number, line.reason) == (1, reason)
    assert isinstance(case, Case)


def test_ids_are_unique_over_all_files(tmp_path: Path) -> None:
    for name in ("a.json", "b.json"):
        (tmp_path / name).write_text(json.dumps([GOOD]))
    first, second = read_files([tmp_path / "a.json", tmp_path / "b.json"], read)
    assert isinstance(first, Case)
    assert second == Malformed(1, "a", "the id a stands twice", "duplicate_id")


def test_a_long_cell_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(f'id,question,query\n1,"{"x" * 300_000}",SELECT 1\n')
    (case,) = read_files([tmp_path / "a.csv"], read)
    assert isinstance(case, Case)
    assert len(case.question) == 300_000


def test_a_gold_that_stands_twice_counts_once() -> None:
    case = make_case(id="1", database="d", language="sql", question="?", queries=("a", " ", "a"))
    assert case.queries == ("a",)


def test_an_answerable_question_needs_a_gold() -> None:
    with pytest.raises(Unusable, match="no gold"):
        make_case(id="1", database="d", language="sql", question="?", queries=(" ",))

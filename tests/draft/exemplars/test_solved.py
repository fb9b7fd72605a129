"""Files of solved questions: what is read, and what a wrong line gets."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundwire.draft.solved import Exemplar, read_solved
from groundwire.errors import GroundwireError, UsageError


def write(folder: Path, *lines: object, name: str = "pairs.jsonl") -> Path:
    path = folder / name
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join(texts), "utf-8")
    return path


def test_a_pair_is_a_question_and_a_query(tmp_path: Path) -> None:
    path = write(tmp_path, {"question": " How many? ", "query": "SELECT 1"})
    assert read_solved(path) == (Exemplar("How many?", "SELECT 1"),)


def test_a_pair_may_say_its_database_its_language_and_its_id(tmp_path: Path) -> None:
    whole = {"database": "movies", "language": "cypher", "id": 7, "note": "passed over"}
    path = write(tmp_path, {"question": "Who?", "query": "RETURN 1", **whole})
    assert read_solved(path) == (Exemplar("Who?", "RETURN 1", "movies", "cypher", "7"),)


def test_a_graph_may_be_named_as_one(tmp_path: Path) -> None:
    path = write(tmp_path, {"question": "Who?", "query": "MATCH (n) RETURN n", "graph": "movies"})
    assert read_solved(path)[0].database == "movies"


@pytest.mark.parametrize(
    ("query", "language"),
    [
        ("SELECT 1", "sql"),
        ("WITH t AS (SELECT 1 AS n) SELECT n FROM t", "sql"),
        ("(SELECT 1) UNION (SELECT 2)", "sql"),
        ("-- how many\nSELECT 1", "sql"),
        ("MATCH (n) RETURN n", "cypher"),
        ("WITH 1 AS n RETURN n", "cypher"),
        ("// how many\nMATCH (n) RETURN count(n)", "cypher"),
        ("CALL { MATCH (n) RETURN n } RETURN count(n)", "cypher"),
    ],
)
def test_a_language_that_is_not_said_is_read_from_the_query(
    query: str, language: str, tmp_path: Path
) -> None:
    assert read_solved(write(tmp_path, {"question": "?a", "query": query}))[0].language == language


def test_empty_lines_a_byte_order_mark_and_doubles_are_passed_over(tmp_path: Path) -> None:
    pair = json.dumps({"question": "Who?", "query": "SELECT 1"})
    path = write(tmp_path, "\ufeff" + pair, "", pair + "\r", "  ")
    assert len(read_solved(path)) == 1


def test_a_csv_file_has_a_header(tmp_path: Path) -> None:
    path = write(tmp_path, "question,query,database", '"Who, then?","SELECT\n 1",', name="p.csv")
    assert read_solved(path) == (Exemplar("Who, then?", "SELECT\n 1"),)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{", "line 2: it is no JSON"),
        ("[1]", "line 2: it is no JSON object"),
        ('{"question": "Who?"}', "line 2: the query is missing"),
        ('{"question": " ", "query": "SELECT 1"}', "line 2: the question is missing"),
        ('{"question": 1, "query": "SELECT 1"}', "line 2: the question is not a text"),
        ('{"question": "\\ud800", "query": "SELECT 1"}', "line 2: the question holds half a"),
        ('{"question": "a", "query": "b", "language": "sparql"}', "line 2: the language 'sparql'"),
        ("[" * 100_000, "line 2: it is no JSON"),
    ],
)
def test_a_malformed_line_is_named(line: str, complaint: str, tmp_path: Path) -> None:
    path = write(tmp_path, {"question": "Who?", "query": "SELECT 1"}, line)
    with pytest.raises(UsageError, match=complaint) as raised:
        read_solved(path)
    assert str(path) in raised.value.message


def test_a_csv_row_without_a_query_is_named(tmp_path: Path) -> None:
    path = write(tmp_path, "question,query", "a,b", "c", name="p.csv")
    with pytest.raises(UsageError, match="line 3: the query is missing"):
        read_solved(path)


def test_a_missing_or_unreadable_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="does not exist"):
        read_solved(tmp_path / "none.jsonl")
    with pytest.raises(UsageError, match="is a folder"):
        read_solved(tmp_path)
    (tmp_path / "latin.jsonl").write_bytes(b'{"question": "\xe4"}')
    with pytest.raises(UsageError, match="not UTF-8"):
        read_solved(tmp_path / "latin.jsonl")


def test_a_file_without_a_pair_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no pair"):
        read_solved(write(tmp_path, "", " "))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(content: bytes, tmp_path: Path) -> None:
    for name in ("any.jsonl", "any.csv"):
        (tmp_path / name).write_bytes(content)
        with suppress(GroundwireError):
            assert read_solved(tmp_path / name)

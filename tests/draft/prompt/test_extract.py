"""One statement out of a model's reply, whatever stands around it."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire import errors
from groundwire.draft.extract import extract_statement
from groundwire.errors import DraftError, GroundwireError, NotUnderstood

REPLIES = Path(__file__).parent / "replies"
DATA = Path(__file__).parents[4] / "shared" / "data"


def pairs(language: str) -> Iterator[Any]:
    _, *blocks = re.split(r"^=====\n", (REPLIES / f"{language}.txt").read_text("utf-8"), flags=re.M)
    for number, block in enumerate(blocks, 1):
        reply, _, expected = block.partition("---> ")
        assert expected, f"{language}.txt: block {number} expects nothing"
        yield pytest.param(language, reply, expected.rstrip("\n"), id=f"{language}-{number}")


@pytest.mark.parametrize(("language", "reply", "expected"), [*pairs("sql"), *pairs("cypher")])
def test_replies(language: Any, reply: str, expected: str) -> None:
    if not expected.startswith("!"):
        assert extract_statement(reply, language) == expected
        return
    name, _, words = expected[1:].partition(" ")
    with pytest.raises(getattr(errors, name)) as caught:
        extract_statement(reply, language)
    assert words in caught.value.message


def test_different_statements_have_a_code_of_their_own() -> None:
    with pytest.raises(DraftError) as caught:
        extract_statement("SELECT 1; SELECT 2", "sql")
    assert caught.value.code == "SEVERAL_STATEMENTS"


def test_a_long_reason_is_cut() -> None:
    with pytest.raises(NotUnderstood) as caught:
        extract_statement("INVALID_REQUEST: " + "no " * 1000, "sql")
    assert len(caught.value.message) < 400


# --- properties ------------------------------------------------------------------------------

ANY_TEXT = st.text(max_size=300)
LANGUAGES = st.sampled_from(["sql", "cypher"])
QUOTES = [";", "'", '"', "`", "--", "/*", "$$", "(", "{", "}"]
WORDS = ["SELECT 1", "MATCH (n) RETURN n", "INVALID_REQUEST", "Here is it: ", "This is it."]
MARKS = ["```", "```sql\n", "\n", "\n\n", "<think>", "</think>"]
PIECES = st.sampled_from([*QUOTES, *WORDS, *MARKS])


@given(st.one_of(ANY_TEXT, st.lists(PIECES, max_size=12).map("".join)), LANGUAGES)
def test_any_reply_gives_a_statement_of_it_or_one_of_two_errors(reply: str, language: Any) -> None:
    try:
        statement = extract_statement(reply, language)
    except (DraftError, NotUnderstood):
        return
    assert statement.strip() == statement != ""


VALUES = st.text(st.characters(exclude_characters="'\\\n\r`", exclude_categories=["Cs", "Cc"]))
AROUND = [
    "{}",
    "{};",
    "```sql\n{};\n```",
    "Here's the query:\n\n```\n{}\n```\n\nIt's what you asked for; it has one condition.",
    "SQL: {}",
    "Sure! Here is the SQL query:\n\n{};\n\nThis query returns what you asked for.",
    "<think>Perhaps SELECT 2; or not.</think>\n{}",
    "```sql\n{}\n```\nAgain:\n```sql\n{};\n```",
]


@given(VALUES, st.sampled_from(AROUND))
def test_what_a_string_holds_never_ends_the_statement(value: str, around: str) -> None:
    statement = f"SELECT name FROM t WHERE note = '{value}' ORDER BY name"
    reply = around.replace("{}", statement)
    assert extract_statement(reply, "sql") == statement


@given(VALUES)
def test_json_carries_any_statement(value: str) -> None:
    statement = f"SELECT name FROM t WHERE note = '{value}'"
    for reply in (
        json.dumps({"query": statement}),
        f"```json\n{json.dumps({'sql': statement})}\n```",
    ):
        assert extract_statement(reply, "sql") == statement


# --- recorded drafts of real models ----------------------------------------------------------


def recorded(name: str, key: str, every: int) -> list[str]:
    path = DATA / name
    if not path.exists():
        pytest.skip(f"{path} is not there: the recorded drafts are not part of the repository")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        drafts = [json.loads(line)[key] for line in lines]
    return [draft for draft in drafts[::every] if draft and "```" not in draft]


@pytest.mark.parametrize(
    ("name", "key", "language", "every"),
    [
        ("spider/recorded_predictions.jsonl.gz", "pred_sql", "sql", 7),
        ("bird_mini_dev/predictions.jsonl.gz", "pred_sql", "sql", 7),
        ("cypherbench/predictions.jsonl.gz", "pred_cypher", "cypher", 11),
        ("text2cypher_neo4jlabs/predictions.jsonl.gz", "cypher", "cypher", 17),
    ],
)
def test_recorded_drafts_come_out_of_every_wrapping_as_they_went_in(
    name: str, key: str, language: Any, every: int
) -> None:
    drafts = recorded(name, key, every)
    alike = different = 0
    for draft in drafts:
        try:
            alone = extract_statement(draft, language)
        except GroundwireError:
            continue
        for around in AROUND:
            try:
                same = extract_statement(around.replace("{}", alone), language) == alone
            except GroundwireError:
                same = False
            alike, different = alike + same, different + (not same)
    assert alike > 500
    # What is left are strings with an apostrophe that nobody escaped.
    assert different <= 0.002 * alike

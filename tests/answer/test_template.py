"""The sentence of a result, from the result alone."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.answer.facts import check_sentence
from groundwire.answer.template import cut_sentence, template_sentence
from groundwire.answer.wording import column_names, listed, say, say_number, visible
from tests.answer.judged import Judged, read_pairs, table
from tests.answer.strategies import results

PAIRS = list(read_pairs(Path(__file__).parent / "templates.txt"))


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.place)
def test_a_result_is_told_in_this_sentence(pair: Judged) -> None:
    said = template_sentence(pair.question, pair.result, total=pair.total, understood=pair.context)
    assert said == pair.sentence


@settings(max_examples=100, deadline=None)
@given(results, st.text(max_size=60))
def test_no_result_and_no_question_breaks_the_template(result: Any, question: str) -> None:
    said = template_sentence(question, result)
    assert said.strip() == said
    assert said.endswith(".")
    assert visible(said) == said


@settings(max_examples=50, deadline=None)
@given(results)
def test_a_cut_result_is_never_told_as_a_whole(result: Any) -> None:
    said = template_sentence("q", result)
    assert ("of more than" in said) == (result.truncated and bool(result.rows))
    assert "exactly" not in said


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0, "0"),
        (-1234567, "-1,234,567"),
        (1234.0, "1,234"),
        (0.5, "0.5"),
        (34.5678, "about 34.57"),
        (0.0123456, "about 0.0123"),
        (Decimal("19.90"), "19.90"),
        (Decimal("19.900000"), "19.9"),
        (1e300, "1.00e+300"),
        (1.2345e-7, "about 1.23e-7"),
        (float("nan"), "not a number"),
        (float("-inf"), "minus infinity"),
    ],
)
def test_figures_are_written_for_people_and_rounding_is_said(value: Any, said: str) -> None:
    assert say_number(value) == said


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (None, "no value"),
        (True, "true"),
        ("", "an empty text"),
        ("THEFT", "THEFT"),
        ("O'Brien & Co", "O'Brien & Co"),
        ("[red]x[/red]", "“[red]x[/red]”"),
        ("a\x1b[31mb", "“a␛[31mb”"),
        ("x" * 70, "x" * 59 + "…"),
        (date(2024, 7, 1), "1 July 2024"),
        (datetime(2024, 7, 1), "1 July 2024"),
        (datetime(2024, 7, 1, 9, 5, 7), "1 July 2024 09:05:07"),
        ([1, "a"], '“[1, "a"]”'),
        (b"\x00\xff", "“\\x00ff”"),
    ],
)
def test_values_are_said_in_words(value: Any, said: str) -> None:
    assert say(value).replace("“x", "x").replace("…”", "…") == said


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("count_star()", "count"),
        ("COUNT(*)", "count"),
        ("sum(amount)", "total amount"),
        ("count(DISTINCT o.customer_id)", "count of different customer id"),
        ("LOCATION_DESCRIPTION", "location description"),
        ("createdAt", "created at"),
        ("?column?", "result"),
        ("(a * b)", "result"),
        ("Größe", "größe"),
    ],
)
def test_columns_are_called_by_words(name: str, words: str) -> None:
    assert column_names([name]) == (words,)


def test_hidden_characters_become_visible_and_scripts_stay() -> None:
    assert visible("a\x1b[2J\r\n\u202eb") == "a␛[2J␍␊\\u202eb"
    assert visible("नमस्ते 東京 👩‍🔬 é") == "नमस्ते 東京 👩‍🔬 é"
    assert visible("\ud800").isprintable()


def test_lists_are_read_as_sentences() -> None:
    assert [listed(list("abc")[:n]) for n in range(4)] == ["", "a", "a and b", "a, b and c"]


def test_a_total_that_is_no_larger_than_what_is_shown_is_not_told() -> None:
    assert cut_sentence(table(["n"], [[1], [2]], cut=True), 2) == (
        "Showing the first 2 of more than 2 rows."
    )


def test_midnight_beside_times_of_its_day_is_told_with_its_clock() -> None:
    rows = [[datetime(2000, 1, 1), 3], [datetime(2000, 1, 1, 5, 3), 2]]
    sentence = template_sentence("When?", table(["time", "n"], rows))
    assert "1 January 2000 00:00" in sentence
    assert check_sentence(sentence, "When?", table(["time", "n"], rows)).ok


@pytest.mark.parametrize("change", [{"fold": 1}, {"microsecond": 5}])
def test_times_that_are_said_alike_name_no_row(change: dict[str, int]) -> None:
    first = datetime(2000, 1, 1, 5, 3)
    result = table(["time", "n"], [[first, 3], [first.replace(**change), 2]])
    sentence = template_sentence("When?", result)
    assert "one for each" not in sentence
    assert check_sentence(sentence, "When?", result).ok

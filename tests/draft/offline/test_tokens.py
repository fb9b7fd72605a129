"""Words, numbers and quotes of a question."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.draft.offline.tokens import is_latin, tokenize

NUMBERS = {
    "1,000": 1000,
    "10,000.5": 10000.5,
    "two hundred thousand": 200_000,
    "twenty five": 25,
    "a hundred": 100,
    "1.5 million": 1_500_000,
    "10k": 10_000,
    "$500": 500,
    "0321": 321,
}


@pytest.mark.parametrize(("text", "value"), NUMBERS.items())
def test_numbers_are_read_in_digits_and_words(text: str, value: float) -> None:
    (token,) = tokenize(text)
    assert token.number == value


def test_a_sign_belongs_to_a_number_and_a_dash_joins_two() -> None:
    assert tokenize("below -87.6")[1].number == -87.6
    assert [t.word for t in tokenize("2015-2018")] == ["2015", "-", "2018"]
    assert [t.word for t in tokenize("break-in")] == ["break", "in"]


def test_numbers_beside_each_other_stay_apart() -> None:
    assert [t.number for t in tokenize("districts 1, 2 and 3") if t.number] == [1, 2, 3]


def test_quoted_text_is_one_token_without_its_quotes() -> None:
    tokens = tokenize("named 'Old Mill' or \"Do They Know It's\"")
    assert [t.text for t in tokens if t.quoted] == ["Old Mill", "Do They Know It's"]


def test_apostrophes_do_not_open_quotes() -> None:
    words = [t.word for t in tokenize("What's O'Hare's busiest singers' day?")]
    assert words == ["what", "is", "ohare", "'s", "busiest", "singers", "day"]


def test_another_script_is_told_apart() -> None:
    assert is_latin("How many crimes in Málaga?")
    assert not is_latin("2020年有多少起犯罪？")
    assert not is_latin("Сколько преступлений?")


@given(st.text(max_size=200))
def test_every_token_stands_where_it_says(text: str) -> None:
    tokens = tokenize(text)
    assert all(0 <= t.start < t.end <= len(text) for t in tokens)
    assert all(a.start <= b.start for a, b in pairwise(tokens))

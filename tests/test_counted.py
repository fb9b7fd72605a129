"""A noun agrees with the number before it."""

from __future__ import annotations

import pytest

from groundwire.counted import counted


@pytest.mark.parametrize(
    ("number", "said"), [(0, "0 rows"), (1, "1 row"), (2, "2 rows"), (8_500_000, "8,500,000 rows")]
)
def test_the_noun_is_in_the_plural_for_all_numbers_but_one(number: int, said: str) -> None:
    assert counted(number, "row") == said


def test_other_plurals_and_verbs_are_given() -> None:
    assert counted(1, "property is", "properties are") == "1 property is"
    assert counted(3, "property is", "properties are") == "3 properties are"

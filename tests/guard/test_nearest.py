"""Which known name an unknown one means: surely one, or none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.guard.nearest import distance, nearest, standing_out

COLUMNS = ["primary_type", "location_description", "community_area", "date", "updated_on", "ward"]


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("primary_tpye", "primary_type"),
        ("PrimaryType", "primary_type"),
        ("primarytypes", "primary_type"),
        ("comunity_area", "community_area"),
        ("dates", "date"),
        ("locationdescription", "location_description"),
        ("type", None),
        ("state", None),
        ("area", None),
        ("war", None),
        ("", None),
    ],
)
def test_a_slip_is_seen_and_another_word_is_not(name: str, meant: str | None) -> None:
    assert standing_out(name, COLUMNS) == meant


def test_two_names_that_are_as_near_leave_it_open() -> None:
    assert standing_out("item_idx", ["item_id1", "item_id2"]) is None
    assert standing_out("orders", ["Orders", "ORDERS"]) is None


def test_near_names_are_shown_best_first() -> None:
    assert nearest("type", COLUMNS)[0] == "primary_type"
    assert nearest("xyzzy", COLUMNS) == ()


NAMES = st.text("abcde_", max_size=8)


@given(NAMES, NAMES, NAMES)
def test_the_distance_is_symmetric_and_zero_only_for_equal_texts(a: str, b: str, c: str) -> None:
    assert distance(a, b) == distance(b, a)
    assert (distance(a, b) == 0) == (a == b)
    assert distance(a, b) <= max(len(a), len(b))


@given(st.lists(NAMES, max_size=6), NAMES)
def test_what_stands_out_is_one_of_the_known_names(known: list[str], name: str) -> None:
    assert standing_out(name, known) in (None, *known)

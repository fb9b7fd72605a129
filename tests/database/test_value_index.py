"""Stored values that look like a text: the same but for case and signs, one slip away, alike."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.database.folding import folded, loose, one_slip
from groundwire.database.value_index import ColumnValues, column_values
from groundwire.guard.nearest import distance
from groundwire.guard.probes import Probes
from tests.conftest import NewDatabase

CITIES = [
    "Berlin",
    "Zürich",
    "St. Louis",
    "New York",
    "THEFT",
    "theft",
    "Philadelphia",
    "Philippopolis",
    "West Philadelphia",
    "Windows 1.5",
    "Sector 12345678",
    "C",
    "Iraq",
]


@pytest.fixture(scope="module")
def cities() -> ColumnValues:
    return ColumnValues(CITIES)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("berlin", ("Berlin",)),
        ("Zurich", ("Zürich",)),
        ("ZÜRICH", ("Zürich",)),
        ("Zu\u0308rich", ("Zürich",)),
        ("St Louis", ("St. Louis",)),
        ("st-louis", ("St. Louis",)),
        (" New  York ", ("New York",)),
        ("NewYork", ("New York",)),
        ("Theft", ("THEFT", "theft")),
        ("C++", ()),
        ("Windows 15", ()),
    ],
)
def test_other_spellings_of_one_text(
    cities: ColumnValues, text: str, same: tuple[str, ...]
) -> None:
    found = cities.look_up(text)
    assert not found.stored
    assert found.same == same


def test_a_stored_text_is_told_with_its_other_spellings(cities: ColumnValues) -> None:
    assert cities.look_up("Berlin") == type(cities.look_up("Berlin"))(stored=True)
    assert cities.look_up("THEFT").same == ("theft",)


@pytest.mark.parametrize("text", ["Philadelpia", "Phialdelphia", "Philadelphias", "hiladelphia"])
def test_one_typing_slip_in_a_long_text(cities: ColumnValues, text: str) -> None:
    assert cities.look_up(text).near == ("Philadelphia",)


@pytest.mark.parametrize("text", ["Beriln", "Berln", "Berlim", "Berliin", "erlin"])
def test_one_typing_slip_in_a_short_text(cities: ColumnValues, text: str) -> None:
    assert cities.look_up(text).near == ("Berlin",)


@pytest.mark.parametrize("text", ["Iran", "Sector 12345679", "Pholadelphio", "D"])
def test_a_slip_in_a_short_word_or_a_digit_or_two_slips_are_no_slip(
    cities: ColumnValues, text: str
) -> None:
    assert cities.look_up(text).near == ()


def test_what_shares_letters_is_alike_the_nearest_first(cities: ColumnValues) -> None:
    assert cities.look_up("Philadelphia, West").like[0] == "West Philadelphia"
    assert cities.look_up("Qqqqqqqqq").like == ()
    assert cities.look_up("").like == ()


def test_texts_too_long_to_spell_are_left_out() -> None:
    assert len(ColumnValues(["short", "x" * 500])) == 1


words = st.text("abcde", min_size=1, max_size=12)


@given(words, words)
def test_one_slip_is_an_edit_distance_of_one(one: str, other: str) -> None:
    assert one_slip(one, other) == (distance(one, other) == 1)


@given(st.lists(st.text("abcdefgh ", min_size=8, max_size=14), min_size=1, max_size=30), st.data())
def test_no_value_one_slip_away_is_missed(values: list[str], data: st.DataObject) -> None:
    index = ColumnValues(dict.fromkeys(values))
    value = data.draw(st.sampled_from(values))
    place = data.draw(st.integers(0, len(value) - 1))
    text = value[:place] + data.draw(st.sampled_from("xyz")) + value[place + 1 :]
    if len(loose(text)) >= 8:
        found = index.look_up(text)
        expected = {v for v in values if one_slip(loose(text), loose(v))}
        assert set(found.near) == expected or found.same


@given(st.text())
def test_folding_twice_is_folding_once(text: str) -> None:
    assert folded(folded(text)) == folded(text) or not unicodedata.is_normalized("NFKD", text)


def test_the_values_of_a_column_are_read_once(new_database: NewDatabase) -> None:
    new_database.fill(
        "CREATE TABLE t (name text, secret text)",
        "INSERT INTO t VALUES ('Ann', 's'), ('ann', 's'), (NULL, 's'), ('Ann', 's')",
    )
    database = new_database.connect(exclude=("t.secret",))
    table = database.catalog().find("t")
    assert table is not None
    first, second = Probes(database), Probes(database)
    values = column_values(database, database.catalog(), table, "name", first.ask)
    assert values is not None
    assert len(values) == 2
    assert column_values(database, database.catalog(), table, "name", second.ask) is values
    assert (first.count, second.count) == (1, 0)
    assert column_values(database, database.catalog(), table, "secret", second.ask) is None
    assert second.count == 0


def test_a_column_of_too_many_values_is_not_read_again(new_database: NewDatabase) -> None:
    new_database.fill("CREATE TABLE t (name text)", "INSERT INTO t VALUES ('a'), ('b'), ('c')")
    database = new_database.connect(value_budget=2)
    table = database.catalog().find("t")
    assert table is not None
    probes = Probes(database)
    assert column_values(database, database.catalog(), table, "name", probes.ask) is None
    assert column_values(database, database.catalog(), table, "name", probes.ask) is None
    assert probes.count == 1

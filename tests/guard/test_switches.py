"""What the guard does with a component switched off, to measure what that is worth."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from groundwire import Guard, Settings, connect
from groundwire.errors import UsageError

MISSPELT = "SELECT count(*) FROM orders WHERE city = 'BERLIN'"
UNKNOWN = "SELECT count(*) FROM orders WHERE citi = 'Berlin'"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    import sqlite3

    path: Path = tmp_path_factory.mktemp("switches") / "shop.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY, city TEXT)")
        connection.executemany(
            "INSERT INTO orders (city) VALUES (?)", [("Berlin",), ("Paris",), ("Berlin",)]
        )
    connection.close()
    return f"sqlite:///{path}"


def verdict(url: str, text: str, *without: str):  # type: ignore[no-untyped-def]
    with connect(url, dataclasses.replace(Settings(), without=without)) as database:
        return Guard(database).check(text)


def test_with_all_on_both_are_repaired(url: str) -> None:
    assert verdict(url, MISSPELT).query.endswith("'Berlin'")
    assert verdict(url, UNKNOWN).query.endswith("city = 'Berlin'")


@pytest.mark.parametrize("component", ["statistics", "literal"])
def test_without_it_no_literal_is_looked_up(url: str, component: str) -> None:
    found = verdict(url, MISSPELT, component)
    assert (found.outcome, found.findings, found.probes) == ("admitted", (), 0)
    assert verdict(url, UNKNOWN, component).outcome == "repaired"


def test_without_fixes_a_repair_is_only_said(url: str) -> None:
    found = verdict(url, MISSPELT, "fixes")
    assert (found.outcome, found.query) == ("admitted", MISSPELT)
    assert [finding.severity for finding in found.findings] == ["doubt"]
    refused = verdict(url, UNKNOWN, "fixes")
    assert (refused.outcome, refused.query) == ("refused", UNKNOWN)


def test_read_only_admission_has_no_switch(url: str) -> None:
    everything = ("rules", "few-shot", "shapes", "literal", "loop", "fixes", "statistics")
    assert verdict(url, "DELETE FROM orders", *everything).outcome == "refused"


def test_an_unknown_component_is_named() -> None:
    with pytest.raises(UsageError, match="no component 'magic'"):
        Settings(without=("magic",))

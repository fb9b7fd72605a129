"""All values of a text column of a large table: read in parts, believed while nothing changes."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from groundwire.database import SqlDatabase, Table, connect, listing
from groundwire.database.measuring import CanListValues, CanSample
from groundwire.database.result import Result
from groundwire.database.statistics import Fact, Statistics
from groundwire.guard import Guard
from groundwire.settings import Settings

SCHEMA = """
CREATE TABLE big (
    id integer, kind text, marked varchar, many text, padded char(9),
    folded text COLLATE alike, filler text);
INSERT INTO big SELECT n, (ARRAY['THEFT', 'ARSON', 'FRAUD'])[1 + n % 3], 'm' || n % 4, 'v' || n,
    'p' || n % 3, 'f' || n % 3, repeat('x', 500) FROM generate_series(1, 4000) AS n;
CREATE INDEX ON big (marked);
"""
COLLATION = (
    "CREATE COLLATION alike (provider = icu, locale = 'und-u-ks-level2', deterministic = false)"
)


class Asker:
    """Asks at most `budget` statements, and remembers them."""

    def __init__(self, database: SqlDatabase, budget: int = 100) -> None:
        self.database, self.budget = database, budget
        self.asked: list[str] = []

    def __call__(
        self, statement: str, parameters: object = None, *, rows: int = 10
    ) -> Result | None:
        if len(self.asked) == self.budget:
            return None
        self.asked.append(statement)
        return self.database.execute(statement, parameters, max_rows=rows)  # type: ignore[arg-type]


@pytest.fixture(params=["postgres_url", "postgres15_url"])
def url(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(CanSample, "exact_rows", 1000)
    monkeypatch.setattr(listing, "FIRST_PART", 20)
    monkeypatch.setattr(listing, "PART_SECONDS", 1e6)
    place: str = request.getfixturevalue(request.param)
    schema = SCHEMA
    try:
        write(place, COLLATION)
    except psycopg.errors.FeatureNotSupported:  # a server without ICU
        schema = SCHEMA.replace("COLLATE alike", "")
    write(place, *schema.split(";"), "ANALYZE")
    return place


@pytest.fixture
def database(url: str) -> Iterator[SqlDatabase]:
    with connect(url, Settings(value_budget=1000)) as opened:
        assert isinstance(opened, SqlDatabase)
        yield opened


def write(url: str, *statements: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement.encode())


def big(database: SqlDatabase) -> Table:
    table = database.catalog().find("big")
    assert table is not None
    return table


def holds(asker: Asker, value: str, column: str = "kind") -> Fact | None:
    """As the guard asks for one draft."""
    database = asker.database
    return Statistics(database, asker, database.catalog()).holds(big(database), column, value)


def value(fact: Fact | None) -> object:
    assert fact is not None
    return fact.value


def test_that_a_text_is_not_stored_is_read_once_for_all(database: SqlDatabase) -> None:
    first, second = Asker(database), Asker(database)
    assert value(holds(first, "Theft")) is False
    assert len(first.asked) > 1
    assert all("ctid" in statement for statement in first.asked)
    assert value(holds(second, "Theft")) is False
    assert value(holds(second, "theft")) is False
    assert second.asked == []


def test_what_one_draft_cannot_afford_the_next_ones_go_on_with(database: SqlDatabase) -> None:
    asked: list[str] = []
    for _ in range(100):
        asker = Asker(database, budget=1)
        fact = holds(asker, "Theft")
        asked += asker.asked
        if fact is not None:
            break
    assert value(fact) is False
    assert len(asked) == len(set(asked)) > 2


def test_the_values_are_all_there(database: SqlDatabase) -> None:
    asker = Asker(database)
    stored = {"kind": {"THEFT", "ARSON", "FRAUD"}, "marked": {"m0", "m1", "m2", "m3"}}
    for column, expected in stored.items():
        found = Statistics(database, asker, database.catalog()).values(big(database), column)
        assert found is not None
        assert found.values == expected


def test_an_index_is_walked(database: SqlDatabase) -> None:
    asker = Asker(database)
    assert value(holds(asker, "M1", "marked")) is False
    assert len(asker.asked) == 1
    assert "RECURSIVE" in asker.asked[0]


def test_a_text_that_is_common_needs_no_question(database: SqlDatabase) -> None:
    asker = Asker(database)
    assert value(holds(asker, "THEFT")) is True
    assert asker.asked == []


def test_no_more_is_read_than_it_takes_to_meet_a_text(url: str, database: SqlDatabase) -> None:
    write(url, "UPDATE pg_statistic SET stakind1 = 0 WHERE starelid = 'big'::regclass")
    asker = Asker(database)
    assert value(holds(asker, "THEFT")) is True
    assert len(asker.asked) == 1
    assert value(holds(asker, "Theft")) is False


def test_a_row_that_is_written_between_two_drafts_counts(url: str, database: SqlDatabase) -> None:
    assert value(holds(Asker(database), "Theft")) is False
    write(url, "INSERT INTO big (kind) VALUES ('Theft')")
    assert value(holds(Asker(database), "Theft")) is True


def test_a_row_that_is_committed_between_two_drafts_counts(url: str, database: SqlDatabase) -> None:
    with psycopg.connect(url) as other:
        other.execute("INSERT INTO big (kind) VALUES ('Theft')")
        assert value(holds(Asker(database), "Theft")) is False
    assert value(holds(Asker(database), "Theft")) is True


def test_a_row_that_is_written_while_the_values_are_read_counts(
    url: str, database: SqlDatabase
) -> None:
    assert holds(Asker(database, budget=2), "Theft") is None
    write(url, "UPDATE big SET kind = 'Theft' WHERE id = 1")
    assert value(holds(Asker(database), "Theft")) is True
    asker = Asker(database)
    assert value(holds(asker, "Thefts")) is False
    assert "= $1" in asker.asked[-1], "the values alone decide nothing any more"


def test_values_are_read_again_when_they_are_no_longer_the_whole_truth(
    url: str, database: SqlDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert value(holds(Asker(database), "Theft")) is False
    write(url, "UPDATE big SET kind = 'Theft' WHERE id = 1")
    monkeypatch.setattr(listing, "RENEWED", 0.0)
    asker = Asker(database)
    assert value(holds(asker, "Thefts")) is False
    assert all("ctid" in statement for statement in asker.asked)
    found = Statistics(database, asker, database.catalog()).values(big(database), "kind")
    assert found is not None
    assert "Theft" in found.values


@pytest.mark.parametrize("column", ["many", "padded", "folded"])
def test_what_cannot_be_listed_is_asked_for(database: SqlDatabase, column: str) -> None:
    asker = Asker(database)
    assert value(holds(asker, "w", column)) is False
    assert len(asker.asked) == 1 or column == "folded"


def test_columns_whose_texts_may_equal_others_are_not_listed(database: SqlDatabase) -> None:
    assert isinstance(database, CanListValues)
    assert database.value_reader(big(database), "padded") is None
    assert database.value_reader(big(database), "id") is None
    assert database.value_reader(big(database), "kind") is not None


def test_the_verdict_follows_the_stored_rows(url: str, database: SqlDatabase) -> None:
    guard, draft = Guard(database), "SELECT count(*) FROM big WHERE kind = 'Theft'"
    for _ in range(2):
        verdict = guard.check(draft)
        assert verdict.query == "SELECT count(*) FROM big WHERE kind = 'THEFT'"
    write(url, "INSERT INTO big (kind) VALUES ('Theft')")
    assert guard.check(draft).query == draft

"""The value index: which stored value a phrase names."""

from __future__ import annotations

from groundwire.database.base import SqlDatabase
from groundwire.draft.values import ValueIndex
from tests.conftest import NewDatabase
from tests.draft.offline.conftest import Asked


def index(asked: Asked) -> ValueIndex:
    return ValueIndex.build(asked.databases["chicago"])


def found(asked: Asked, phrase: str, *, spelling: bool = False) -> list[tuple[str, str, str]]:
    matches = index(asked).lookup(phrase, spelling=spelling)
    return [(m.column.name, m.value, m.exactness) for m in matches if m.table.name != "IUCR_CODES"]


def test_an_exact_value_comes_before_a_longer_one(duckdb_asked: Asked) -> None:
    assert found(duckdb_asked, "THEFT") == [("PRIMARY_TYPE", "THEFT", "exact")]
    assert found(duckdb_asked, "motor vehicle theft")[0][1] == "MOTOR VEHICLE THEFT"


def test_case_accents_apostrophes_and_plurals_do_not_matter(duckdb_asked: Asked) -> None:
    assert found(duckdb_asked, "thefts") == [("PRIMARY_TYPE", "THEFT", "plural")]
    assert found(duckdb_asked, "ohare") == [("COMMUNITY_AREA_NAME", "O'Hare", "folded")]


def test_a_typing_error_is_found_only_when_asked_for(duckdb_asked: Asked) -> None:
    assert found(duckdb_asked, "burglery") == []
    assert found(duckdb_asked, "burglery", spelling=True)[0][1:] == ("BURGLARY", "spelling")


def test_a_number_finds_its_padded_code(duckdb_asked: Asked) -> None:
    crimes = duckdb_asked.databases["chicago"].catalog().find("CRIMES")
    assert crimes is not None
    district = crimes.column("DISTRICT")
    assert district is not None
    assert index(duckdb_asked).numbered(crimes, district, 3) == ("003",)


def test_frequent_values_come_first(duckdb_asked: Asked) -> None:
    database = duckdb_asked.databases["chicago"]
    crimes = database.catalog().find("CRIMES")
    assert crimes is not None
    kind = crimes.column("PRIMARY_TYPE")
    assert kind is not None
    first = database.execute(
        "SELECT PRIMARY_TYPE FROM CRIMES GROUP BY 1 ORDER BY COUNT(*) DESC, 1 LIMIT 2"
    )
    assert index(duckdb_asked).frequent(crimes, kind, 2) == tuple(row[0] for row in first.rows)


def test_a_column_with_too_many_values_is_left_out_and_a_prose_text_too(
    new_database: NewDatabase,
) -> None:
    rows = ", ".join(f"({n}, 'code {n}', 'kind {n % 3}')" for n in range(3_000))
    new_database.fill(
        "CREATE TABLE item (id INTEGER PRIMARY KEY, code VARCHAR(20), kind VARCHAR(200))",
        f"INSERT INTO item VALUES {rows}",
        f"INSERT INTO item VALUES (9999, 'last', '{'long ' * 30}')",
    )
    with new_database.connect() as database:
        values = ValueIndex.build(database)
        assert {m.value for m in values.lookup("kind 1")} == {"kind 1"}
        assert not values.lookup("long " * 30)
        assert_bounded(values, database)


def assert_bounded(values: ValueIndex, database: SqlDatabase) -> None:
    (table,) = database.catalog().tables
    profiles = {c.name: values.profile(table, c) for c in table.columns}
    assert not profiles["kind"].complete
    assert profiles["code"].counts == () or len(profiles["code"].counts) == 3_001


def test_the_index_is_kept_until_it_is_refreshed(new_database: NewDatabase) -> None:
    new_database.fill("CREATE TABLE a (name VARCHAR(9))", "INSERT INTO a VALUES ('one')")
    with new_database.connect() as database:
        first = ValueIndex.build(database)
        assert ValueIndex.build(database) is first
        assert ValueIndex.build(database, refresh=True) is not first


def test_values_that_are_numbers_or_dates_in_text_are_seen_as_such(
    new_database: NewDatabase,
) -> None:
    new_database.fill(
        "CREATE TABLE a (amount VARCHAR(9), day VARCHAR(10), word VARCHAR(9))",
        "INSERT INTO a VALUES ('5.8', '2020-01-31', 'x'), ('4', '2021-12-01', '7')",
    )
    with new_database.connect() as database:
        (table,) = database.catalog().tables
        values = ValueIndex.build(database)
        kinds = {c.name: values.profile(table, c).kind for c in table.columns}
        assert kinds == {"amount": "number", "day": "date", "word": "text"}

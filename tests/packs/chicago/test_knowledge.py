"""The knowledge file says true things of the data that it is about."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from groundwire.database import connect
from groundwire.packs.chicago import generate, load
from groundwire.packs.chicago.loading.schema import COLUMNS, TABLES
from groundwire.packs.chicago.reference import read_table
from groundwire.packs.pack import load_pack, pack_for
from tests.packs.chicago.conftest import Synthetic, query

PACK = load_pack("chicago")
CONDITIONS = [convention for convention in PACK.conventions if convention.sql]


# One worker runs the whole module, where the rows are loaded already.
pytestmark = pytest.mark.xdist_group("chicago-questions")


@pytest.fixture
def url(twenty_thousand: Synthetic) -> str:
    """Twenty thousand synthetic rows in DuckDB."""
    return twenty_thousand.url


def test_every_column_of_every_table_has_a_meaning() -> None:
    assert set(PACK.tables) == set(TABLES)
    described = {name.partition(".")[2] for name in PACK.columns if name.startswith("CRIMES.")}
    assert described == set(COLUMNS)


def test_a_loaded_database_is_recognised(url: str) -> None:
    with connect(url) as database:
        assert pack_for(database.catalog()) == PACK


def test_conventions_use_only_columns_that_every_such_database_has() -> None:
    import sqlglot
    from sqlglot import exp

    known = {name.partition(".")[2] for name in PACK.recognised_by}
    for convention in CONDITIONS:
        tree = sqlglot.parse_one(convention.sql, dialect="postgres")
        used = {column.name.upper() for column in tree.find_all(exp.Column)}
        assert used, convention.sql
        assert used <= known, convention.sql


@pytest.mark.parametrize("convention", CONDITIONS, ids=lambda c: c.phrases[0])
def test_a_convention_splits_the_rows(url: str, convention: Any) -> None:
    ((inside, outside),) = query(
        url,
        f"""SELECT count(*) FILTER (WHERE {convention.sql}),
            count(*) FILTER (WHERE NOT ({convention.sql})) FROM CRIMES""",
    )
    assert inside > 0
    assert outside > 0


def test_conventions_mean_the_same_on_postgresql(
    url: str, postgres_url: str, tmp_path: Any
) -> None:
    generate(3_000, 7, tmp_path / "crimes.csv", today=date(2026, 11, 30))
    load(tmp_path / "crimes.csv", postgres_url)
    other = f"duckdb:///{tmp_path}/crimes.duckdb"
    load(tmp_path / "crimes.csv", other)
    counts = ", ".join(f"count(*) FILTER (WHERE {c.sql})" for c in CONDITIONS)
    assert query(postgres_url, f"SELECT {counts} FROM CRIMES") == query(
        other, f"SELECT {counts} FROM CRIMES"
    )


def test_day_parts_and_seasons_cover_each_row_once(url: str) -> None:
    for group in (
        ("night", "morning", "afternoon", "evening"),
        ("night", "daytime"),
        ("weekend", "weekday"),
        ("spring", "summer", "autumn", "winter"),
    ):
        conditions = [c.sql for c in CONDITIONS if c.phrases[0] in group]
        assert len(conditions) == len(group)
        total = " + ".join(f"({condition})::INTEGER" for condition in conditions)
        assert query(url, f"SELECT min({total}), max({total}) FROM CRIMES") == [(1, 1)], group


def test_night_is_from_ten_to_six(url: str) -> None:
    night = next(c for c in CONDITIONS if "night" in c.phrases)
    hours = query(url, f"SELECT DISTINCT hour(DATE) FROM CRIMES WHERE {night.sql}")
    assert {hour for (hour,) in hours} == {22, 23, 0, 1, 2, 3, 4, 5}


# Former names and codes that only older rows of the portal use.
FORMER = {("CRIMES.PRIMARY_TYPE", "CRIM SEXUAL ASSAULT")}


def test_the_values_of_synonyms_exist() -> None:
    types = {row["PRIMARY_TYPE"] for row in read_table("iucr_codes")}
    descriptions = {row["DESCRIPTION"] for row in read_table("iucr_codes")}
    known = {
        "CRIMES.PRIMARY_TYPE": types,
        "CRIMES.DESCRIPTION": descriptions,
        "CRIMES.LOCATION_DESCRIPTION": {r["LOCATION_DESCRIPTION"] for r in read_table("locations")},
        "CRIMES.DISTRICT": {f"{n:03d}" for n in range(1, 26)},
        "COMMUNITY_AREAS.COMMUNITY_AREA_NAME": {
            r["COMMUNITY_AREA_NAME"] for r in read_table("community_areas")
        },
    }
    for phrase, pairs in PACK.value_synonyms.items():
        for column, value in pairs:
            assert value in known[column] or (column, value) in FORMER, (phrase, value)


def test_phrases_are_lower_case_and_no_phrase_is_two_things() -> None:
    convention_phrases = [phrase for c in PACK.conventions for phrase in c.phrases]
    assert len(convention_phrases) == len(set(convention_phrases))
    everything = [*PACK.column_synonyms, *PACK.value_synonyms, *convention_phrases]
    assert all(phrase == phrase.lower().strip() for phrase in everything)
    assert len(everything) == len(set(everything))


def test_there_are_enough_questions_of_many_forms() -> None:
    assert len(PACK.questions) >= 40
    assert len(set(PACK.questions)) == len(PACK.questions)
    assert len({question.split()[0].lower() for question in PACK.questions}) >= 15
    assert not set(PACK.questions) & set(PACK.off_topic)


def test_the_reference_tables_are_whole() -> None:
    areas = [int(row["COMMUNITY_AREA"]) for row in read_table("community_areas")]
    assert areas == list(range(1, 78))
    codes = [row["IUCR"] for row in read_table("iucr_codes")]
    assert len(codes) == len(set(codes)) == 434
    assert all(len(code) == 4 for code in codes)

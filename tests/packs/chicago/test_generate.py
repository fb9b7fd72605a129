"""The synthetic export: the portal's format, believable figures, the same bytes every time."""

from __future__ import annotations

import csv
import gzip
import os
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from groundwire.errors import Cancelled, StorageError, UsageError
from groundwire.packs.chicago import generate
from groundwire.packs.chicago.reference import read_table
from tests.packs.chicago.conftest import HEADER

TODAY = date(2026, 11, 30)
ROWS = 50_000

# The cells as text, and the times beside them.
VIEW = """CREATE TABLE crimes AS SELECT *,
    strptime("Date", '%m/%d/%Y %I:%M:%S %p') AS time,
    strptime("Updated On", '%m/%d/%Y %I:%M:%S %p') AS updated
    FROM read_csv('{path}', all_varchar = true)"""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Fifty thousand rows."""
    path = tmp_path_factory.mktemp("generated") / "crimes.csv"
    generate(ROWS, 7, path, today=TODAY)
    return path


@pytest.fixture(scope="module")
def crimes(path: Path) -> Iterator[Any]:
    """The rows in DuckDB."""
    import duckdb

    with duckdb.connect() as connection:
        connection.execute(VIEW.format(path=path))
        yield connection


def one(crimes: Any, sql: str) -> Any:
    ((value,),) = crimes.execute(sql).fetchall()
    return value


def shares(crimes: Any, column: str) -> dict[str, float]:
    rows = crimes.execute(
        f'SELECT "{column}", count(*) / sum(count(*)) OVER () FROM crimes GROUP BY 1'
    ).fetchall()
    return dict(rows)


def test_the_file_has_the_portals_columns_and_as_many_rows_as_asked(path: Path) -> None:
    with path.open(newline="") as source:
        rows = list(csv.reader(source))
    assert tuple(rows[0]) == HEADER
    assert len(rows) == ROWS + 1
    assert {len(row) for row in rows} == {22}


def test_ids_are_unique_and_rise(crimes: Any) -> None:
    assert one(crimes, 'SELECT count(DISTINCT "ID") FROM crimes') == ROWS
    assert one(
        crimes,
        """SELECT bool_and(id > before) FROM (
            SELECT "ID"::BIGINT AS id, lag("ID"::BIGINT, 1, 0) OVER (ORDER BY rowid) AS before
            FROM crimes)""",
    )


def test_the_same_seed_and_day_give_the_same_bytes(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("a.csv", "b.csv", "c.csv", "d.csv")]
    generate(3_000, 1, files[0], today=TODAY)
    generate(3_000, 1, files[1], today=TODAY)
    generate(3_000, 2, files[2], today=TODAY)
    generate(3_000, 1, files[3], today=date(2026, 11, 29))
    texts = [file.read_bytes() for file in files]
    assert texts[0] == texts[1]
    assert texts[0] != texts[2]
    assert texts[0] != texts[3]


def test_rows_are_the_same_however_many_parts_they_are_made_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    generate(3_000, 1, tmp_path / "whole.csv", today=TODAY)
    monkeypatch.setattr("groundwire.packs.chicago.synthetic.generator._ROWS_PER_PART", 700)
    generate(3_000, 1, tmp_path / "parts.csv", today=TODAY)
    assert (tmp_path / "whole.csv").read_bytes() == (tmp_path / "parts.csv").read_bytes()


def test_a_compressed_file_holds_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("groundwire.packs.chicago.synthetic.generator._ROWS_PER_PART", 700)
    made = generate(3_000, 1, tmp_path / "crimes.csv.gz", today=TODAY)
    generate(3_000, 1, tmp_path / "crimes.csv", today=TODAY)
    assert gzip.decompress(made.path.read_bytes()) == (tmp_path / "crimes.csv").read_bytes()
    assert made.size == made.path.stat().st_size


@pytest.mark.parametrize("rows", [1, 2, 25])
def test_a_few_rows_are_possible(tmp_path: Path, rows: int) -> None:
    made = generate(rows, 1, tmp_path / "few.csv", today=TODAY)
    assert made.rows == rows
    assert len((tmp_path / "few.csv").read_text().splitlines()) == rows + 1


def test_times_reach_from_2001_to_yesterday(crimes: Any) -> None:
    first, last = crimes.execute("SELECT min(time), max(time) FROM crimes").fetchone()
    assert first.date() == date(2001, 1, 1)
    assert last.date() == date(2026, 11, 29)
    assert one(crimes, 'SELECT bool_and("Year"::INTEGER = year(time)) FROM crimes')


def test_no_row_was_updated_before_it_happened_or_in_the_future(crimes: Any) -> None:
    assert one(crimes, "SELECT bool_and(updated > time) FROM crimes")
    assert one(crimes, "SELECT max(updated)::DATE FROM crimes") == TODAY


def test_the_primary_types_are_31_with_the_shares_of_the_portal(crimes: Any) -> None:
    found = shares(crimes, "Primary Type")
    known = {row["PRIMARY_TYPE"] for row in read_table("crime_types")}
    assert len(known) == 31
    assert set(found) <= known
    assert len(found) >= 29  # the rarest have some five rows in fifty thousand
    for name, low, high in (
        ("THEFT", 0.20, 0.24),
        ("BATTERY", 0.17, 0.20),
        ("CRIMINAL DAMAGE", 0.10, 0.12),
        ("NARCOTICS", 0.07, 0.11),
        ("ROBBERY", 0.03, 0.045),
        ("HOMICIDE", 0.001, 0.0025),
    ):
        assert low < found[name] < high, name


def test_narcotics_fall_and_car_thefts_rise_over_the_years(crimes: Any) -> None:
    rows = crimes.execute("""SELECT "Year"::INTEGER > 2015,
        avg(("Primary Type" = 'NARCOTICS')::INT),
        avg(("Primary Type" = 'MOTOR VEHICLE THEFT')::INT) FROM crimes GROUP BY 1 ORDER BY 1""")
    (_, drugs_before, cars_before), (_, drugs_after, cars_after) = rows.fetchall()
    assert drugs_after < 0.7 * drugs_before
    assert cars_after > 1.05 * cars_before


def test_codes_belong_to_their_type_description_and_fbi_code(crimes: Any) -> None:
    known = {
        (r["IUCR"], r["PRIMARY_TYPE"], r["DESCRIPTION"], r["FBI_CODE"])
        for r in read_table("iucr_codes")
    }
    found = crimes.execute(
        'SELECT DISTINCT "IUCR", "Primary Type", "Description", "FBI Code" FROM crimes'
    ).fetchall()
    assert len(found) > 200
    assert set(found) <= known


def test_there_are_77_areas_50_wards_and_25_districts(crimes: Any) -> None:
    assert one(crimes, 'SELECT count(DISTINCT "Community Area") FROM crimes') == 77
    assert one(crimes, 'SELECT count(DISTINCT "Ward") FROM crimes') == 50
    assert set(shares(crimes, "District")) == {f"{n:03d}" for n in range(1, 26)}


def test_beats_lie_in_their_district(crimes: Any) -> None:
    assert one(crimes, """SELECT bool_and("District" = '0' || "Beat"[1:2]) FROM crimes""")
    assert one(crimes, 'SELECT bool_and(length("Beat") = 4) FROM crimes')


def test_closed_districts_have_no_crimes_after_2012(crimes: Any) -> None:
    last = one(
        crimes, """SELECT max(time)::DATE FROM crimes WHERE "District" IN ('013', '021', '023')"""
    )
    assert date(2011, 12, 1) < last < date(2012, 3, 5)


def test_blocks_have_one_place(crimes: Any) -> None:
    spread = one(
        crimes,
        """SELECT max(high - low) FROM (
            SELECT max("Latitude"::DOUBLE) AS high, min("Latitude"::DOUBLE) AS low
            FROM crimes GROUP BY "Block", "Beat", "Community Area")""",
    )
    assert spread < 0.01


def test_places_lie_in_chicago(crimes: Any) -> None:
    assert one(
        crimes,
        """SELECT bool_and("Latitude"::DOUBLE BETWEEN 41.63 AND 42.04
            AND "Longitude"::DOUBLE BETWEEN -87.95 AND -87.5
            AND "X Coordinate"::INT BETWEEN 1090000 AND 1210000
            AND "Y Coordinate"::INT BETWEEN 1810000 AND 1955000
            AND "Location" = '(' || "Latitude" || ', ' || "Longitude" || ')')
        FROM crimes WHERE "Latitude" IS NOT NULL""",
    )


def test_some_coordinates_are_missing_and_then_all_of_them(crimes: Any) -> None:
    assert 0.005 < one(crimes, 'SELECT avg(("Latitude" IS NULL)::INT) FROM crimes') < 0.03
    assert (
        one(
            crimes,
            """SELECT count(*) FROM crimes WHERE ("Latitude" IS NULL) <> ("X Coordinate" IS NULL)
            OR ("Latitude" IS NULL) <> ("Location" IS NULL)""",
        )
        == 0
    )


def test_wards_are_mostly_missing_in_2001_alone(crimes: Any) -> None:
    rows = crimes.execute(
        'SELECT "Year"::INT, avg(("Ward" IS NULL)::INT) FROM crimes GROUP BY 1'
    ).fetchall()
    missing = dict(rows)
    assert missing[2001] > 0.9
    assert 0.1 < missing[2002] < 0.5
    assert all(share < 0.01 for year, share in missing.items() if year > 2002)


def test_arrest_rates_differ_by_type(crimes: Any) -> None:
    rows = crimes.execute(
        """SELECT "Primary Type", avg(("Arrest" = 'true')::INT) FROM crimes GROUP BY 1"""
    ).fetchall()
    rates = dict(rows)
    assert rates["NARCOTICS"] > 0.95
    assert rates["BURGLARY"] < 0.12
    assert 0.1 < rates["BATTERY"] < 0.3
    overall = one(crimes, """SELECT avg(("Arrest" = 'true')::INT) FROM crimes""")
    assert 0.18 < overall < 0.30


def test_domestic_crimes_are_battery_more_than_theft(crimes: Any) -> None:
    rows = crimes.execute(
        """SELECT "Primary Type", avg(("Domestic" = 'true')::INT) FROM crimes GROUP BY 1"""
    ).fetchall()
    rates = dict(rows)
    assert rates["BATTERY"] > 0.35
    assert rates["THEFT"] < 0.1
    assert one(
        crimes,
        """SELECT bool_and("Domestic" = 'true') FROM crimes
            WHERE "Description" = 'DOMESTIC BATTERY SIMPLE'""",
    )


def test_there_are_seasons_days_and_hours(crimes: Any) -> None:
    by_month = dict(
        crimes.execute("SELECT month(time), count(*) FROM crimes GROUP BY 1").fetchall()
    )
    assert by_month[7] > 1.15 * by_month[2]
    by_hour = dict(crimes.execute("SELECT hour(time), count(*) FROM crimes GROUP BY 1").fetchall())
    assert by_hour[20] > 2 * by_hour[5]
    assert len(by_hour) == 24
    new_year = one(crimes, "SELECT count(*) FROM crimes WHERE dayofyear(time) = 1")
    assert new_year > 1.3 * ROWS / 365


def test_there_are_fewer_crimes_today_than_in_2001(crimes: Any) -> None:
    by_year = shares(crimes, "Year")
    assert 0.4 < by_year["2019"] / by_year["2001"] < 0.65


def test_some_cells_are_empty_and_some_records_updated_late(crimes: Any) -> None:
    empty = one(crimes, """SELECT avg(("Location Description" IS NULL)::INT) FROM crimes""")
    assert 0.001 < empty < 0.01
    late = one(
        crimes,
        "SELECT avg((updated > time + INTERVAL 30 DAY)::INT) FROM crimes WHERE time > '2018-03-01'",
    )
    assert 0.02 < late < 0.2


def test_areas_have_more_or_less_crime(crimes: Any) -> None:
    found = shares(crimes, "Community Area")
    assert found["25"] == max(share for area, share in found.items() if area is not None)
    assert found["25"] > 20 * found["9"]


@pytest.mark.parametrize(("rows", "hint"), [(0, "1 to"), (-5, "1 to"), (10**9, "1 to")])
def test_a_senseless_number_of_rows_is_refused(tmp_path: Path, rows: int, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        generate(rows, 1, tmp_path / "x.csv", today=TODAY)
    assert hint in caught.value.hint
    assert list(tmp_path.iterdir()) == []


def test_a_folder_and_a_missing_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is a folder"):
        generate(10, 1, tmp_path, today=TODAY)
    with pytest.raises(UsageError, match="no folder"):
        generate(10, 1, tmp_path / "nowhere" / "x.csv", today=TODAY)


def test_a_day_before_the_data_begin_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="too early"):
        generate(10, 1, tmp_path / "x.csv", today=date(2000, 1, 1))


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_the_right_to_write_is_an_error(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(StorageError, match="Cannot write"):
        generate(10, 1, tmp_path / "x.csv", today=TODAY)


def test_progress_ends_at_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("groundwire.packs.chicago.synthetic.generator._ROWS_PER_PART", 500)
    seen: list[float] = []
    generate(2_000, 1, tmp_path / "x.csv", today=TODAY, progress=lambda _, done: seen.append(done))
    assert seen == sorted(seen)
    assert len(seen) == 4
    assert seen[-1] == 1.0


def test_ctrl_c_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("groundwire.packs.chicago.synthetic.generator._ROWS_PER_PART", 500)

    def stop(stage: str, done: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(Cancelled):
        generate(5_000, 1, tmp_path / "x.csv", today=TODAY, progress=stop)
    assert list(tmp_path.iterdir()) == []


def test_an_old_file_is_replaced_only_when_the_new_one_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "x.csv"
    target.write_text("old")
    monkeypatch.setattr("groundwire.packs.chicago.synthetic.generator._ROWS_PER_PART", 500)

    def fail(stage: str, done: float) -> None:
        assert target.read_text() == "old"
        if done > 0.4:
            raise OSError(28, "No space left on device")

    with pytest.raises(StorageError, match="No space left"):
        generate(2_000, 1, target, today=TODAY, progress=fail)
    assert [file.name for file in tmp_path.iterdir()] == ["x.csv"]
    assert target.read_text() == "old"

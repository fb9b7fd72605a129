"""Loading an export: what ends up where, on every kind of database."""

from __future__ import annotations

import gzip
import json
from datetime import date, datetime
from pathlib import Path

import pytest

from groundwire.packs.chicago import LoadReport, generate, load
from groundwire.packs.chicago.loading.schema import BOOKKEEPING, COLUMNS
from tests.packs.chicago.conftest import HEADER, query, row, write_export

TODAY = date(2026, 11, 30)
REAL = (
    Path(__file__).resolve().parents[4]
    / "shared/data/chicago_crime/Crimes_-_2001_to_Present_sample_2026.csv"
)


def accounted(report: LoadReport) -> bool:
    """Every record has one fate."""
    fates = (
        report.inserted
        + report.updated
        + report.already_there
        + report.duplicates
        + report.rejected_lines
    )
    return report.lines == fates


def snapshot(url: str) -> list[tuple[object, ...]]:
    """All rows of CRIMES, as text."""
    columns = ", ".join(f"CAST({column} AS TEXT)" for column in COLUMNS)
    return query(url, f"SELECT {columns} FROM CRIMES ORDER BY ID")


@pytest.fixture(scope="module")
def synthetic(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three thousand synthetic rows."""
    path = tmp_path_factory.mktemp("synthetic") / "crimes.csv"
    generate(3_000, 7, path, today=TODAY)
    return path


def test_a_synthetic_export_is_loaded_whole(any_url: str, synthetic: Path) -> None:
    report = load(synthetic, any_url)
    assert (report.lines, report.inserted, report.rejected_lines) == (3_000, 3_000, 0)
    assert accounted(report)
    assert query(any_url, "SELECT count(*) FROM CRIMES") == [(3_000,)]
    assert query(any_url, "SELECT count(*) FROM COMMUNITY_AREAS") == [(77,)]


def test_cells_are_typed(any_url: str, tmp_path: Path) -> None:
    load(write_export(tmp_path / "x.csv", [row(id="7")]), any_url)
    ((number, time, ward, latitude, beat, district, updated),) = query(
        any_url, "SELECT ID, DATE, WARD, LATITUDE, BEAT, DISTRICT, UPDATED_ON FROM CRIMES"
    )
    assert (number, ward, latitude, beat, district) == (7, 44, 41.9397, "1924", "019")
    texts = [str(value) for value in (time, updated)]
    assert texts == ["2016-05-04 21:30:00", "2018-02-10 15:50:01"]


def test_names_need_no_quotes_and_keys_are_declared(duckdb_url: str, synthetic: Path) -> None:
    load(synthetic, duckdb_url)
    kinds = query(
        duckdb_url,
        """SELECT table_name, constraint_type, constraint_column_names::VARCHAR
            FROM duckdb_constraints() WHERE schema_name = 'main'
                AND constraint_type IN ('PRIMARY KEY', 'FOREIGN KEY')""",
    )
    assert set(kinds) >= {
        ("CRIMES", "PRIMARY KEY", "[ID]"),
        ("CRIMES", "FOREIGN KEY", "[IUCR]"),
        ("CRIMES", "FOREIGN KEY", "[COMMUNITY_AREA]"),
        ("COMMUNITY_AREAS", "PRIMARY KEY", "[COMMUNITY_AREA]"),
        ("IUCR_CODES", "PRIMARY KEY", "[IUCR]"),
    }
    tables = query(duckdb_url, "SELECT table_name FROM duckdb_tables() WHERE schema_name = 'main'")
    assert {name for (name,) in tables} == {"CRIMES", "COMMUNITY_AREAS", "IUCR_CODES"}
    assert query(duckdb_url, "SELECT primary_type FROM crimes LIMIT 1")


def test_columns_carry_the_packs_comments(
    duckdb_url: str, postgres_url: str, synthetic: Path
) -> None:
    load(synthetic, duckdb_url)
    load(synthetic, postgres_url)
    in_duckdb = query(
        duckdb_url,
        """SELECT comment FROM duckdb_columns()
            WHERE column_name = 'FBI_CODE' AND comment IS NOT NULL""",
    )
    in_postgres = query(
        postgres_url,
        """SELECT col_description('crimes'::regclass, attnum) FROM pg_attribute
            WHERE attrelid = 'crimes'::regclass AND attname = 'fbi_code'""",
    )
    assert in_duckdb == in_postgres
    assert "homicide" in in_duckdb[0][0]


def test_loading_again_changes_nothing(any_url: str, synthetic: Path) -> None:
    load(synthetic, any_url)
    before = snapshot(any_url)
    changes = query(any_url, "SELECT count(*) FROM CHICAGO_LOAD.CHANGES")
    report = load(synthetic, any_url)
    assert (report.already_there, report.inserted, report.updated) == (3_000, 0, 0)
    assert report.duplicates == 0
    assert accounted(report)
    assert snapshot(any_url) == before
    assert query(any_url, "SELECT count(*) FROM CHICAGO_LOAD.CHANGES") == changes


def test_a_row_updated_later_replaces_the_older_one(any_url: str, tmp_path: Path) -> None:
    old = row(id="1", arrest="", updated_on="01/02/2017 03:00:00 PM")
    new = row(id="1", arrest="true", updated_on="01/03/2017 03:00:00 PM", iucr="0810", ward="43")
    load(write_export(tmp_path / "old.csv", [old]), any_url)
    report = load(write_export(tmp_path / "new.csv", [new, row(id="2")]), any_url)
    assert (report.updated, report.inserted) == (1, 1)
    assert query(any_url, "SELECT ARREST, IUCR, WARD FROM CRIMES WHERE ID = 1") == [
        ("true", "0810", 43)
    ]
    assert query(any_url, "SELECT COLUMN_NAME FROM CHICAGO_LOAD.CHANGES WHERE ID = 1") == []


def test_an_older_row_replaces_nothing(any_url: str, tmp_path: Path) -> None:
    new = row(id="1", arrest="true", updated_on="01/03/2017 03:00:00 PM")
    old = row(id="1", arrest="false", updated_on="01/02/2017 03:00:00 PM")
    undated = row(id="1", arrest="false", updated_on="")
    load(write_export(tmp_path / "new.csv", [new]), any_url)
    for other in (old, undated):
        report = load(write_export(tmp_path / "old.csv", [other]), any_url)
        assert (report.already_there, report.updated) == (1, 0)
    assert query(any_url, "SELECT ARREST FROM CRIMES") == [("true",)]


@pytest.mark.parametrize("piece", [1, 1_000], ids=["across pieces", "in one piece"])
def test_repeated_ids_inside_a_file_are_counted(
    any_url: str, tmp_path: Path, piece: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("groundwire.packs.chicago.loading.source.PIECE_LINES", piece)
    rows = [
        row(id="1", ward="1", updated_on="01/02/2017 03:00:00 PM"),
        row(id="2"),
        row(id="1", ward="3", updated_on="01/04/2017 03:00:00 PM"),
        row(id="1", ward="2", updated_on="01/03/2017 03:00:00 PM"),
        row(id="1", ward="4", updated_on="01/04/2017 03:00:00 PM"),
    ]
    path = write_export(tmp_path / "x.csv", rows)
    report = load(path, any_url)
    assert (report.inserted, report.duplicates, report.updated) == (2, 3, 0)
    assert accounted(report)
    assert query(any_url, "SELECT WARD FROM CRIMES WHERE ID = 1") == [(3,)]
    again = load(path, any_url)
    assert (again.already_there, again.duplicates) == (2, 3)


def test_missing_coordinates_come_from_the_block_else_from_the_beat(
    any_url: str, tmp_path: Path
) -> None:
    nowhere = {
        "latitude": "",
        "longitude": "",
        "x_coordinate": "",
        "y_coordinate": "",
        "location": "",
    }
    rows = [
        row(id="1", latitude="41.90", longitude="-87.60", x_coordinate="1167000"),
        row(id="2", latitude="41.92", longitude="-87.64", x_coordinate="1169000"),
        row(id="3", block="099XX N ELSEWHERE ST", latitude="41.97", longitude="-87.68"),
        row(id="4", **nowhere),
        row(id="5", block="010XX N NOWHERE ST", **nowhere),
        row(id="6", block="010XX N NOWHERE ST", beat="0111", **nowhere),
        row(id="7", latitude="36.619446395", longitude="-91.686565684", x_coordinate="0",
            y_coordinate="0"),
        row(id="8", block="XX UNKNOWN", **nowhere),
        row(id="9", block="XX UNKNOWN", beat="0222"),
    ]  # fmt: skip
    report = load(write_export(tmp_path / "x.csv", rows), any_url)
    found = dict(query(any_url, "SELECT ID, LATITUDE FROM CRIMES"))
    assert found[4] == 41.91
    assert found[7] == 41.91
    assert found[5] == found[8] == 41.93
    assert found[6] is None
    assert report.coordinates_missing == 1
    assert query(any_url, "SELECT LONGITUDE, X_COORDINATE, LOCATION FROM CRIMES WHERE ID = 4") == [
        (-87.62, 1168000.0, "(41.91, -87.62)")
    ]
    assert report.changes["coordinates from the block"] == 10
    assert report.changes["coordinates from the beat"] == 10
    assert report.changes["coordinate outside the city"] == 4
    old = query(
        any_url, "SELECT OLD_VALUE FROM CHICAGO_LOAD.CHANGES WHERE ID = 7 AND OLD_VALUE IS NOT NULL"
    )
    assert ("36.619446395",) in old


def test_filled_coordinates_are_no_match_for_others(duckdb_url: str, tmp_path: Path) -> None:
    nowhere = {
        "latitude": "",
        "longitude": "",
        "x_coordinate": "",
        "y_coordinate": "",
        "location": "",
    }
    first = [row(id="1", latitude="41.90"), row(id="2", block="010XX N NOWHERE ST", **nowhere)]
    second = [
        row(id="3", block="099XX N ELSEWHERE ST", latitude="42.00"),
        row(id="4", block="010XX N NOWHERE ST", **nowhere),
    ]
    load(write_export(tmp_path / "first.csv", first), duckdb_url)
    load(write_export(tmp_path / "second.csv", second), duckdb_url)
    found = dict(query(duckdb_url, "SELECT ID, LATITUDE FROM CRIMES"))
    assert (found[2], found[4]) == (41.9, 41.95)


def test_a_missing_date_is_the_most_frequent_of_its_year(any_url: str, tmp_path: Path) -> None:
    rows = [
        row(id="1", date="05/04/2016 09:30:00 PM"),
        row(id="2", date="05/04/2016 01:00:00 AM"),
        row(id="3", date="03/01/2016 01:00:00 AM"),
        row(id="4", date=""),
        row(id="5", date="02/30/2016 01:00:00 AM"),
        row(id="6", date="", year="2011"),
    ]
    report = load(write_export(tmp_path / "x.csv", rows), any_url)
    found = {number: str(day) for number, day in query(any_url, "SELECT ID, DATE FROM CRIMES")}
    assert found[4] == found[5] == "2016-05-04 00:00:00"
    assert found[6] == "2011-01-01 00:00:00"
    assert report.changes["date most frequent in the year"] == 2
    assert report.changes["date first of the year"] == 1
    assert report.changes["unreadable time"] == 1
    assert query(any_url, "SELECT count(*) FROM CHICAGO_LOAD.PENDING") == [(0,)]


def test_unknown_codes_and_areas_are_added_so_that_keys_hold(any_url: str, tmp_path: Path) -> None:
    rows = [row(id="1", iucr="9X9Z", primary_type="NEW", community_area="78"), row(id="2")]
    load(write_export(tmp_path / "x.csv", rows), any_url)
    assert query(
        any_url,
        """SELECT c.ID, a.COMMUNITY_AREA_NAME, k.PRIMARY_TYPE FROM CRIMES c
            JOIN COMMUNITY_AREAS a ON a.COMMUNITY_AREA = c.COMMUNITY_AREA
            JOIN IUCR_CODES k ON k.IUCR = c.IUCR ORDER BY c.ID""",
    ) == [(1, "Unknown 78", "NEW"), (2, "Lake View", "THEFT")]


def test_bad_lines_are_put_aside_and_their_neighbours_loaded(any_url: str, tmp_path: Path) -> None:
    good = write_export(tmp_path / "good.csv", [row(id=str(n)) for n in range(1, 6)])
    lines = good.read_bytes().splitlines()
    after_quote, unclosed = b'8,"open' + lines[2][3:], lines[2].removesuffix(b'"')
    lines[2:2] = [b"7,too,short", after_quote, unclosed, b"9,\xff\xfe" + lines[2][3:], b""]
    lines += [
        lines[1] + b",23",
        b"1\0" + lines[2],
        b",no id" + lines[3][lines[3].index(b",0") :],
        b"",
    ]
    bad = tmp_path / "bad.csv"
    bad.write_bytes(b"\r\n".join(lines))
    report = load(bad, any_url)
    assert report.inserted == 5
    assert report.rejected == {
        "NUL byte": 1,
        "no ID": 1,
        "not UTF-8": 1,
        "quote never closed": 1,
        "text after a closing quote": 1,
        "too few fields": 1,
        "too many fields": 1,
    }
    assert report.blank_lines == 1
    assert accounted(report)
    found = query(any_url, "SELECT LINE, REASON, ORIGINAL FROM CHICAGO_LOAD.REJECTED ORDER BY LINE")
    assert [line for line, _, _ in found] == [3, 4, 5, 6, 12, 13, 14]
    assert found[0][2] == "7,too,short"
    assert found[3][2].startswith("9,\\xff\\xfe")


def test_a_record_over_several_lines_is_one_record(duckdb_url: str, tmp_path: Path) -> None:
    rows = [row(id="1", block="a\nb"), row(id=""), row(id="x", block="c\nd"), row(id="2")]
    path = write_export(tmp_path / "x.csv", rows)
    report = load(path, duckdb_url)
    assert (report.lines, report.inserted) == (4, 2)
    assert query(duckdb_url, "SELECT BLOCK FROM CRIMES WHERE ID = 1") == [("a\nb",)]
    rejected = query(duckdb_url, "SELECT LINE, ORIGINAL FROM CHICAGO_LOAD.REJECTED ORDER BY LINE")
    assert [line for line, _ in rejected] == [4, 5]
    assert "c\nd" in rejected[1][1]


def test_line_ends_and_a_byte_order_mark_do_not_matter(tmp_path: Path, synthetic: Path) -> None:
    unix = synthetic.read_bytes()
    shapes = {
        "unix": unix,
        "windows": unix.replace(b"\n", b"\r\n"),
        "marked": b"\xef\xbb\xbf" + unix,
        "open": unix.rstrip(b"\n"),
    }
    found = []
    for name, data in shapes.items():
        path = tmp_path / f"{name}.csv"
        path.write_bytes(data)
        report = load(path, f"duckdb:///{tmp_path}/{name}.duckdb")
        assert (report.inserted, report.rejected_lines) == (3_000, 0), name
        found.append(snapshot(f"duckdb:///{tmp_path}/{name}.duckdb"))
    assert all(rows == found[0] for rows in found)


def test_a_compressed_file_is_recognised_by_its_content(
    duckdb_url: str, tmp_path: Path, synthetic: Path
) -> None:
    path = tmp_path / "crimes.csv"
    path.write_bytes(gzip.compress(synthetic.read_bytes()))
    assert load(path, duckdb_url).inserted == 3_000


def test_columns_may_come_in_another_order_and_with_others(duckdb_url: str, tmp_path: Path) -> None:
    header = ["Zip Codes", *reversed(HEADER)]
    cells = ["60657", *(row(id="1")[name] for name in reversed(HEADER))]
    quoted = [f'"{cell}"' if "," in cell else cell for cell in cells]
    path = tmp_path / "x.csv"
    path.write_text(",".join(header) + "\n" + ",".join(quoted) + "\n")
    report = load(path, duckdb_url)
    assert report.ignored_columns == ("Zip Codes",)
    assert query(duckdb_url, "SELECT ID, BEAT FROM CRIMES") == [(1, "1924")]


@pytest.mark.parametrize("piece", [4, 25])
def test_the_size_of_the_pieces_does_not_show(
    duckdb_url: str, tmp_path: Path, synthetic: Path, piece: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = tmp_path / "small.csv"
    small.write_bytes(b"\n".join(synthetic.read_bytes().split(b"\n")[:61]))
    whole = f"duckdb:///{tmp_path}/whole.duckdb"
    expected = load(small, whole)
    monkeypatch.setattr("groundwire.packs.chicago.loading.source.PIECE_LINES", piece)
    report = load(small, duckdb_url)
    assert snapshot(duckdb_url) == snapshot(whole)
    assert report.changes == expected.changes
    assert report.inserted == expected.inserted == 60


def test_all_databases_end_up_alike(tmp_path: Path, postgres_url: str, synthetic: Path) -> None:
    urls = [f"duckdb:///{tmp_path}/a.duckdb", f"sqlite:///{tmp_path}/a.sqlite", postgres_url]
    reports = [load(synthetic, url) for url in urls]
    assert reports[0].changes == reports[1].changes == reports[2].changes
    columns = "ID, BLOCK, IUCR, ARREST, BEAT, WARD, YEAR, X_COORDINATE"
    rows = [query(url, f"SELECT {columns} FROM CRIMES ORDER BY ID") for url in urls]
    assert rows[0] == rows[1] == rows[2]
    # Averages differ in their last digit by the order in which a database adds.
    latitudes = [
        [value for (value,) in query(url, "SELECT LATITUDE FROM CRIMES ORDER BY ID")]
        for url in urls
    ]
    assert latitudes[0] == pytest.approx(latitudes[1], abs=1e-8)
    assert latitudes[0] == pytest.approx(latitudes[2], abs=1e-8)


def test_progress_ends_at_one(duckdb_url: str, synthetic: Path) -> None:
    seen: list[tuple[str, float]] = []
    load(synthetic, duckdb_url, progress=lambda stage, done: seen.append((stage, done)))
    assert [done for _, done in seen] == sorted(done for _, done in seen)
    assert seen[-1][1] == 1.0
    assert {stage for stage, _ in seen} >= {"loading"}


def test_the_report_speaks_to_people_and_programs(duckdb_url: str, tmp_path: Path) -> None:
    report = load(
        write_export(tmp_path / "x.csv", [row(id="1", arrest=""), row(id="")]), duckdb_url
    )
    assert "1 inserted" in report.summary
    assert "1 no ID" in report.summary
    assert "1 missing or unreadable flag" in report.summary
    assert json.loads(json.dumps(report.to_json()))["rejected_lines"] == 1


def test_a_password_does_not_show_in_the_report(postgres_url: str, synthetic: Path) -> None:
    report = load(synthetic, postgres_url)
    assert report.url.startswith("postgresql")
    assert report.inserted == 3_000


def test_the_bookkeeping_has_only_the_tables_that_are_described(
    duckdb_url: str, synthetic: Path
) -> None:
    load(synthetic, duckdb_url)
    tables = query(
        duckdb_url,
        "SELECT upper(table_name) FROM duckdb_tables() WHERE lower(schema_name) = 'chicago_load'",
    )
    assert {name for (name,) in tables} == set(BOOKKEEPING)


@pytest.mark.skipif(not REAL.exists(), reason="the portal's rows are not at ../shared")
def test_the_portals_own_rows_are_loaded_and_accounted_for(any_url: str) -> None:
    report = load(REAL, any_url)
    assert report.lines == report.inserted == 5_000
    assert report.rejected == {}
    assert report.changes["missing category"] == 13
    assert report.coordinates_missing == 0
    rows = query(any_url, "SELECT min(DATE), max(DATE), count(DISTINCT BEAT) FROM CRIMES")
    first, last = (datetime.fromisoformat(str(value)).date() for value in rows[0][:2])
    assert (first, last) == (date(2026, 7, 10), date(2026, 7, 18))
    assert query(any_url, "SELECT count(*) FROM CRIMES WHERE LATITUDE IS NULL") == [(0,)]
    assert query(any_url, "SELECT count(*) FROM IUCR_CODES") == [(434,)]

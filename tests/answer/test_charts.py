"""Which results get which chart, and the files that are drawn."""

from __future__ import annotations

import json
import os
import sys
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from groundwire.answer.charts import chart_spec, save_chart
from groundwire.errors import DriverMissing, StorageError, UsageError
from tests.answer.judged import table
from tests.answer.strategies import results

GROUPS = table(["type", "n"], [["THEFT", 5], ["ARSON", 2], [None, 1]])
MONTHS = table(["month", "n"], [[date(2024, month, 1), month] for month in range(1, 13)])


def spec(result: Any) -> dict[str, Any]:
    found = chart_spec(result, "How many?")
    assert found is not None
    return found


def test_groups_become_bars_in_the_order_of_the_rows() -> None:
    drawn = spec(GROUPS)
    assert drawn["mark"]["type"] == "bar"
    values = drawn["data"]["values"]
    assert [value["label"] for value in values] == ["THEFT", "ARSON", "(no value)"]
    assert [value["figure"] for value in values] == [5, 2, 1]
    assert drawn["encoding"]["y"]["sort"] is None
    assert drawn["title"]["text"] == "How many?"


def test_a_time_series_becomes_a_line_that_no_time_zone_moves() -> None:
    drawn = spec(MONTHS)
    assert drawn["mark"]["type"] == "line"
    assert drawn["data"]["values"][0]["label"] == "2024-01-01T00:00:00Z"
    assert drawn["encoding"]["x"]["scale"] == {"type": "utc"}


def test_years_and_quarters_keep_their_order_on_a_line() -> None:
    years = spec(table(["year", "n"], [[2022, 1], [2020, 2], [2021, 3]]))
    assert years["encoding"]["x"]["sort"] == [2020, 2021, 2022]
    quarters = spec(table(["quarter", "n"], [["Q3", 1], ["Q1", 2]]))
    assert quarters["encoding"]["x"]["sort"] == ["Q1", "Q3"]


def test_several_series_become_several_lines_and_too_many_none() -> None:
    rows = [[year, kind, 1] for year in (2020, 2021) for kind in "abc"]
    drawn = spec(table(["year", "kind", "n"], rows))
    assert drawn["encoding"]["color"]["title"] == "kind"
    many = [[year, f"k{kind}", 1] for year in (2020, 2021) for kind in range(9)]
    assert chart_spec(table(["year", "kind", "n"], many)) is None


def test_a_cut_result_says_so_in_its_chart() -> None:
    assert spec(table(["type", "n"], [["a", 1], ["b", 2]], cut=True))["title"]["subtitle"] == (
        "the first 2 rows"
    )


def test_rows_that_look_alike_stay_two_bars() -> None:
    drawn = spec(table(["v", "count"], [["1", 5], [None, 6], ["(no value)", 7]]))
    labels = [value["label"] for value in drawn["data"]["values"]]
    assert labels == ["1", "(no value)", "(no value) (2)"]


def test_column_names_are_never_read_as_paths() -> None:
    drawn = spec(table(["a.b[0]", "n"], [["x", 1], ["y", 2]]))
    assert drawn["encoding"]["y"]["field"] == "label"
    assert json.dumps(drawn["encoding"]).count("a.b[0]") <= 1


@settings(max_examples=40, deadline=None)
@given(results)
def test_every_specification_is_json_and_valid_vega_lite(result: Any) -> None:
    altair = pytest.importorskip("altair")
    drawn = chart_spec(result, "t")
    if drawn is not None:
        altair.Chart.from_dict(json.loads(json.dumps(drawn, allow_nan=False)))


@pytest.mark.parametrize("result", [GROUPS, MONTHS], ids=["bars", "line"])
def test_a_chart_is_written_as_a_picture(result: Any, tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    drawn = spec(result)
    assert save_chart(drawn, tmp_path / "c.png").read_bytes().startswith(b"\x89PNG")
    svg = save_chart(drawn, str(tmp_path / "c.svg")).read_text(encoding="utf-8")
    assert svg.startswith("<svg")
    assert "How many?" in svg
    assert json.loads(save_chart(drawn, tmp_path / "c.json").read_text(encoding="utf-8")) == drawn
    assert sorted(path.name for path in tmp_path.iterdir()) == ["c.json", "c.png", "c.svg"]


def test_the_page_needs_no_network(tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    page = save_chart(spec(GROUPS), tmp_path / "c.HTML").read_text(encoding="utf-8")
    assert "THEFT" in page
    assert "<script src=" not in page


def test_another_ending_is_a_wrong_use(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"\.gif"):
        save_chart(spec(GROUPS), tmp_path / "c.gif")


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="could not be written"):
        save_chart(spec(GROUPS), tmp_path / "no" / "c.json")


def test_a_disk_that_fills_leaves_nothing_half_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "c.json"
    target.write_text("before", encoding="utf-8")

    def full(*_: Any, **__: Any) -> Any:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fdopen", full)
    with pytest.raises(StorageError, match="No space left"):
        save_chart(spec(GROUPS), target)
    assert [path.name for path in tmp_path.iterdir()] == ["c.json"]
    assert target.read_text(encoding="utf-8") == "before"


def test_a_missing_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(DriverMissing) as caught:
        save_chart(spec(GROUPS), tmp_path / "c.png")
    assert "groundwire[charts]" in caught.value.hint


def test_a_long_series_is_still_a_line() -> None:
    start = datetime(2020, 1, 1)
    rows = [[start + timedelta(hours=hour), hour] for hour in range(1000)]
    assert spec(table(["at", "n"], rows))["mark"]["point"] is False

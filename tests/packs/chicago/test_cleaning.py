"""The rules of cleaning, case by case from cleaning.txt, on one load into DuckDB."""

from __future__ import annotations

import csv
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from groundwire.packs.chicago import load
from tests.packs.chicago.conftest import HEADER, ROW, query


@dataclass
class Case:
    """One block of cleaning.txt; `number` is its row's ID where it gives none."""

    sentence: str
    number: int
    given: dict[str, str] = field(default_factory=dict)
    stored: dict[str, str] = field(default_factory=dict)
    changed: dict[str, str] = field(default_factory=dict)
    refused: str = ""


def read_cases() -> list[Case]:
    text = Path(__file__).with_name("cleaning.txt").read_text(encoding="utf-8")
    blocks = [block.splitlines() for block in text.split("\n\n")[1:]]
    cases = []
    for number, (sentence, *lines) in enumerate(blocks, 1):
        case = Case(sentence, number)
        for line in lines:
            word, _, rest = line.partition(" ")
            name, _, value = (part.strip() for part in rest.partition("="))
            if word == "refused":
                case.refused = name
            else:
                getattr(case, word)[name] = value
        cases.append(case)
    return cases


CASES = read_cases()


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    """All cases in one file, loaded."""
    folder = tmp_path_factory.mktemp("cleaning")
    lines = [",".join(HEADER)]
    for case in CASES:
        cells = {**ROW, "ID": str(case.number), **case.given}
        lines.append(",".join(as_written(cells[name]) for name in HEADER))
    file = folder / "crimes.csv"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    load(file, f"duckdb:///{folder}/crimes.duckdb")
    return f"duckdb:///{folder}/crimes.duckdb"


def as_written(cell: str) -> str:
    quoted = cell.startswith('"') or "," not in cell
    return cell if quoted else f'"{cell}"'


def test_the_cases_name_only_columns_of_the_portal() -> None:
    assert len(CASES) > 30
    for case in CASES:
        assert set(case.given) <= set(HEADER), case.sentence
        assert case.stored or case.refused, case.sentence


@pytest.mark.parametrize("case", [c for c in CASES if c.stored], ids=lambda case: case.sentence)
def test_a_row_is_stored(url: str, case: Case) -> None:
    for column, value in case.stored.items():
        ((found,),) = query(url, f"SELECT {column} FROM CRIMES WHERE ID = {case.number}")
        assert text(found) == value, column


@pytest.mark.parametrize("case", [c for c in CASES if c.stored], ids=lambda case: case.sentence)
def test_changes_are_recorded_with_old_and_new_value(url: str, case: Case) -> None:
    rows = query(
        url,
        f"""SELECT COLUMN_NAME, RULE, OLD_VALUE, NEW_VALUE FROM CHICAGO_LOAD.CHANGES
            WHERE ID = {case.number} AND RULE NOT LIKE 'coordinates from %'""",
    )
    assert {column: rule for column, rule, _, _ in rows} == case.changed
    for column, _, old, new in rows:
        cell = next(csv.reader([case.given.get(column.replace("_", " ").title(), "")]), [""])
        given = case.given.get("IUCR", "") if column == "IUCR" else (cell or [""])[0]
        assert (old or "") == given.strip()
        assert text(new) == case.stored[column]


@pytest.mark.parametrize("case", [c for c in CASES if c.refused], ids=lambda case: case.sentence)
def test_a_bad_row_is_put_aside_with_its_line(url: str, case: Case) -> None:
    rows = query(
        url, f"SELECT REASON, ORIGINAL FROM CHICAGO_LOAD.REJECTED WHERE LINE = {case.number + 1}"
    )
    ((reason, original),) = rows
    assert reason == case.refused
    assert original.split(",")[0] == case.given.get("ID", str(case.number))
    assert query(url, f"SELECT 1 FROM CRIMES WHERE ID = {case.number}") == []


def text(value: Any) -> str:
    return "NULL" if value is None else str(value)

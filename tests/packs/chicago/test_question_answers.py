"""Every gold runs on DuckDB and PostgreSQL over both sets of rows with one sane answer."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from groundwire.database import Result, connect
from groundwire.packs.chicago.loading import load
from groundwire.packs.chicago.questions import Question, load_questions
from tests.packs.chicago.conftest import Synthetic
from tests.postgres_server import PostgresServer

# One worker runs the whole module, so that each set of rows is loaded once.
pytestmark = pytest.mark.xdist_group("chicago-questions")

REAL_ROWS = (
    Path(__file__).resolve().parents[4]
    / "shared/data/chicago_crime/Crimes_-_2001_to_Present_sample_2026.csv"
)
ENGINES = ("duckdb", "postgres")

Row = tuple[Any, ...]
Answers = Mapping[str, tuple[Result, ...]]


@dataclass(frozen=True)
class Answered:
    """All golds run over one set of rows on both engines."""

    rows_of: str
    engines: Mapping[str, Answers]

    def rows(self, question_id: str, reading: int = 0) -> list[Row]:
        return list(self.engines["duckdb"][question_id][reading].rows)

    def column(self, question_id: str, column: int, reading: int = 0) -> list[Any]:
        return [row[column] for row in self.rows(question_id, reading)]

    def value(self, question_id: str, reading: int = 0) -> Any:
        ((value,),) = self.rows(question_id, reading)
        return value


def answer_all(url: str) -> Answers:
    with connect(url) as database:
        return {
            question.id: tuple(database.execute(g.sql, max_rows=100_000) for g in question.golds)
            for question in load_questions()
        }


@pytest.fixture(scope="module", params=["synthetic", "real"])
def answered(
    request: pytest.FixtureRequest,
    postgres_server: PostgresServer,
    twenty_thousand: Synthetic,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Answered]:
    """The synthetic rows of 2001 to 2026, then the portal's own of one week in July 2026."""
    if request.param == "synthetic":
        source, url = twenty_thousand.export, twenty_thousand.url
    elif REAL_ROWS.exists():
        source, url = REAL_ROWS, f"duckdb:///{tmp_path_factory.mktemp('real')}/crimes.duckdb"
        load(source, url)
    else:
        pytest.skip("the portal's rows are not beside the repository (shared/data/chicago_crime)")
    urls = {"duckdb": url, "postgres": postgres_server.create_database()}
    load(source, urls["postgres"])
    yield Answered(request.param, {engine: answer_all(url) for engine, url in urls.items()})
    postgres_server.drop_database(urls["postgres"])


each_question = pytest.mark.parametrize("question", load_questions(), ids=lambda q: q.id)


def plain(value: Any) -> Any:
    """A value that compares alike from both drivers."""
    return float(value) if isinstance(value, int | float | Decimal) else value


def equal(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-9)
    return bool(one == other)


def same_rows(one: Result, other: Result) -> bool:
    """Equal as multisets of rows, numbers within a tolerance of nine digits."""
    ours, theirs = (
        sorted((tuple(plain(value) for value in row) for row in result.rows), key=repr)
        for result in (one, other)
    )
    return len(ours) == len(theirs) and all(
        len(a) == len(b) and all(map(equal, a, b)) for a, b in zip(ours, theirs, strict=True)
    )


def names(result: Result) -> list[str]:
    return [column.name.lower() for column in result.columns]


def says_nothing(result: Result) -> bool:
    """No row, or nothing but zeros and NULLs."""
    return not any(value for row in result.rows for value in row)


@each_question
def test_both_engines_give_the_same_answer(answered: Answered, question: Question) -> None:
    for ours, theirs in zip(*(answered.engines[e][question.id] for e in ENGINES), strict=True):
        assert not ours.truncated
        assert names(ours) == names(theirs)
        assert same_rows(ours, theirs)
        for keys in question.order_by:
            place = names(ours).index(keys)
            assert [plain(r[place]) for r in ours.rows] == [plain(r[place]) for r in theirs.rows]


@each_question
def test_an_answer_is_empty_only_where_the_entry_says_why(
    answered: Answered, question: Question
) -> None:
    empty = answered.rows_of == "real" and bool(question.real_empty)
    for result in answered.engines["duckdb"][question.id]:
        assert says_nothing(result) == empty


def test_the_columns_of_order_by_and_optional_are_columns_of_every_reading(
    answered: Answered,
) -> None:
    for question in load_questions():
        for result in answered.engines["duckdb"][question.id]:
            assert set(question.order_by) <= set(names(result)), question.id
            assert set(question.optional) < set(names(result)), question.id


def test_numbers_with_fractions_are_marked(answered: Answered) -> None:
    for question in load_questions():
        cells = [
            plain(value)
            for engine in ENGINES
            for result in answered.engines[engine][question.id]
            for row in result.rows
            for value in row
        ]
        fractions = any(isinstance(cell, float) and cell % 1 for cell in cells)
        assert question.float or not fractions, question.id


def test_every_reading_has_an_answer_of_its_own(answered: Answered) -> None:
    if answered.rows_of == "real":
        pytest.skip("one week cannot tell the readings about years apart")
    alike = [
        question_id
        for question_id, results in answered.engines["duckdb"].items()
        if any(same_rows(*pair) for pair in itertools.combinations(results, 2))
    ]
    assert alike == []


# ------------------------------------------------------------------------- the answers are sane


def test_a_count_is_between_zero_and_the_number_of_crimes(answered: Answered) -> None:
    total = answered.value("E01")
    assert total == (20_000 if answered.rows_of == "synthetic" else 5_000)
    for question in load_questions():
        if "count" in question.tags and "group" not in question.tags:
            for reading in range(len(question.golds)):
                assert 0 <= answered.value(question.id, reading) <= total, question.id


def test_a_percentage_is_between_0_and_100(answered: Answered) -> None:
    for question in load_questions():
        if "share" in question.tags and question.float and "year-over-year" not in question.tags:
            for reading in range(len(question.golds)):
                shares = [share for share in answered.column(question.id, -1, reading) if share]
                assert all(0 < share <= 100 for share in shares), question.id


@pytest.mark.parametrize("question_id", ["E08", "M04", "M05", "M12", "H02", "H27"])
def test_a_whole_breakdown_adds_up_to_all_crimes(answered: Answered, question_id: str) -> None:
    assert sum(answered.column(question_id, 1)) == answered.value("E01")


@pytest.mark.parametrize(
    ("question_id", "column", "possible"),
    [
        ("M03", 0, range(1, 13)),
        ("M04", 0, range(24)),
        ("M05", 0, range(1, 8)),
        ("M27", 0, range(24)),
        ("M33", 0, range(1, 5)),
        ("M40", 0, range(1, 51)),
        ("M40", 1, range(1, 32)),
        ("H04", 0, range(1, 13)),
        ("H05", 0, range(1, 13)),
        ("H13", 1, range(24)),
        ("H27", 0, range(1, 5)),
    ],
)
def test_numbers_of_hours_days_months_and_wards_are_possible(
    answered: Answered, question_id: str, column: int, possible: range
) -> None:
    assert {int(value) for value in answered.column(question_id, column)} <= set(possible)


def test_there_are_at_most_31_types_25_districts_and_exactly_77_areas(answered: Answered) -> None:
    assert len(answered.rows("E04")) <= 31
    assert len(answered.rows("E19")) <= 25
    assert len(answered.rows("E29")) == len(answered.rows("M24")) == 77


def test_two_ways_to_the_same_number_agree(answered: Answered) -> None:
    arrests = sum(answered.column("E17", 1))
    assert arrests == sum(answered.column("M12", 2))
    assert answered.value("E05") == pytest.approx(100 * arrests / answered.value("E01"))
    assert answered.value("E28", 0) == pytest.approx(100 * answered.value("E28", 1))
    assert answered.value("E28", 0) == pytest.approx(
        100 * sum(answered.column("M25", 1)) / answered.value("E01")
    )


def test_a_ranking_falls_and_keeps_the_ties_of_its_last_place(answered: Answered) -> None:
    for question_id in ("E09", "M08"):
        counts = answered.column(question_id, 1)
        assert counts == sorted(counts, reverse=True)
        assert len(counts) >= 5
        assert counts[4] == counts[-1]


def test_what_is_above_a_limit_is_above_it(answered: Answered) -> None:
    yearly = dict(answered.rows("E08"))
    average = sum(yearly.values()) / len(yearly)
    assert dict(answered.rows("M20")) == {y: n for y, n in yearly.items() if n > average}
    assert all(count > 1000 for count in answered.column("M01", 1))
    assert all(count >= 30 for count in answered.column("M37", 1))
    assert set(answered.rows("M02")) <= set(answered.rows("H11"))


def test_a_longer_night_has_more_robberies(answered: Answered) -> None:
    late, early, long = (answered.value("M06", reading) for reading in range(3))
    assert max(late, early) <= long


def test_changes_between_years_follow_from_the_counts(answered: Answered) -> None:
    counts = sorted(answered.rows("E08"))
    changes = {year: change for year, _, change in answered.rows("H02")}
    assert changes[counts[0][0]] is None
    for (_, before), (year, now) in itertools.pairwise(counts):
        assert changes[year] == pytest.approx(100 * (now - before) / before)


def test_a_running_total_never_falls_and_ends_at_the_sum(answered: Answered) -> None:
    totals = answered.column("H04", 1)
    assert totals == sorted(totals)
    thefts = {year: thefts for year, thefts, *_ in answered.rows("M25")}
    assert totals[-1:] == [thefts[year] for year in thefts if year == 2021]


def test_gaps_between_robberies_agree_in_all_three_readings(answered: Answered) -> None:
    per_beat = [float(days) for days in answered.column("H06", 1, reading=1)]
    assert min(per_beat) <= answered.value("H06", 0) <= max(per_beat)
    assert answered.value("H06", 2) == pytest.approx(sum(per_beat) / len(per_beat))


def test_times_are_in_order_and_within_the_period_asked_for(answered: Answered) -> None:
    latest = answered.value("E11")
    assert datetime(2001, 1, 1) <= latest < datetime(2026, 11, 1)
    assert all(first <= last <= latest for _, first, last in answered.rows("M31"))
    assert all(began < ended <= latest for began, ended in answered.rows("H07"))
    assert max(answered.column("H29", 2)) == latest
    assert all(date(2026, 7, 10) <= day < date(2026, 7, 18) for day, _ in answered.rows("M15"))


def test_the_busiest_beats_are_fewer_than_half(answered: Answered) -> None:
    beats = answered.value("E10")
    assert 1 <= answered.value("H19") <= beats / 2 + 1
    largest, *_, smallest = (crimes for _, crimes in sorted(answered.rows("H27")))
    assert largest >= smallest


def test_the_safest_area_has_no_more_violent_crimes_than_the_quietest_has_crimes(
    answered: Answered,
) -> None:
    (quietest,) = set(answered.column("M38", 1, reading=0))
    (least_violent,) = set(answered.column("M38", 1, reading=1))
    assert least_violent <= quietest

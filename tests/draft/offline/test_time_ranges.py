"""Times of a question as half-open periods."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.draft.offline.time_ranges import Part, Period, time_phrases
from groundwire.draft.offline.tokens import tokenize

TODAY = date(2026, 3, 31)

PERIODS = """
    in 2019                             2019-01-01 2020-01-01
    since 2019                          2019-01-01 -
    after 2019                          2020-01-01 -
    before 2005                         - 2005-01-01
    until 2019                          - 2020-01-01
    up to 2010                          - 2011-01-01
    from 2019 onwards                   2019-01-01 -
    2014 or later                       2014-01-01 -
    between 2015 and 2018               2015-01-01 2019-01-01
    from 2015 to 2018                   2015-01-01 2019-01-01
    2015-2018                           2015-01-01 2019-01-01
    in March 2020                       2020-03-01 2020-04-01
    in December of 2020                 2020-12-01 2021-01-01
    from January to March 2020          2020-01-01 2020-04-01
    on July 4, 2021                     2021-07-04 2021-07-05
    on 5 March 2020                     2020-03-05 2020-03-06
    on March 5th 2020                   2020-03-05 2020-03-06
    on 2020-12-31                       2020-12-31 2021-01-01
    on 12/31/2020                       2020-12-31 2021-01-01
    between 2020-01-01 and 2020-01-31   2020-01-01 2020-02-01
    in Q1 2020                          2020-01-01 2020-04-01
    in the fourth quarter of 2020       2020-10-01 2021-01-01
    in the second half of 2019          2019-07-01 2020-01-01
    in the 1990s                        1990-01-01 2000-01-01
    last year                           2025-01-01 2026-01-01
    this year                           2026-01-01 2027-01-01
    last month                          2026-02-01 2026-03-01
    this month                          2026-03-01 2026-04-01
    last week                           2026-03-23 2026-03-30
    yesterday                           2026-03-30 2026-03-31
    in the last 7 days                  2026-03-24 2026-04-01
    in the past 1 months                2026-02-28 2026-04-01
"""


def readings(text: str) -> list[Period | Part]:
    tokens = tokenize(text)
    whole = (times for times, end in time_phrases(tokens, 0, TODAY) if end == len(tokens))
    return [time for times in whole for time in times]


@pytest.mark.parametrize("line", [line.strip() for line in PERIODS.strip().splitlines()])
def test_a_period_is_read_with_its_end_excluded(line: str) -> None:
    *words, start, end = line.split()
    periods = {(p.start, p.end) for p in readings(" ".join(words)) if isinstance(p, Period)}
    assert periods == {(day(start), day(end))}


def day(text: str) -> date | None:
    return None if text == "-" else date.fromisoformat(text)


@pytest.mark.parametrize(
    ("text", "unit", "values"),
    [
        ("at night", "hour", (0, 1, 2, 3, 4, 5, 22, 23)),
        ("between 10 pm and 4 am", "hour", (0, 1, 2, 3, 22, 23)),
        ("after 22:00", "hour", (22, 23)),
        ("before 6 am", "hour", (0, 1, 2, 3, 4, 5)),
        ("on Mondays", "weekday", (1,)),
        ("on the weekend", "weekday", (6, 7)),
        ("in December", "month", (12,)),
    ],
)
def test_a_recurring_part_of_time_lists_its_values(
    text: str, unit: str, values: tuple[int, ...]
) -> None:
    parts = {(p.unit, p.values) for p in readings(text) if isinstance(p, Part)}
    assert parts == {(unit, values)}


def test_several_years_are_alternatives() -> None:
    starts = [
        p.start.year
        for p in readings("in 2014, 2015 and 2016")
        if isinstance(p, Period) and p.start
    ]
    assert starts == [2014, 2015, 2016]


@pytest.mark.parametrize("text", ["on 3/5/2020", "on 2021-02-30", "between 2018 and 2015", "in 12"])
def test_what_is_no_time_or_two_times_is_not_read(text: str) -> None:
    assert not readings(text)


@given(st.integers(1600, 2190), st.integers(0, 8))
def test_a_range_of_years_holds_its_last_day(first: int, more: int) -> None:
    (period,) = (
        p for p in readings(f"between {first} and {first + more}") if isinstance(p, Period)
    )
    assert period.start is not None
    assert period.end is not None
    assert period.start <= date(first + more, 12, 31) < period.end

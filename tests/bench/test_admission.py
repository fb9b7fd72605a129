"""Admission against truth: wrong answers shown, right ones withheld, and how sure each claim is."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from groundwire.bench.admission import Judged, admission, effect, risk_coverage

OUTCOMES = st.sampled_from(["admitted", "repaired", "asked", "refused", "failed"])
TRUTH = st.sampled_from([True, False, None])
CASES = st.lists(
    st.builds(Judged, st.just("a"), OUTCOMES, TRUTH, TRUTH, st.integers(0, 2), st.integers(0, 2)),
    max_size=30,
)


def test_a_wrong_draft_that_is_shown_is_a_wrong_answer() -> None:
    found = admission([Judged("a", "admitted", False, False), Judged("b", "admitted", True, True)])
    assert found.wrong_shown == ("a",)
    assert (found.coverage, found.risk) == (1.0, 0.5)


def test_right_rows_beside_further_columns_are_counted_apart() -> None:
    cases = [
        Judged("a", "admitted", False, False, wider=True),
        Judged("b", "admitted", False, False),
    ]
    found = admission(cases)
    assert (found.wrong_shown, found.wider) == (("a", "b"), ("a",))


def test_a_right_draft_that_is_refused_is_withheld() -> None:
    found = admission([Judged("a", "refused", True, None), Judged("b", "asked", True, None)])
    assert found.right_withheld == ("a", "b")
    assert found.asked_needlessly == ("b",)
    assert (found.coverage, found.risk) == (0.0, None)


def test_a_wrong_draft_that_is_refused_is_no_fault() -> None:
    found = admission([Judged("a", "refused", False, None)])
    assert found.wrong_shown == found.right_withheld == ()
    assert effect(Judged("a", "refused", False, None)) == "wrong withheld"


def test_a_repair_helps_or_harms() -> None:
    found = admission(
        [
            Judged("helped", "repaired", False, True),
            Judged("harmed", "repaired", True, False),
            Judged("neither", "repaired", False, False),
            Judged("undecided", "repaired", None, True),
        ]
    )
    assert (found.helped, found.harmed) == (("helped",), ("harmed",))
    assert found.wrong_shown == ("harmed", "neither")


def test_what_cannot_be_decided_is_in_no_risk() -> None:
    found = admission([Judged("a", "admitted", None, None), Judged("b", "admitted", True, True)])
    assert found.risk == 0.0
    assert found.to_json()["table"]["admitted"] == {"right": 1, "wrong": 0, "undecided": 1}


def test_risk_grows_with_coverage_when_doubts_are_worth_something() -> None:
    cases = [Judged(str(n), "admitted", True, True) for n in range(8)]
    cases += [Judged("x", "admitted", False, False, doubts=1), Judged("y", "refused", False, None)]
    points = risk_coverage(cases)
    assert [(point.coverage, point.risk) for point in points] == [(0.8, 0.0), (0.9, 1 / 9)]
    assert admission(cases).area < 0.02


def test_no_case_is_no_division_by_zero() -> None:
    found = admission([])
    assert (found.cases, found.coverage, found.risk, found.area) == (0, 0.0, None, 0.0)


@given(CASES)
def test_every_case_is_counted_once(cases: list[Judged]) -> None:
    found = admission(cases)
    assert sum(found.table.values()) == found.cases == len(cases)
    assert sum(sum(row.values()) for row in found.to_json()["table"].values()) == len(cases)


@given(CASES)
def test_coverage_grows_along_the_curve(cases: list[Judged]) -> None:
    points = risk_coverage(cases)
    assert all(a.coverage < b.coverage for a, b in pairwise(points))
    assert all(0 <= point.risk <= 1 and 0 < point.coverage <= 1 for point in points)
    if points:
        assert points[-1].risk == (admission(cases).risk or 0.0)

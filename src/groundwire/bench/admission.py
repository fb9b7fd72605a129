"""Admission against truth: the headline. Which wrong answers were shown, which right ones not.

For each case there is what the drafter wrote, what was shown in the end, and whether each is
right (`ex`). A wrong answer shown as right is the worst; a right one refused the second worst.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Literal

from groundwire.guard.findings import Outcome

__all__ = ["Admission", "Judged", "Point", "admission", "effect", "risk_coverage"]

Effect = Literal[
    "right shown",
    "wrong shown",
    "undecided shown",
    "right withheld",
    "wrong withheld",
    "undecided withheld",
]


@dataclass(frozen=True, slots=True)
class Judged:
    """One case after the guard.

    `draft_right` and `right` say whether the draft and the text shown answer the question; None =
    cannot be decided (both empty, or a case at fault). For a question that cannot be answered any
    query is wrong. `wider`: not right by `ex`, but the rows are, beside further columns. `doubts`
    counts the doubts said beside the answer, `unchecked` the checks that did not end: together
    they are how sure the product claims to be.
    """

    id: str
    outcome: Outcome
    draft_right: bool | None
    right: bool | None
    doubts: int = 0
    unchecked: int = 0
    wider: bool = False

    @property
    def shown(self) -> bool:
        """A result was shown as the answer."""
        return self.outcome in ("admitted", "repaired")

    @property
    def trust(self) -> tuple[int, int, int]:
        """How sure the product claims to be; more is surer."""
        return (-self.doubts, -self.unchecked, -(self.outcome == "repaired"))


@dataclass(frozen=True, slots=True)
class Point:
    """Of the surest cases, `coverage` of all, the share `risk` that is wrong."""

    coverage: float
    risk: float
    trust: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Admission:
    """The matrix of outcomes against truth.

    `table[(outcome, draft right)]` counts cases; `helped` are the ids of wrong drafts that were
    repaired into right ones, `harmed` of right ones made wrong, `wrong_shown` (those of them that
    are right but for further columns are `wider`), `right_withheld`
    (refused, asked or failed although the draft was right) and `asked_needlessly` likewise.
    `area` is the area under the risk-coverage curve up to the coverage reached (less is better).
    """

    cases: int
    table: dict[tuple[Outcome, bool | None], int]
    wrong_shown: tuple[str, ...]
    wider: tuple[str, ...]
    right_withheld: tuple[str, ...]
    asked_needlessly: tuple[str, ...]
    helped: tuple[str, ...]
    harmed: tuple[str, ...]
    coverage: float
    risk: float | None
    curve: tuple[Point, ...]
    area: float

    def to_json(self) -> dict[str, Any]:
        """Every field; the table as `{outcome: {"right", "wrong", "undecided"}}`."""
        table: dict[str, dict[str, int]] = {}
        for (outcome, right), count in sorted(self.table.items(), key=str):
            row = table.setdefault(outcome, {"right": 0, "wrong": 0, "undecided": 0})
            row["undecided" if right is None else "right" if right else "wrong"] += count
        return {
            "cases": self.cases,
            "table": table,
            "wrong_shown": list(self.wrong_shown),
            "wider": list(self.wider),
            "right_withheld": list(self.right_withheld),
            "asked_needlessly": list(self.asked_needlessly),
            "helped": list(self.helped),
            "harmed": list(self.harmed),
            "coverage": round(self.coverage, 6),
            "risk": None if self.risk is None else round(self.risk, 6),
            "curve": [[round(p.coverage, 6), round(p.risk, 6)] for p in self.curve],
            "area": round(self.area, 6),
        }


def effect(judged: Judged) -> Effect:
    """What a person was given: right, wrong or undecided, shown or withheld.

    What was withheld is judged by the draft.
    """
    right = judged.right if judged.shown else judged.draft_right
    what = "undecided" if right is None else "right" if right else "wrong"
    return f"{what} {'shown' if judged.shown else 'withheld'}"  # type: ignore[return-value]


def admission(cases: Iterable[Judged]) -> Admission:
    """The matrix of all cases. `risk` is None where nothing that can be decided was shown."""
    judged = list(cases)
    repaired = [case for case in judged if case.outcome == "repaired"]
    by_effect = {name: _ids(case for case in judged if effect(case) == name) for name in _EFFECTS}
    wrong, right = by_effect["wrong shown"], by_effect["right shown"]
    curve = risk_coverage(judged)
    return Admission(
        cases=len(judged),
        table=dict(Counter((case.outcome, case.draft_right) for case in judged)),
        wrong_shown=wrong,
        wider=_ids(c for c in judged if effect(c) == "wrong shown" and c.wider),
        right_withheld=by_effect["right withheld"],
        asked_needlessly=_ids(c for c in judged if c.outcome == "asked" and c.draft_right),
        helped=_ids(c for c in repaired if c.draft_right is False and c.right),
        harmed=_ids(c for c in repaired if c.draft_right and c.right is False),
        coverage=sum(case.shown for case in judged) / len(judged) if judged else 0.0,
        risk=len(wrong) / (len(wrong) + len(right)) if wrong or right else None,
        curve=curve,
        area=_area(curve),
    )


def risk_coverage(cases: Sequence[Judged]) -> tuple[Point, ...]:
    """The risk among the cases shown, the surest first; cases of one trust come together.

    Coverage is of all cases that can be decided. Source: El-Yaniv and Wiener, "On the Foundations
    of Noise-free Selective Classification", JMLR 11, 2010.
    """
    decided = [case for case in cases if not effect(case).startswith("undecided")]
    shown = sorted((c for c in decided if c.shown), key=lambda c: c.trust, reverse=True)
    points: list[Point] = []
    count = wrong = 0
    for trust, group in groupby(shown, key=lambda case: case.trust):
        members = list(group)
        count += len(members)
        wrong += sum(not case.right for case in members)
        points.append(Point(count / len(decided), wrong / count, trust))
    return tuple(points)


_EFFECTS: tuple[Effect, ...] = (
    "right shown",
    "wrong shown",
    "undecided shown",
    "right withheld",
    "wrong withheld",
    "undecided withheld",
)


def _ids(cases: Iterable[Judged]) -> tuple[str, ...]:
    return tuple(case.id for case in cases)


def _area(curve: Sequence[Point]) -> float:
    """Risk integrated over coverage; between two points the risk is that of the later one."""
    area = covered = 0.0
    for point in curve:
        area += (point.coverage - covered) * point.risk
        covered = point.coverage
    return area

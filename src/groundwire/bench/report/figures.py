"""The figures of a run that a report shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from groundwire.bench.admission import Admission, Judged, admission
from groundwire.bench.case import Case
from groundwire.bench.report.categories import categories
from groundwire.bench.runs.configuration import Configuration
from groundwire.bench.runs.folder import RunFolder
from groundwire.bench.runs.record import Record
from groundwire.bench.statistics import Estimate
from groundwire.bench.summary import means

__all__ = ["Figures", "Group", "Worst", "figures"]

WORST = 25
"""Cases that are shown in full."""


@dataclass(frozen=True, slots=True)
class Group:
    """The cases of one database or tier: `drafts` and `shown` are means by `ex`."""

    name: str
    cases: int
    drafts: Estimate | None
    shown: Estimate | None
    admission: Admission


@dataclass(frozen=True, slots=True)
class Worst:
    """A case to look at, and what is bad about it."""

    what: str
    case: Case
    record: Record
    codes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Figures:
    """Everything that a report shows of one run.

    `name` is that of its folder. `errors` counts wrong drafts by taxonomy code; a draft with
    several codes counts for each. `marked` counts cases that were at fault themselves. `cost` sums
    over the cases; a part that is not known for one case is None.
    """

    name: str
    configuration: Configuration
    cases: int
    done: int
    drafts: Mapping[str, Estimate]
    shown: Mapping[str, Estimate]
    admission: Admission
    by_database: tuple[Group, ...]
    by_tier: tuple[Group, ...]
    errors: Mapping[str, int]
    marked: Mapping[str, int]
    cost: Mapping[str, float | None]
    worst: tuple[Worst, ...]

    @property
    def label(self) -> str:
        """The run's name in a report."""
        return f"{self.name}: {self.configuration.label} on {self.configuration.set}"

    def to_json(self) -> dict[str, Any]:
        """`{run, cases, done, drafts, shown, admission, errors, marked, cost}`."""
        return {
            "run": self.configuration.to_json(),
            "cases": self.cases,
            "done": self.done,
            "drafts": {name: found.to_json() for name, found in self.drafts.items()},
            "shown": {name: found.to_json() for name, found in self.shown.items()},
            "admission": self.admission.to_json(),
            "errors": dict(self.errors),
            "marked": dict(self.marked),
            "cost": dict(self.cost),
        }


def figures(folder: RunFolder) -> Figures:
    """The figures of a run."""
    cases = {case.id: case for case in folder.cases}
    records = folder.records
    codes = {
        record.id: categories(record, cases[record.id])
        for record in records
        if record.draft_right is False and record.draft
    }
    return Figures(
        name=folder.path.resolve().name,
        configuration=folder.configuration,
        cases=len(cases),
        done=len(records),
        drafts=means(record.draft_scores for record in records),
        shown=means(_shown(record) for record in records),
        admission=admission(record.judged() for record in records),
        by_database=_groups(records, lambda record: cases[record.id].database),
        by_tier=_groups(records, lambda record: cases[record.id].tier),
        errors=dict(Counter(code for found in codes.values() for code in found).most_common()),
        marked=dict(Counter(record.mark for record in records if record.mark)),
        cost=_total_cost(records),
        worst=_worst(records, cases, codes),
    )


def _total_cost(records: Sequence[Record]) -> dict[str, float | None]:
    """The sum of each part of the cost; None where it is not known for every case."""
    totals: dict[str, float | None] = {}
    for name in dict.fromkeys(name for record in records for name in record.cost):
        values = [record.cost.get(name) for record in records]
        known = [value for value in values if value is not None]
        totals[name] = round(sum(known), 6) if len(known) == len(values) else None
    return totals


def _shown(record: Record) -> dict[str, float | None]:
    return {name: record.value(name) for name in record.draft_scores}


def _groups(records: Iterable[Record], name: Callable[[Record], str]) -> tuple[Group, ...]:
    """In the order of their names; none where all records are of one."""
    members: dict[str, list[Record]] = {}
    for record in records:
        members.setdefault(name(record), []).append(record)
    if len(members) < 2:
        return ()
    return tuple(_group(key or "(none)", members[key]) for key in sorted(members))


def _group(name: str, records: Sequence[Record]) -> Group:
    drafts = means({"ex": record.draft_scores.get("ex")} for record in records)
    shown = means({"ex": record.value("ex")} for record in records)
    matrix = admission(record.judged() for record in records)
    return Group(name, len(records), drafts.get("ex"), shown.get("ex"), matrix)


def _worst(
    records: Sequence[Record], cases: Mapping[str, Case], codes: Mapping[str, tuple[str, ...]]
) -> tuple[Worst, ...]:
    """What harmed, then wrong answers shown (the surest first), then right ones withheld."""
    kinds: tuple[tuple[str, Callable[[Record, Judged], Any]], ...] = (
        ("a right draft was made wrong", lambda r, j: r.right is False and r.draft_right),
        ("a wrong answer was shown", lambda r, j: r.right is False),
        ("a right answer was withheld", lambda r, j: r.draft_right and not r.shown),
    )
    found: list[Worst] = []
    for record in sorted(records, key=lambda record: record.judged().trust, reverse=True):
        what = next((what for what, is_so in kinds if is_so(record, record.judged())), None)
        if what is not None:
            found.append(Worst(what, cases[record.id], record, codes.get(record.id, ())))
    rank = [what for what, _ in kinds]
    return tuple(sorted(found, key=lambda worst: rank.index(worst.what))[:WORST])

"""What is kept of one case of a run: everything that a report, a comparison or a replay needs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from groundwire.bench.admission import Judged
from groundwire.bench.running import Outcome
from groundwire.database.values import to_json
from groundwire.guard import findings

__all__ = ["Record", "Rows"]

SAMPLE = 5
"""Rows that are kept to be looked at."""


@dataclass(frozen=True, slots=True)
class Rows:
    """A result in short: `digest` is the SHA-256 of its rows as JSON lines, in order."""

    count: int
    columns: tuple[str, ...]
    digest: str
    truncated: bool
    sample: tuple[Any, ...]

    @classmethod
    def of(cls, outcome: Outcome) -> Rows | None:
        """None where the query did not run."""
        if outcome.result is None:
            return None
        digest = hashlib.sha256()
        sample: list[Any] = []
        for row in outcome.rows:
            values = [to_json(value) for value in row]
            digest.update(json.dumps(values, ensure_ascii=False).encode() + b"\n")
            if len(sample) < SAMPLE:
                sample.append(values)
        return cls(
            len(outcome.rows),
            outcome.columns,
            digest.hexdigest(),
            outcome.result.truncated,
            tuple(sample),
        )


@dataclass(frozen=True, slots=True)
class Record:
    """One case after the run.

    `draft` is what the drafter wrote first, `query` what was shown ("" where nothing was).
    `draft_scores` and `scores` are the metrics of the two; of what was not shown there are none.
    `mark` and `why` are the scorer's. `dialect` is that of the database, "" where there is none.
    `answerable` is the case's. `exchanges` are the keys of the model calls in the journal.
    `cost` has the counts of an answer, `usd` where the price is known, and `seconds`.
    """

    id: str
    outcome: findings.Outcome
    drafter: str
    draft: str
    query: str
    draft_scores: Mapping[str, float | None]
    scores: Mapping[str, float | None]
    why: str
    mark: str = ""
    dialect: str = ""
    answerable: bool = True
    findings: Sequence[Mapping[str, Any]] = ()
    choices: Sequence[Mapping[str, str]] = ()
    unchecked: Sequence[str] = ()
    error: Mapping[str, str] | None = None
    sentence: str = ""
    cost: Mapping[str, float | None] = field(default_factory=dict)
    rows: Rows | None = None
    gold_rows: Rows | None = None
    exchanges: Sequence[str] = ()

    def to_json(self) -> dict[str, Any]:
        """Every field, as a line of `records.jsonl`."""
        return asdict(self)

    @classmethod
    def from_json(cls, entry: Any) -> Record:
        """From its line.

        Raises:
            ValueError: it is no record.
        """
        if not isinstance(entry, dict):
            raise ValueError("an object is expected")
        known = {item.name for item in fields(cls)}
        given = {name: value for name, value in entry.items() if name in known}
        try:
            for name in ("rows", "gold_rows"):
                if given.get(name) is not None:
                    given[name] = Rows(**given[name])
            record = cls(**given)
        except TypeError as error:
            raise ValueError(f"a record is expected: {error}") from error
        for name, kind in _KINDS.items():
            if not isinstance(getattr(record, name), kind):
                raise ValueError(f'"{name}" of a record is of another kind')
        return record

    @property
    def shown(self) -> bool:
        """A result was shown as the answer."""
        return self.outcome in ("admitted", "repaired")

    @property
    def right(self) -> bool | None:
        """What was shown is right by `ex`; None = cannot be decided, or nothing was shown."""
        return _truth(self.scores.get("ex"))

    @property
    def draft_right(self) -> bool | None:
        """The draft is right by `ex`; None = cannot be decided. Where the question cannot be
        answered no draft is: nothing was withheld."""
        return _truth(self.draft_scores.get("ex")) if self.answerable else False

    def value(self, metric: str) -> float | None:
        """A metric of what was given: of the query shown; where none was, 0, or 1 where the
        question cannot be answered. None where it cannot be decided."""
        if self.shown:
            return self.scores.get(metric)
        if self.draft_scores.get(metric) is None:
            return None
        return float(not self.answerable)

    def judged(self) -> Judged:
        """As the admission matrix sees it."""
        doubts = sum(finding["severity"] == "doubt" for finding in self.findings)
        return Judged(
            self.id,
            self.outcome,
            self.draft_right,
            self.right,
            doubts,
            len(self.unchecked),
            self.scores.get("superset") == 1,
        )


_KINDS: Mapping[str, type | tuple[type, ...]] = {
    "id": str,
    "outcome": str,
    "draft": str,
    "query": str,
    "why": str,
    "draft_scores": dict,
    "scores": dict,
    "cost": dict,
    "findings": (list, tuple),
    "unchecked": (list, tuple),
}
"""What a file edited by hand may have wrong."""


def _truth(value: float | None) -> bool | None:
    return None if value is None else value == 1

"""The record of a case: what was answered, scored before and after the guard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from groundwire.answer.answer import Cost
from groundwire.bench.case import Case
from groundwire.bench.metrics import METRICS, OPTIONAL
from groundwire.bench.runs.record import Record, Rows
from groundwire.bench.scoring import Scorer
from groundwire.errors import GroundwireError
from groundwire.guard.findings import Choice, Finding, Outcome

__all__ = ["RUN_METRICS", "Given", "grade"]

RUN_METRICS = METRICS | {name: OPTIONAL[name] for name in ("ex", "faithfulness")}
"""The metrics of a run: the headline, and whether the sentence is borne out, among them."""


@dataclass(frozen=True, slots=True)
class Given:
    """What a person was given for the question of a case."""

    outcome: Outcome
    drafter: str
    draft: str
    query: str
    findings: Sequence[Finding] = ()
    choices: Sequence[Choice] = ()
    unchecked: Sequence[str] = ()
    error: GroundwireError | None = None
    sentence: str = ""
    cost: Cost = field(default_factory=Cost)
    usd: float | None = None
    exchanges: Sequence[str] = ()


def grade(scorer: Scorer, case: Case, given: Given) -> Record:
    """Score the draft and what was shown; runs the golds and both queries. Blocking."""
    is_shown = given.outcome in ("admitted", "repaired")
    is_changed = is_shown and given.query != given.draft
    draft = scorer.score(case, given.draft, "" if is_changed else given.sentence)
    shown = draft if is_shown else None
    if is_changed:
        shown = scorer.score(case, given.query, given.sentence)
    return Record(
        id=case.id,
        outcome=given.outcome,
        drafter=given.drafter,
        draft=given.draft,
        query=given.query if is_shown else "",
        draft_scores=dict(draft.values),
        scores=dict(shown.values) if shown else {},
        why=(shown or draft).why,
        mark=(shown or draft).mark,
        dialect=_dialect(scorer, case),
        answerable=case.answerable,
        findings=[finding.to_json() for finding in given.findings],
        choices=[choice.to_json() for choice in given.choices],
        unchecked=list(given.unchecked),
        error=given.error.to_json() if given.error else None,
        sentence=given.sentence,
        cost=_cost(given),
        rows=_rows(scorer, case, given.query if is_shown else given.draft),
        gold_rows=_rows(scorer, case, case.queries[0] if case.queries else ""),
        exchanges=list(given.exchanges),
    )


def _rows(scorer: Scorer, case: Case, query: str) -> Rows | None:
    try:
        return Rows.of(scorer.databases.recall(case.database, query))
    except GroundwireError:  # said by the mark of the score
        return None


def _dialect(scorer: Scorer, case: Case) -> str:
    try:
        return scorer.databases.database(case.database).dialect
    except GroundwireError:  # said by the mark of the score
        return ""


def _cost(given: Given) -> Mapping[str, Any]:
    return given.cost.to_json() | {"usd": given.usd}

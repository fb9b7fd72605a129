"""Everything that one question asks of its drafter, whoever the drafter is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar, TypedDict

from groundwire.database.base import Database, SqlDatabase
from groundwire.database.graph import GraphDatabase
from groundwire.database.result import Result
from groundwire.draft.base import Draft
from groundwire.errors import GroundwireError, InternalError
from groundwire.guard.findings import Finding

if TYPE_CHECKING:
    from groundwire.draft.knowledge import Knowledge
    from groundwire.draft.relevance import Relevance

__all__ = ["Drafting", "OfflineDrafting", "OnDatabase", "Repaired", "Turn"]

OnDatabase = Callable[..., Awaitable[Any]]
"""Runs a blocking function with its arguments so that cancelling stops the database."""


class Turn(TypedDict):
    """One question of a conversation and what came of it."""

    question: str
    standalone_question: str
    query: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Repaired:
    """A second thought: the fault's code, its cause in a sentence, the new draft."""

    code: str
    cause: str
    draft: Draft


class Drafting(ABC):
    """A drafter with what it knows: the database, the pack, the day.

    Args:
        database: the one that is asked.
        knowledge: the pack of the database, if it has one.
        now: the moment of the question, with its time zone.
    """

    can_repair: ClassVar[bool]

    def __init__(self, database: Database, knowledge: Knowledge | None, now: datetime) -> None:
        self.database = database
        self.knowledge = knowledge
        self.now = now

    @property
    @abstractmethod
    def name(self) -> str:
        """`offline` or `provider:model`."""

    @property
    def words_answers(self) -> bool:
        """Its `narrate` words results."""
        return False

    def relevance(self, question: str) -> Relevance:
        """Whether a question may be about this database. Blocking."""
        from groundwire.draft.relevance import check_relevance

        return check_relevance(question, self.database, self.knowledge)

    def read_catalog(self) -> dict[str, Any]:
        """Bring the catalog up to date; says what it holds. Blocking.

        Raises:
            OperatorError: the database cannot be asked.
        """
        if isinstance(self.database, SqlDatabase):
            catalog = self.database.catalog()
            return {"tables": len(catalog.tables), "version": catalog.version}
        if isinstance(self.database, GraphDatabase):
            graph = self.database.catalog()
            return {"labels": len(graph.labels), "types": len(graph.types)}
        raise InternalError(f"No catalog for {self.database.language} yet.")

    @abstractmethod
    async def draft(self, question: str, on_database: OnDatabase) -> Draft:
        """Write a query.

        Raises:
            NotUnderstood: declined, with what was understood.
            DraftError: no usable statement.
            OperatorError: the drafter's own service is out of order.
        """

    @abstractmethod
    async def standalone(self, question: str, history: Sequence[Turn]) -> str:
        """A follow-up as a question that stands alone; a new question as it is."""

    @abstractmethod
    async def repair(
        self,
        question: str,
        failed: Draft | None,
        error: GroundwireError | None,
        findings: Sequence[Finding],
        on_database: OnDatabase,
        notes: Sequence[str] = (),
    ) -> Repaired:
        """Another draft, knowing why the last one failed. Only where `can_repair`.

        `notes` are sentences about values that a query which found nothing asked for.
        """

    def cost(self) -> tuple[int, int, int, int]:
        """(model calls, prompt tokens, completion tokens, embeddings) of the question so far."""
        return 0, 0, 0, 0

    async def narrate(self, question: str, result: Result) -> str | None:
        """A sentence on a result, still to be checked; None where the drafter words none."""
        return None


class OfflineDrafting(Drafting):
    """The built-in drafter: no model, no network."""

    can_repair = False

    @property
    def name(self) -> str:
        return "offline"

    async def draft(self, question: str, on_database: OnDatabase) -> Draft:
        write: Callable[..., Draft]
        if isinstance(self.database, GraphDatabase):
            from groundwire.draft.offline_graph import OfflineGraphDrafter

            write = OfflineGraphDrafter(self.knowledge, self.now.date()).draft
        else:
            from groundwire.draft.offline import OfflineDrafter

            write = OfflineDrafter(self.knowledge, self.now.date()).draft
        drafted: Draft = await on_database(write, question, self.database)
        return drafted

    async def standalone(self, question: str, history: Sequence[Turn]) -> str:
        from groundwire.draft.offline.follow_up import standalone

        return standalone(question, history[-1]["standalone_question"], self.now.date())

    async def repair(
        self,
        question: str,
        failed: Draft | None,
        error: GroundwireError | None,
        findings: Sequence[Finding],
        on_database: OnDatabase,
        notes: Sequence[str] = (),
    ) -> Repaired:
        raise InternalError("The offline drafter has no second thought.")

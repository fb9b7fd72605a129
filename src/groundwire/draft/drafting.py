"""Everything that one question asks of its drafter, whoever the drafter is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar, TypedDict

from groundwire import trace
from groundwire.database.base import Database, SqlDatabase
from groundwire.database.graph import GraphDatabase
from groundwire.database.result import Result
from groundwire.draft.base import Draft
from groundwire.draft.embedding import Lookups
from groundwire.draft.exemplars import Exemplars, visible_names
from groundwire.draft.solved import Exemplar
from groundwire.errors import InternalError

if TYPE_CHECKING:
    from groundwire.draft.knowledge import Knowledge
    from groundwire.draft.prompts.request import Failure
    from groundwire.draft.relevance import Relevance

__all__ = ["Drafting", "OfflineDrafting", "OnDatabase", "Repaired", "Turn"]

APPROVED = "this very question has an approved query, which was used as it is."

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
        exemplars: solved questions, besides those of the pack.
    """

    can_repair: ClassVar[bool]

    def __init__(
        self,
        database: Database,
        knowledge: Knowledge | None,
        now: datetime,
        exemplars: Exemplars | None = None,
    ) -> None:
        self.database = database
        self.knowledge = knowledge
        self.now = now
        self.lookups = Lookups()
        self.exemplars = exemplars or Exemplars()
        if knowledge is not None:
            self.exemplars = self.exemplars.joined(knowledge.solved)

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

        return check_relevance(question, self.database, self.knowledge, self.lookups)

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

    async def approved(self, question: str, on_database: OnDatabase) -> Draft | None:
        """The query that was approved for this very question on this database, if any.

        Raises:
            OperatorError: the database cannot be asked.
        """
        if not self._shows_exemplars:
            return None
        names = await on_database(self._visible_names)
        pair = self.exemplars.approved(question, self.database, names)
        if pair is None:
            return None
        trace.note("approved", "found an approved query for this very question", id=pair.id)
        return Draft(pair.query, "approved", assumptions=(APPROVED,))

    async def nearest(self, question: str, on_database: OnDatabase) -> tuple[Exemplar, ...]:
        """The solved questions that are most like this one, nearest first.

        Raises:
            OperatorError: the database or the server of the embedding cannot be asked.
        """
        if not self._shows_exemplars:
            return ()
        names = await on_database(self._visible_names)
        near = await self.exemplars.nearest(question, self.database, names, self.lookups)
        found = [one.to_json() for one in near]
        trace.note("exemplars", f"found {len(near)} solved questions like this one", nearest=found)
        return tuple(one.exemplar for one in near)

    @property
    def _shows_exemplars(self) -> bool:
        return bool(self.exemplars.pairs) and "few-shot" not in self.database.settings.without

    def _visible_names(self) -> set[str]:
        """What may be named in an exemplar; only asked for where something is excluded."""
        if not self.database.settings.exclude:
            return set()
        assert isinstance(self.database, SqlDatabase | GraphDatabase)
        return visible_names(self.database.catalog())

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
    async def repair(self, question: str, failure: Failure, on_database: OnDatabase) -> Repaired:
        """Another draft, knowing why the last one failed. Only where `can_repair`.

        Raises:
            As `draft`.
        """

    def cost(self) -> tuple[int, int, int, int]:
        """(model calls, prompt tokens, completion tokens, embeddings) of the question so far."""
        return 0, 0, 0, self.lookups.count

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
        approved = await self.approved(question, on_database)
        if approved is not None:
            return approved
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

    async def repair(self, question: str, failure: Failure, on_database: OnDatabase) -> Repaired:
        raise InternalError("The offline drafter has no second thought.")

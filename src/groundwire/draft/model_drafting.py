"""Drafting with a chat model: prompts in, drafts, rewrites and sentences out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from groundwire.database.base import Database, SqlDatabase
from groundwire.database.graph import GraphDatabase
from groundwire.database.result import Result
from groundwire.draft.base import Draft
from groundwire.draft.drafting import Drafting, OnDatabase, Repaired, Turn
from groundwire.draft.model.base import Model
from groundwire.draft.model.drafter import ModelDrafter
from groundwire.draft.model.reply import Ledger
from groundwire.draft.prompts.dialogue import (
    narration_prompt,
    read_rewrite,
    read_sentence,
    rewrite_prompt,
)
from groundwire.draft.prompts.request import DraftRequest, Failure
from groundwire.errors import InternalError

if TYPE_CHECKING:
    from groundwire.draft.exemplars import Exemplars
    from groundwire.draft.knowledge import Knowledge

__all__ = ["ModelDrafting"]


SWITCHES = {"rules": "rules", "few-shot": "exemplars", "shapes": "shapes"}
"""The parts of a prompt that the components of `Settings.without` are."""


class ModelDrafting(Drafting):
    """A drafter that asks a model.

    Args:
        model: the chat model.
        configuration: the named prompt.
        schema_only: send no stored value; then the model words no answers either.
    """

    can_repair = True

    def __init__(
        self,
        database: Database,
        knowledge: Knowledge | None,
        now: datetime,
        model: Model,
        configuration: str = "default",
        schema_only: bool = False,
        exemplars: Exemplars | None = None,
    ) -> None:
        super().__init__(database, knowledge, now, exemplars)
        self.model = model
        self.configuration = configuration
        self.schema_only = schema_only
        self.ledger = Ledger()
        self._drafter = ModelDrafter(model)
        self._request: DraftRequest | None = None

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def words_answers(self) -> bool:
        return not self.schema_only

    async def draft(self, question: str, on_database: OnDatabase) -> Draft:
        approved = await self.approved(question, on_database)
        if approved is not None:
            return approved
        request = await on_database(self._read_request, question)
        if self.configuration == "default" and not self.schema_only:
            exemplars = await self.nearest(question, on_database)
            request = replace(request, exemplars=exemplars)
        return await self._drafter.adraft(request, ledger=self.ledger)

    async def standalone(self, question: str, history: Sequence[Turn]) -> str:
        messages = rewrite_prompt(history, question)
        reply = await self.model.complete(messages, purpose="rewrite", ledger=self.ledger)
        return read_rewrite(reply.text, self.database.settings.max_question_length)

    async def repair(self, question: str, failure: Failure, on_database: OnDatabase) -> Repaired:
        request = await on_database(self._read_request, question)
        return await self._drafter.arepair(request, failure, ledger=self.ledger)

    async def narrate(self, question: str, result: Result) -> str | None:
        messages = narration_prompt(
            question, result.columns, result.rows, truncated=result.truncated
        )
        reply = await self.model.complete(messages, purpose="narrate", ledger=self.ledger)
        return read_sentence(reply.text)

    def cost(self) -> tuple[int, int, int, int]:
        ledger, tokens = self.ledger, (self.ledger.prompt_tokens, self.ledger.completion_tokens)
        return len(ledger.calls), *tokens, self.lookups.count

    def _read_request(self, question: str) -> DraftRequest:
        """What goes into a prompt; reads the catalog and the value index. Blocking."""
        if self._request is not None and self._request.question == question:
            return self._request
        database = self.database
        off = SWITCHES.keys() & set(database.settings.without)
        without = frozenset(SWITCHES[name] for name in off)
        if isinstance(database, SqlDatabase):
            from groundwire.draft.values import ValueIndex

            catalog = database.catalog()
            values = None if self.schema_only else ValueIndex.build(database)
            self._request = DraftRequest(
                question,
                catalog,
                self.now,
                database.server_version(),
                values=values,
                knowledge=self.knowledge,
                configuration=self.configuration,
                schema_only=self.schema_only,
                without=without,
            )
        elif isinstance(database, GraphDatabase):
            self._request = DraftRequest(
                question,
                database.catalog(),
                self.now,
                database.server_version(),
                knowledge=self.knowledge,
                configuration=self.configuration,
                schema_only=self.schema_only,
                without=without,
            )
        else:
            raise InternalError(f"No prompt for {database.language}.")
        return self._request

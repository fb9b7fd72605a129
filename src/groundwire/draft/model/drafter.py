"""The drafter that asks a model."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from groundwire import trace
from groundwire.draft.base import Draft
from groundwire.draft.drafting import Repaired
from groundwire.draft.extract import extract_statement
from groundwire.draft.model.base import Model
from groundwire.draft.model.faults import ContextOverflow
from groundwire.draft.model.reply import Ledger, Reply

if TYPE_CHECKING:
    from groundwire.draft.prompt import DraftRequest, Failure, Prompt

__all__ = ["ModelDrafter"]

_CUTS = 2
"""Times that a prompt is halved because it is too long for the model."""
_MOST_ASSUMPTIONS = 5


class ModelDrafter:
    """Writes queries by asking a model; `name` is `provider:model`."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.name = model.name

    async def adraft(self, request: DraftRequest, *, ledger: Ledger | None = None) -> Draft:
        """Write one query.

        Raises:
            NotUnderstood: the model says that the database cannot answer; its reason is quoted.
            DraftError: there is no single statement in the reply.
            ModelUnavailable, QuotaExhausted, OperatorError: as `Model.complete`.
        """
        from groundwire.draft.prompt import DRAFT_SCHEMA, draft_prompt

        # The paper's prompts ask for the query alone, in words.
        schema = DRAFT_SCHEMA if request.configuration == "default" else None
        reply = await self._ask(
            lambda budget: draft_prompt(request, budget), schema, "draft", ledger
        )
        return self._draft(reply, request)

    async def arepair(
        self, request: DraftRequest, failure: Failure, *, ledger: Ledger | None = None
    ) -> Repaired:
        """Send a failed query back and get the corrected one, with the fault's code and cause.

        `code` and `cause` are "" where the reply held a query alone.

        Raises:
            As `adraft`.
        """
        from groundwire.draft.prompt import REPAIR_SCHEMA, repair_prompt

        reply = await self._ask(
            lambda budget: repair_prompt(request, failure, budget), REPAIR_SCHEMA, "repair", ledger
        )
        draft = self._draft(reply, request)
        said = reply.parsed or {}
        return Repaired(str(said.get("code", "")), str(said.get("cause", "")), draft)

    async def _ask(
        self,
        write: Callable[[int], Prompt],
        schema: Any,
        purpose: str,
        ledger: Ledger | None,
    ) -> Reply:
        """Ask, with a shorter prompt when the model cannot read the whole of it."""
        budget = self.model.settings.prompt_tokens
        for cut in range(_CUTS + 1):
            prompt = write(budget)
            trace.note("prompt", f"wrote the prompt: {prompt.tokens} tokens", **prompt.to_json())
            try:
                return await self.model.complete(
                    prompt.messages, schema=schema, purpose=purpose, ledger=ledger
                )
            except ContextOverflow:
                if cut == _CUTS:
                    raise
                budget = min(budget, prompt.tokens) // 2
        raise AssertionError("unreachable")

    def _draft(self, reply: Reply, request: DraftRequest) -> Draft:
        said = reply.parsed or {}
        text = extract_statement(str(said.get("query") or reply.text), request.language)
        assumptions = [" ".join(str(item).split()) for item in said.get("assumptions", ())]
        kept = tuple(item for item in assumptions if item)[:_MOST_ASSUMPTIONS]
        return Draft(text, self.name, assumptions=kept)

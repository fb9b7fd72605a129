"""What the nodes of one question share."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, TypedDict, TypeVar

from langgraph.channels import UntrackedValue

from groundwire.answer.answer import Answer, Cost
from groundwire.ask import Options
from groundwire.database import Database, Result
from groundwire.draft.base import Draft
from groundwire.draft.drafting import Drafting, Turn
from groundwire.errors import GroundwireError
from groundwire.guard import Verdict
from groundwire.trace import Trace

__all__ = ["State", "Update", "Work"]

T = TypeVar("T")
Update = dict[str, Any]
"""What a node changes of the state."""


class State(TypedDict, total=False):
    """What the nodes share. The annotated values are never checkpointed.

    `tried` are the texts of all drafts, `codes` the faults that the model named so far, `notes`
    what literal grounding says of the query that found nothing. `held` is the query in hand: the
    first that ran, to the letter of the paper the newest; `held_run` its verdict and its result.
    `is_sent_back`: the query ran, and a signal says that it is wrong. `is_exhausted`: a stopping
    rule ended the repairs.
    """

    question: str
    history: list[Turn]
    standalone_question: str
    is_relevant: bool
    draft: Draft | None
    error_log: list[dict[str, str]]
    retry_count: int
    tried: list[str]
    codes: list[str]
    held: Draft | None
    is_sent_back: bool
    is_exhausted: bool
    failure: Annotated[GroundwireError | None, UntrackedValue]
    verdict: Annotated[Verdict | None, UntrackedValue]
    results: Annotated[Result | None, UntrackedValue]
    notes: Annotated[list[str], UntrackedValue]
    held_run: Annotated[tuple[Verdict, Result] | None, UntrackedValue]
    answer: Annotated[Answer | None, UntrackedValue]


@dataclass(slots=True)
class Work:
    """The live things of one question; LangGraph's runtime context."""

    database: Database
    drafting: Drafting
    options: Options
    now: datetime
    trace: Trace = field(default_factory=Trace)
    probes: int = 0
    executions: int = 0
    began: float = field(default_factory=time.perf_counter)

    @property
    def to_the_letter(self) -> bool:
        """The loop does as the corrector paper says, whatever it makes of a true nothing."""
        return self.database.settings.policy == "paper"

    def cost(self) -> Cost:
        """What the question has used up so far."""
        calls, prompt_tokens, completion_tokens, embeddings = self.drafting.cost()
        return Cost(
            model_calls=calls,
            prompt_tokens=prompt_tokens,
            completion_tokens=completion_tokens,
            embeddings=embeddings,
            probes=self.probes,
            executions=self.executions,
            seconds=time.perf_counter() - self.began,
        )

    async def on_database(self, function: Callable[..., T], *arguments: Any, **named: Any) -> T:
        """Run a blocking call of the database in a thread; cancelling stops it on the server."""
        call = asyncio.ensure_future(asyncio.to_thread(function, *arguments, **named))
        try:
            return await asyncio.shield(call)
        except asyncio.CancelledError:
            self.database.cancel()
            await asyncio.wait([call])
            raise

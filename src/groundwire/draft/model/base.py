"""The model as the pipeline sees it: a prompt in, a reply or a clear error out."""

from __future__ import annotations

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, field
from typing import Any

from groundwire import trace
from groundwire.draft.model.reply import Attempt, Call, Ledger, Message, Reply, StreamEvent
from groundwire.draft.model.settings import ModelSettings
from groundwire.errors import Cancelled, GroundwireError

__all__ = ["Model"]


@dataclass(slots=True)
class Running:
    """A call under way: its attempts so far and the time by which it must be over."""

    deadline: float
    started: float = field(default_factory=time.monotonic)
    attempts: list[Attempt] = field(default_factory=list)
    reply: Reply | None = None

    @property
    def remaining(self) -> float:
        """Seconds left."""
        return self.deadline - time.monotonic()

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self.started


class Model(ABC):
    """A chat model. Subclasses answer one call; this class counts, bounds and records it."""

    def __init__(self, name: str, settings: ModelSettings) -> None:
        self.name = name
        """`provider:model`."""
        self.settings = settings

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None = None,
        purpose: str = "draft",
        ledger: Ledger | None = None,
    ) -> Reply:
        """Ask once. Cancelling the task aborts the request.

        Args:
            messages: the prompt.
            schema: a flat JSON schema with a `title`; `Reply.parsed` then keeps it or is None.
            purpose: a word for the trace (`draft`, `repair`, `rewrite`, `narrate`).
            ledger: the question's budget; the call is recorded there, failed or not.

        Raises:
            ContextOverflow: the prompt is too long for the model.
            QuotaExhausted: the account has nothing left to spend.
            ModelUnavailable: no usable reply within the budget.
            OperatorError: the server denies access or does not know the model.
        """
        with self._call(messages, purpose, ledger) as running:
            running.reply = await self._complete(messages, schema, running)
        return running.reply

    async def stream(
        self,
        messages: Sequence[Message],
        *,
        purpose: str = "narrate",
        ledger: Ledger | None = None,
    ) -> AsyncGenerator[StreamEvent, None]:
        """Ask once and get the text in pieces; the last event carries the whole reply.

        Before the first piece faults are treated as in `complete`; after it they end the stream,
        because a second attempt would repeat what was already shown.

        Raises:
            As `complete`.
        """
        with self._call(messages, purpose, ledger) as running:
            async with aclosing(self._stream(messages, running)) as pieces:
                async for piece in pieces:
                    yield StreamEvent(piece)
        yield StreamEvent(reply=running.reply)

    @abstractmethod
    async def aclose(self) -> None:
        """Release the connections of the running event loop."""

    @abstractmethod
    async def _complete(
        self, messages: Sequence[Message], schema: Mapping[str, Any] | None, running: Running
    ) -> Reply: ...

    @abstractmethod
    def _stream(self, messages: Sequence[Message], running: Running) -> AsyncGenerator[str, None]:
        """Yield the pieces, then set `running.reply`."""

    @contextmanager
    def _call(
        self, messages: Sequence[Message], purpose: str, ledger: Ledger | None
    ) -> Iterator[Running]:
        seconds = self.settings.total_timeout
        if ledger is not None:
            ledger.admit()
            seconds = min(seconds, ledger.max_seconds - ledger.seconds)
        running = Running(time.monotonic() + seconds)
        error: GroundwireError | None = None
        with trace.step("model", f"asked {self.name}", purpose=purpose) as step:
            step.add(prompt=[message.to_json() for message in messages])
            try:
                yield running
            except GroundwireError as problem:
                error = problem
                raise
            except (asyncio.CancelledError, GeneratorExit):
                error = Cancelled("The call to the model was stopped.")
                raise
            finally:
                attempts = tuple(running.attempts)
                call = Call(
                    purpose, tuple(messages), running.reply, error, attempts, running.seconds
                )
                if ledger is not None:
                    ledger.record(call)
                reply = running.reply.to_json() if running.reply else None
                step.add(reply=reply, attempts=[attempt.to_json() for attempt in attempts])

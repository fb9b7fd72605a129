"""The model of a run: asked once for each request, at a bounded rate, everything kept."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any

from groundwire.bench.runs.journal import Journal, key_of
from groundwire.draft.model import Attempt, Message, Model, ModelSettings, Reply
from groundwire.draft.model.base import Running
from groundwire.draft.model.reply import parse_object
from groundwire.errors import ModelUnavailable

__all__ = ["Pace", "RecordedModel", "Request", "Requests", "collected"]


@dataclass(frozen=True, slots=True)
class Request:
    """What a model is asked: messages, and the schema that the reply shall keep."""

    key: str
    messages: tuple[Message, ...]
    schema: Mapping[str, Any] | None


@dataclass(slots=True)
class Requests:
    """The requests of one question: keys of those answered, and those that have no reply yet."""

    keys: list[str] = field(default_factory=list)
    pending: list[Request] = field(default_factory=list)


_current: ContextVar[Requests | None] = ContextVar("requests", default=None)


@contextmanager
def collected() -> Iterator[Requests]:
    """Collect the requests that are made inside, in this task and those it starts."""
    requests = Requests()
    token = _current.set(requests)
    try:
        yield requests
    finally:
        _current.reset(token)


class Pace:
    """At most so many calls a minute, evenly spaced; 0 = as they come."""

    def __init__(self, per_minute: float = 0.0) -> None:
        self._gap = 60.0 / per_minute if per_minute > 0 else 0.0
        self._next = 0.0

    async def wait(self) -> None:
        """Until the next call may begin."""
        now = time.monotonic()
        begins = max(now, self._next)
        self._next = begins + self._gap
        if begins > now:
            await asyncio.sleep(begins - now)


class RecordedModel(Model):
    """A model behind a journal.

    Args:
        inner: the model that is asked; None = none is: a request without a reply is pending.
        journal: where replies are found and kept.
        pace: of the calls to `inner`.
    """

    def __init__(
        self,
        name: str,
        inner: Model | None,
        journal: Journal,
        pace: Pace | None = None,
        settings: ModelSettings | None = None,
    ) -> None:
        super().__init__(name, inner.settings if inner else settings or ModelSettings())
        self.inner = inner
        self.journal = journal
        self.pace = pace or Pace()
        self._asked: dict[str, asyncio.Lock] = {}

    async def aclose(self) -> None:
        if self.inner is not None:
            await self.inner.aclose()

    async def _complete(
        self, messages: Sequence[Message], schema: Mapping[str, Any] | None, running: Running
    ) -> Reply:
        request = Request(key_of(self.name, messages, schema), tuple(messages), schema)
        # Two cases may ask the same at once: the second waits for the first one's reply.
        async with self._asked.setdefault(request.key, asyncio.Lock()):
            known = self.journal.find(request.key)
            reply = await self._ask(request) if known is None else read_reply(known, schema)
        requests = _current.get()
        if requests is not None:
            requests.keys.append(request.key)
        running.attempts.extend(reply.attempts)
        return reply

    async def _ask(self, request: Request) -> Reply:
        if self.inner is None:
            requests = _current.get()
            if requests is not None:
                requests.pending.append(request)
            raise ModelUnavailable(
                "No reply to this request has been read yet.",
                hint="Export the pending prompts, and import the replies.",
                code="PENDING",
            )
        await self.pace.wait()
        reply = await self.inner.complete(request.messages, schema=request.schema)
        kept = reply.to_json()
        self.journal.add(request.key, self.name, request.messages, request.schema, kept)
        return reply

    async def _stream(
        self, messages: Sequence[Message], running: Running
    ) -> AsyncGenerator[str, None]:
        reply = await self._complete(messages, None, running)
        yield reply.text
        running.reply = reply


def read_reply(entry: Mapping[str, Any], schema: Mapping[str, Any] | None) -> Reply:
    """A reply from the journal."""
    attempts = tuple(Attempt(**attempt) for attempt in entry.get("attempts", ()))
    known = {name: value for name, value in entry.items() if name in Reply.__slots__}
    reply = Reply(**known | {"attempts": attempts})
    parsed = parse_object(reply.text, schema) if schema is not None else None
    return replace(reply, parsed=reply.parsed or parsed)

"""A model that says what it was told to say: for tests, of this product and of those who use it."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from groundwire.draft.model.base import Model, Running
from groundwire.draft.model.reply import Attempt, Message, Reply, estimate_tokens, parse_object
from groundwire.draft.model.settings import ModelSettings
from groundwire.errors import UsageError

__all__ = ["ScriptedModel"]

Answer = str | Mapping[str, Any] | BaseException


class ScriptedModel(Model):
    """Replies from a list, in order, or from a function of the prompt.

        model = ScriptedModel(["SELECT 1", ModelUnavailable("down")])
        model = ScriptedModel(lambda messages: "SELECT 2")

    A reply is a text, an object (sent as JSON) or an exception (raised). `prompts` keeps every
    prompt that was asked, in order. The function may be a coroutine function.
    """

    def __init__(
        self,
        script: Iterable[Answer] | Callable[[Sequence[Message]], Any],
        *,
        name: str = "scripted:model",
        settings: ModelSettings | None = None,
    ) -> None:
        super().__init__(name, settings or ModelSettings())
        self.prompts: list[tuple[Message, ...]] = []
        self._function = script if callable(script) else _reader(iter(script))

    async def aclose(self) -> None:
        """There is nothing to release."""

    async def _complete(
        self, messages: Sequence[Message], schema: Mapping[str, Any] | None, running: Running
    ) -> Reply:
        self.prompts.append(tuple(messages))
        answer = self._function(messages)
        if inspect.isawaitable(answer):
            answer = await answer
        if isinstance(answer, BaseException):
            raise answer
        text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
        running.attempts.append(Attempt("ok", running.seconds))
        prompt = sum(estimate_tokens(message.content) for message in messages)
        completion = estimate_tokens(text)
        return Reply(
            text=text,
            parsed=parse_object(text, schema) if schema is not None else None,
            prompt_tokens=prompt,
            completion_tokens=completion,
            estimated=True,
            cost=self.settings.cost(prompt, completion),
            seconds=running.seconds,
            model=self.name,
            attempts=tuple(running.attempts),
        )

    async def _stream(
        self, messages: Sequence[Message], running: Running
    ) -> AsyncGenerator[str, None]:
        reply = await self._complete(messages, None, running)
        for piece in re.findall(r"\s*\S+|\s+$", reply.text):
            yield piece
        running.reply = reply


def _reader(script: Iterator[Answer]) -> Callable[[Sequence[Message]], Answer]:
    def read(messages: Sequence[Message]) -> Answer:
        try:
            return next(script)
        except StopIteration:
            raise UsageError(
                "The scripted model was asked more often than it has replies."
            ) from None

    return read

"""A model behind one of LangChain's chat classes, survived by a budget of attempts."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from groundwire.draft.model.base import Model, Running
from groundwire.draft.model.faults import Fault, classify
from groundwire.draft.model.outcomes import final_error, is_passing, wait_before_retry
from groundwire.draft.model.reply import (
    Attempt,
    Message,
    Method,
    Reply,
    estimate_tokens,
    parse_object,
)
from groundwire.draft.model.settings import ModelSettings

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage, BaseMessage

__all__ = ["ChatModel"]

_CUT = ("length", "max_tokens", "model_context_window_exceeded")


class ChatModel(Model):
    """A LangChain chat model with our own retries, time-outs and fallbacks.

    What a server refuses (a temperature, a way to ask for structured output, usage in a stream)
    is left out from then on, so that the refusal is paid once.
    """

    def __init__(
        self,
        name: str,
        settings: ModelSettings,
        build: Callable[[bool], BaseChatModel],
        *,
        methods: Sequence[Method],
        faults: tuple[type[BaseException], ...],
    ) -> None:
        """
        Args:
            build: makes the chat model, with the temperature of the settings or without.
            methods: ways to ask for structured output, best first, ending in `text`.
            faults: what the provider's package may raise for a failed request.
        """
        super().__init__(name, settings)
        self._build = build
        self._faults = faults
        self._methods = list(methods)
        self._with_temperature = True
        self._with_stream_usage = True
        # Connections belong to the event loop that opened them.
        self._chats: WeakKeyDictionary[asyncio.AbstractEventLoop, BaseChatModel] = (
            WeakKeyDictionary()
        )
        self._random = random.Random()

    async def aclose(self) -> None:
        chat = self._chats.pop(asyncio.get_running_loop(), None)
        client = getattr(chat, "http_async_client", None)
        if client is not None:
            await client.aclose()

    @property
    def _chat(self) -> BaseChatModel:
        loop = asyncio.get_running_loop()
        if loop not in self._chats:
            self._chats[loop] = self._build(self._with_temperature)
        return self._chats[loop]

    async def _complete(
        self, messages: Sequence[Message], schema: Mapping[str, Any] | None, running: Running
    ) -> Reply:
        while True:
            started, chat = time.monotonic(), self._chat
            method: Method = self._methods[0] if schema is not None else "text"
            fault: Fault | None
            try:
                async with asyncio.timeout(min(self.settings.call_timeout, running.remaining)):
                    message = await self._invoke(chat, messages, schema, method)
            except self._faults as error:
                fault = classify(error)
            else:
                fault = _unusable(message)
                if fault is None:
                    return self._read(message, messages, schema, method, running, started)
            await self._recover(fault, started, running, method)

    async def _stream(
        self, messages: Sequence[Message], running: Running
    ) -> AsyncGenerator[str, None]:
        while True:
            started, chat = time.monotonic(), self._chat
            whole: Any = None
            shown = False
            fault: Fault | None
            try:
                async with aclosing(self._pieces(chat, messages, running)) as pieces:
                    async for chunk in pieces:
                        whole = chunk if whole is None else whole + chunk
                        if chunk.text:
                            shown = True
                            yield str(chunk.text)
            except self._faults as error:
                fault = classify(error)
            else:
                fault = _unusable(whole, streamed=True)
                if fault is None:
                    running.reply = self._read(whole, messages, None, "text", running, started)
                    return
            if shown:
                running.attempts.append(_attempt(fault, started))
                raise final_error(fault, self.name, running.attempts)
            await self._recover(fault, started, running, "text")

    async def _pieces(
        self, chat: BaseChatModel, messages: Sequence[Message], running: Running
    ) -> AsyncGenerator[AIMessage, None]:
        """The chunks of one attempt, none later than the silence that is allowed."""
        options: dict[str, Any] = {}
        if self.name.startswith("openai:"):
            options["stream_usage"] = self._with_stream_usage
        chunks: Any = chat.astream(_to_langchain(messages), **options)
        deadline = time.monotonic() + min(self.settings.call_timeout, running.remaining)
        async with aclosing(chunks):
            while True:
                left = max(0.0, deadline - time.monotonic())
                async with asyncio.timeout(min(self.settings.read_timeout, left)):
                    chunk = await anext(chunks, None)
                if chunk is None:
                    return
                yield chunk

    @staticmethod
    async def _invoke(
        chat: BaseChatModel,
        messages: Sequence[Message],
        schema: Mapping[str, Any] | None,
        method: Method,
    ) -> AIMessage:
        if schema is None:
            return await chat.ainvoke(_to_langchain(messages))
        if method in ("json_mode", "text"):
            messages = _with_schema_in_words(messages, schema)
        if method == "text":
            return await chat.ainvoke(_to_langchain(messages))
        structured = chat.with_structured_output(dict(schema), method=method, include_raw=True)
        answer: Any = await structured.ainvoke(_to_langchain(messages))
        raw: AIMessage = answer["raw"]
        return raw

    def _read(
        self,
        message: AIMessage,
        messages: Sequence[Message],
        schema: Mapping[str, Any] | None,
        method: Method,
        running: Running,
        started: float,
    ) -> Reply:
        text = _text(message)
        parsed = parse_object(text, schema) if schema is not None else None
        if schema is not None and parsed is None:
            self._methods[:] = ["text"]  # the server ignores what was asked for
        running.attempts.append(Attempt("ok", time.monotonic() - started))
        prompt, completion, estimated = _usage(message, messages, text)
        return Reply(
            text=text,
            parsed=parsed,
            prompt_tokens=prompt,
            completion_tokens=completion,
            estimated=estimated,
            cost=self.settings.cost(prompt, completion),
            seconds=running.seconds,
            model=self.name,
            method=method,
            attempts=tuple(running.attempts),
        )

    async def _recover(
        self, fault: Fault, started: float, running: Running, method: Method
    ) -> None:
        """Pause, adapt, or give up after a failed attempt.

        Raises:
            OperatorError: there is no sense in another attempt.
        """
        wait = None
        if fault.kind == "refused" and self._leave_out(fault, method):
            wait = 0.0
        elif is_passing(fault):
            wait = wait_before_retry(
                fault, running.attempts, self.settings, self._random, running.remaining
            )
        running.attempts.append(_attempt(fault, started, waited=wait or 0.0))
        if wait is None:
            raise final_error(fault, self.name, running.attempts)
        await asyncio.sleep(wait)

    def _leave_out(self, fault: Fault, method: Method) -> bool:
        """Give up what the server refuses; False when there is nothing left to give up."""
        detail = fault.detail.lower()
        if "temperature" in detail and self._with_temperature:
            self._with_temperature = False
            self._chats.clear()
        elif "stream_options" in detail and self._with_stream_usage:
            self._with_stream_usage = False
        elif method == "text":
            return False
        elif self._methods[0] == method:  # else another call has left it out meanwhile
            del self._methods[0]
        return True


def _attempt(fault: Fault, started: float, waited: float = 0.0) -> Attempt:
    return Attempt(fault.kind, time.monotonic() - started, waited, fault.status, fault.detail)


def _unusable(message: AIMessage | None, *, streamed: bool = False) -> Fault | None:
    """What is wrong with a reply that arrived: cut at the limit of tokens, or empty."""
    if message is None:
        return Fault("empty", "the stream ended before it began")
    if _finish(message) in _CUT:
        return Fault("cut", "the reply was cut at the model's limit of tokens")
    if streamed and not _finish(message):
        return Fault("cut", "the stream ended before the reply did")
    if not _text(message).strip():
        return Fault("empty", "the reply is empty")
    return None


def _to_langchain(messages: Sequence[Message]) -> list[BaseMessage]:
    from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

    classes = {"system": SystemMessage, "user": HumanMessage, "assistant": AIMessage}
    return [classes[message.role](message.content) for message in messages]


def _with_schema_in_words(messages: Sequence[Message], schema: Mapping[str, Any]) -> list[Message]:
    keys = "\n".join(
        f"- {key}: {value.get('description', value.get('type', ''))}"
        for key, value in schema["properties"].items()
    )
    words = f"Reply with one JSON object and nothing else. Its keys:\n{keys}"
    *before, last = messages
    return [*before, Message(last.role, f"{last.content}\n\n{words}")]


def _text(message: AIMessage) -> str:
    """The text, or the arguments of the tool call that stands for it, as JSON."""
    if message.tool_calls:
        return json.dumps(message.tool_calls[0]["args"], ensure_ascii=False)
    if message.invalid_tool_calls:
        return str(message.invalid_tool_calls[0]["args"] or "")
    return str(message.text) or str(message.additional_kwargs.get("refusal") or "")


def _finish(message: AIMessage) -> str:
    facts = message.response_metadata
    for key in ("finish_reason", "stop_reason", "done_reason"):
        if facts.get(key):
            return str(facts[key])
    return ""


def _usage(message: AIMessage, messages: Sequence[Message], text: str) -> tuple[int, int, bool]:
    usage = message.usage_metadata
    if usage:
        return usage["input_tokens"], usage["output_tokens"], False
    prompt = sum(estimate_tokens(part.content) for part in messages)
    return prompt, estimate_tokens(text), True

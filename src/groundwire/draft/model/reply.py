"""What goes to a model and what comes back, with everything that the trace wants to know."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from groundwire.errors import GroundwireError, ModelUnavailable

__all__ = [
    "Attempt",
    "Call",
    "Ledger",
    "Message",
    "Method",
    "Reply",
    "StreamEvent",
    "estimate_tokens",
]

Method = Literal["json_schema", "function_calling", "json_mode", "text"]
"""How a structured reply is asked for; `text` = in words alone."""

_CHARACTERS_A_TOKEN = 4


def estimate_tokens(text: str) -> int:
    """Tokens of a text, estimated: a token for four characters, two for one beyond ASCII.

    Measured tokenizers lie between 3 and 5 characters a token on schemas and queries; the
    estimate is there to keep a budget, never to count a cost where the server counts it.
    """
    beyond = sum(1 for letter in text if letter > "\x7f")
    return -(-(len(text) - beyond) // _CHARACTERS_A_TOKEN) + 2 * beyond


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a prompt."""

    role: Literal["system", "user", "assistant"]
    content: str

    def to_json(self) -> dict[str, str]:
        """`{role, content}`."""
        return {"role": self.role, "content": self.content}


@dataclass(frozen=True, slots=True)
class Attempt:
    """One request to the server.

    `outcome` is `ok` or the kind of fault (`rate_limited`, `timeout`, `server_error`, `cut`, …).
    `waited` is the pause in seconds that followed it. `status` is the HTTP status of a fault.
    """

    outcome: str
    seconds: float
    waited: float = 0.0
    status: int | None = None
    detail: str = ""

    def to_json(self) -> dict[str, Any]:
        """`{outcome, seconds, waited, status, detail}`."""
        return {
            "outcome": self.outcome,
            "seconds": round(self.seconds, 6),
            "waited": round(self.waited, 6),
            "status": self.status,
            "detail": self.detail,
        }


@dataclass(frozen=True, slots=True)
class Reply:
    """One reply of a model.

    `parsed` is the object that was asked for; None where none was, or where the text is not one
    that keeps the schema. `estimated` = the server counted no tokens, so the counts are ours.
    `cost` is in USD, None where the price is not known. `seconds` includes waits.
    """

    text: str
    parsed: Mapping[str, Any] | None = None
    prompt_tokens: int = 0
    completion_tokens: int = 0
    estimated: bool = False
    cost: float | None = None
    seconds: float = 0.0
    model: str = ""
    method: Method = "text"
    attempts: tuple[Attempt, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Every field in JSON values."""
        return {
            "text": self.text,
            "parsed": self.parsed,
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "estimated": self.estimated,
            "cost": self.cost,
            "seconds": round(self.seconds, 6),
            "model": self.model,
            "method": self.method,
            "attempts": [attempt.to_json() for attempt in self.attempts],
        }


@dataclass(frozen=True, slots=True)
class StreamEvent:
    """A piece of a streamed reply. The last event has no text and the whole `reply`."""

    text: str = ""
    reply: Reply | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the pipeline to a model: what for, the prompt, the reply or the error."""

    purpose: str
    messages: tuple[Message, ...]
    reply: Reply | None
    error: GroundwireError | None = None
    attempts: tuple[Attempt, ...] = ()
    seconds: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """`{purpose, messages, reply, error, attempts, seconds}`."""
        return {
            "purpose": self.purpose,
            "messages": [message.to_json() for message in self.messages],
            "reply": self.reply.to_json() if self.reply else None,
            "error": self.error.to_json() if self.error else None,
            "attempts": [attempt.to_json() for attempt in self.attempts],
            "seconds": round(self.seconds, 6),
        }


@dataclass(slots=True)
class Ledger:
    """The calls of one question and what they may cost in all.

    The default budget is one rewrite, one draft, three repairs and one narration, with room for
    a prompt that has to be cut. `max_seconds` counts the time spent in calls.
    """

    max_calls: int = 8
    max_seconds: float = 600.0
    max_tokens: int = 200_000
    calls: list[Call] = field(default_factory=list)

    def admit(self) -> None:
        """Let one more call begin.

        Raises:
            ModelUnavailable: the budget of the question is spent; the code is `MODEL_BUDGET`.
        """
        spent = ""
        if len(self.calls) >= self.max_calls:
            spent = f"{self.max_calls} calls"
        elif self.seconds >= self.max_seconds:
            spent = f"{self.max_seconds:g} seconds of calls"
        elif self.prompt_tokens + self.completion_tokens >= self.max_tokens:
            spent = f"{self.max_tokens} tokens"
        if spent:
            raise ModelUnavailable(
                f"The question has used up its budget of {spent} to the model.",
                hint="Ask a simpler question, or raise the budget.",
                code="MODEL_BUDGET",
            )

    def record(self, call: Call) -> None:
        """Keep a finished call."""
        self.calls.append(call)

    @property
    def prompt_tokens(self) -> int:
        """Tokens of all prompts that were answered."""
        return sum(call.reply.prompt_tokens for call in self.calls if call.reply)

    @property
    def completion_tokens(self) -> int:
        """Tokens of all replies."""
        return sum(call.reply.completion_tokens for call in self.calls if call.reply)

    @property
    def seconds(self) -> float:
        """Seconds spent in all calls, failed ones included."""
        return sum(call.seconds for call in self.calls)

    @property
    def cost(self) -> float | None:
        """USD of all replies; None as soon as the price of one is not known."""
        costs = [call.reply.cost for call in self.calls if call.reply]
        known = [cost for cost in costs if cost is not None]
        return sum(known) if costs and len(known) == len(costs) else None

    def to_json(self) -> list[dict[str, Any]]:
        """The calls in order."""
        return [call.to_json() for call in self.calls]


def keeps(schema: Mapping[str, Any], value: Any) -> bool:
    """Whether an object has the required keys of a flat JSON schema with the right types."""
    if not isinstance(value, Mapping):
        return False
    properties: Mapping[str, Mapping[str, Any]] = schema.get("properties", {})
    required: Sequence[str] = schema.get("required", ())
    if any(key not in value for key in required):
        return False
    return all(_is(value[key], kind) for key, kind in properties.items() if key in value)


def _is(value: Any, schema: Mapping[str, Any]) -> bool:
    kind = schema.get("type")
    if kind == "array":
        items = schema.get("items", {})
        return isinstance(value, list) and all(_is(item, items) for item in value)
    if "enum" in schema and value not in schema["enum"]:
        return False
    types: dict[Any, Any] = {"string": str, "integer": int, "number": (int, float), "boolean": bool}
    return kind not in types or isinstance(value, types[kind])


def parse_object(text: str, schema: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The JSON object of a text if it keeps the schema; a fence around it is looked through."""
    body = text.strip()
    if body.startswith("```") and body.endswith("```"):
        body = body.strip("`").strip()
        body = body[4:] if body[:4].lower() == "json" else body
    try:
        value = json.loads(body, strict=False)
    except (ValueError, RecursionError):
        return None
    return value if keeps(schema, value) else None

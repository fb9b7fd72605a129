"""What went wrong in a request to a model's server, told apart by what must be done about it.

The exceptions of the providers' packages are read by their facts (HTTP status, headers, body,
class names along the chain of causes), because each provider has classes of its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Literal

from groundwire.errors import ModelUnavailable
from groundwire.trace import mask

__all__ = ["ContextOverflow", "Fault", "Kind", "classify", "retry_after"]

Kind = Literal[
    "rate_limited",
    "quota",
    "denied",
    "not_found",
    "context",
    "refused",
    "server_error",
    "timeout",
    "unreachable",
    "cut",
    "empty",
    "broken",
]

_QUOTA = (
    "insufficient_quota",
    "exceeded your current quota",
    "credit balance is too low",
    "billing_hard_limit",
    "billing_not_active",
    "insufficient credits",
    "insufficient_balance",
    "insufficient balance",
)
_CONTEXT = (
    "context_length_exceeded",
    "maximum context length",
    "context window",
    "context size",
    "exceed_context_size",
    "prompt is too long",
    "input is too long",
    "too many input tokens",
    "input tokens exceed",
    "reduce the length of the messages",
    "contextoverflow",
)
_DETAIL_LENGTH = 300


class ContextOverflow(ModelUnavailable):
    """The prompt is longer than the model can read; a shorter one may fit."""

    default_code = "CONTEXT_OVERFLOW"


@dataclass(frozen=True, slots=True)
class Fault:
    """One failed request. `wait` is what the server asked to wait, in seconds."""

    kind: Kind
    detail: str
    status: int | None = None
    wait: float | None = None


def classify(error: BaseException) -> Fault:
    """Read a provider's exception."""
    payload = _payload(error)
    status = _status(error, payload)
    everything = f"{error} {json.dumps(payload, default=str)}".lower()
    said = payload.get("message") or str(error)
    return Fault(
        _kind(error, status, everything),
        _shorten(mask(str(said))),
        status,
        retry_after(_headers(error)),
    )


def retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Seconds that the server asks to wait, from its headers; None where it does not say.

    `Retry-After` holds seconds or an HTTP date (RFC 9110, section 10.2.3); `retry-after-ms` is
    what some providers send for shorter waits.
    """
    milliseconds = headers.get("retry-after-ms", "")
    if _is_number(milliseconds):
        return max(0.0, float(milliseconds) / 1000)
    value = headers.get("retry-after", "").strip()
    if _is_number(value):
        return max(0.0, float(value))
    try:
        date = parsedate_to_datetime(value)
    except ValueError:
        return None
    if date.tzinfo is None:
        date = date.replace(tzinfo=UTC)
    return max(0.0, (date - (now or datetime.now(UTC))).total_seconds())


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).isascii() and text.replace(".", "", 1).isdigit()


def _kind(error: BaseException, status: int | None, text: str) -> Kind:
    if status == 402 or any(word in text for word in _QUOTA):
        return "quota"
    if status in (None, 400, 413, 422, 429, 500) and any(word in text for word in _CONTEXT):
        return "context"
    by_status: dict[int | None, Kind] = {
        401: "denied",
        403: "denied",
        404: "not_found",
        408: "timeout",
        409: "server_error",
        413: "context",
        425: "server_error",
        429: "rate_limited",
    }
    if status in by_status:
        return by_status[status]
    if status is not None and status >= 400:
        return "server_error" if status >= 500 else "refused"
    return _kind_of_transport(error)


def _kind_of_transport(error: BaseException) -> Kind:
    names = {cls.__name__ for cause in _causes(error) for cls in type(cause).__mro__}
    if any("Timeout" in name for name in names):
        return "timeout"
    if names & {
        "LengthFinishReasonError",
        "RemoteProtocolError",
        "ReadError",
        "IncompleteRead",
        "ConnectionResetError",
    }:
        return "cut"
    if names & {"APIConnectionError", "ConnectError", "ConnectionError", "gaierror"}:
        return "unreachable"
    return "broken"


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _payload(error: BaseException) -> Mapping[str, Any]:
    """The error object that the server sent, with HTTP 4xx and 5xx or inside a reply."""
    for candidate in (getattr(error, "body", None), *error.args):
        if isinstance(candidate, Mapping):
            inner = candidate.get("error", candidate)
            return inner if isinstance(inner, Mapping) else candidate
    return {}


def _status(error: BaseException, payload: Mapping[str, Any]) -> int | None:
    for cause in _causes(error):
        for holder in (cause, getattr(cause, "response", None)):
            status = getattr(holder, "status_code", None)
            if isinstance(status, int) and status >= 400:
                return status
    code = payload.get("code")
    return code if isinstance(code, int) and 400 <= code < 600 else None


def _headers(error: BaseException) -> Mapping[str, str]:
    for cause in _causes(error):
        headers = getattr(getattr(cause, "response", None), "headers", None)
        if headers is not None:
            return {str(key).lower(): str(value) for key, value in headers.items()}
    return {}


def _shorten(text: str) -> str:
    return text if len(text) <= _DETAIL_LENGTH else text[:_DETAIL_LENGTH] + "…"

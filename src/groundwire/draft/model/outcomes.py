"""What follows from a fault: another attempt after a pause, or an error in words."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from groundwire.draft.model.faults import ContextOverflow, Fault, Kind
from groundwire.draft.model.reply import Attempt
from groundwire.draft.model.settings import ModelSettings
from groundwire.errors import ModelUnavailable, OperatorError, QuotaExhausted

__all__ = ["final_error", "is_passing", "wait_before_retry"]

_PASSING: frozenset[Kind] = frozenset(
    {"rate_limited", "server_error", "timeout", "unreachable", "cut", "empty", "broken"}
)


def is_passing(fault: Fault) -> bool:
    """Whether the same request may succeed later."""
    return fault.kind in _PASSING


def wait_before_retry(
    fault: Fault,
    before: Sequence[Attempt],
    settings: ModelSettings,
    random: Random,
    remaining: float,
) -> float | None:
    """Seconds to pause before the next attempt; None when the budget allows no other.

    The server's own wish counts first; else the pause doubles with each fault of the call, with a
    jitter of a quarter so that several clients do not return together.

    Args:
        before: the attempts before this one.
        remaining: seconds left of the call's budget.
    """
    limited = fault.kind == "rate_limited"
    same = [attempt for attempt in before if (attempt.outcome == "rate_limited") == limited]
    spent = sum(1 for attempt in same if attempt.outcome != "refused")
    if spent >= (settings.rate_limit_retries if limited else settings.retries):
        return None
    wait = fault.wait
    if wait is None:
        wait = settings.backoff * 2**spent * random.uniform(0.75, 1.25)
    wait = min(wait, settings.max_wait)
    return wait if wait < remaining else None


def final_error(
    fault: Fault, name: str, attempts: Sequence[Attempt], kind: str = "chat model"
) -> OperatorError:
    """The error that a call ends with; `kind` is what the model has to be."""
    tries = "1 try" if len(attempts) == 1 else f"{len(attempts)} tries"
    said = f" The server said: {fault.detail}" if fault.detail else ""
    match fault.kind:
        case "quota":
            return QuotaExhausted(
                f"The account of {name} has nothing left to spend.{said}",
                hint="Add credit, or use another model.",
            )
        case "context":
            return ContextOverflow(
                f"The prompt is longer than {name} can read.{said}",
                hint="Use a model with a longer context, or lower GROUNDWIRE_MODEL_PROMPT_TOKENS.",
            )
        case "denied":
            return OperatorError(
                f"The server of {name} denies access (HTTP {fault.status}).{said}",
                hint="Check the API key and what it may use.",
                code="MODEL_ACCESS_DENIED",
            )
        case "not_found":
            return OperatorError(
                f"The server does not know the model {name} (HTTP 404).{said}",
                hint="Check the model's name, and that the URL ends as the server wants (…/v1).",
                code="MODEL_NOT_FOUND",
            )
        case "refused":
            return OperatorError(
                f"The server of {name} refuses the request (HTTP {fault.status}).{said}",
                hint=f"Check that the model is a {kind}.",
                code="MODEL_REFUSED",
            )
    return ModelUnavailable(
        f"{_WHAT[fault.kind].format(name=name)} ({tries}).{said}",
        hint=_HINT.get(fault.kind, "Try again later, or use another model."),
    )


_WHAT: dict[Kind, str] = {
    "rate_limited": "The server of {name} limits the rate and took no request within the budget",
    "server_error": "The server of {name} failed",
    "timeout": "The server of {name} did not answer in time",
    "unreachable": "No server answers for {name}",
    "cut": "The reply of {name} was cut in the middle",
    "empty": "The reply of {name} was empty",
    "broken": "The reply of {name} could not be read",
}
_HINT: dict[Kind, str] = {
    "rate_limited": "Wait a minute, or raise GROUNDWIRE_MODEL_MAX_WAIT.",
    "timeout": "Try again, use a faster model, or raise GROUNDWIRE_MODEL_READ_TIMEOUT.",
    "unreachable": "Check that the model's server runs and that its URL is right.",
}

"""Named limits of the model edge: a name, a default, a sentence.

`ModelSettings.from_environment()` reads `GROUNDWIRE_MODEL_<NAME>` for each field
(`GROUNDWIRE_MODEL_RETRIES=4`).
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from groundwire.errors import UsageError

__all__ = ["ModelSettings"]


def _setting(default: Any, sentence: str, *, secret: bool = False) -> Any:
    return field(default=default, metadata={"sentence": sentence}, repr=not secret)


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """All limits of the calls to one model. `describe()` lists each with its sentence."""

    url: str = _setting(
        "", "Base URL of the model's server (`http://host:port/v1`); empty = the provider's own."
    )
    api_key: str = _setting(
        "", "Key for the server; empty = the provider's variable (OPENAI_API_KEY, …).", secret=True
    )
    temperature: float = _setting(0.0, "Sampling temperature; left out where a model refuses it.")
    prompt_tokens: int = _setting(
        8000, "Tokens of a drafting prompt at most (estimated); the schema part is cut to fit."
    )
    connect_timeout: float = _setting(
        10.0, "Seconds to wait for the server to accept a connection."
    )
    read_timeout: float = _setting(120.0, "Seconds that the server may be silent during a reply.")
    call_timeout: float = _setting(180.0, "Seconds for one attempt in all.")
    total_timeout: float = _setting(
        300.0, "Seconds for one call in all, with its waits and further attempts."
    )
    retries: int = _setting(2, "Further attempts after a time-out, a 5xx or a broken reply.")
    rate_limit_retries: int = _setting(5, "Further attempts after the server limits the rate.")
    backoff: float = _setting(
        1.0, "Seconds before the second attempt where the server names none; doubled each time."
    )
    max_wait: float = _setting(30.0, "Seconds to wait before an attempt at most, whoever asks.")
    price_in: float | None = _setting(None, "USD for a million prompt tokens, where known.")
    price_out: float | None = _setting(None, "USD for a million completion tokens, where known.")

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> ModelSettings:
        """Read `GROUNDWIRE_MODEL_<NAME>` variables.

        Raises:
            UsageError: a value is not a number where one is wanted.
        """
        environment = os.environ if environment is None else environment
        values: dict[str, Any] = {}
        for item in fields(cls):
            text = environment.get(f"GROUNDWIRE_MODEL_{item.name.upper()}")
            if text is not None:
                values[item.name] = _read(item.name, text, item.default)
        return cls(**values)

    @classmethod
    def describe(cls) -> list[tuple[str, Any, str]]:
        """Every setting as (name, default, sentence)."""
        return [(item.name, item.default, item.metadata["sentence"]) for item in fields(cls)]

    def cost(self, prompt_tokens: int, completion_tokens: int) -> float | None:
        """USD of a reply; None where a price is not known."""
        if self.price_in is None or self.price_out is None:
            return None
        return (prompt_tokens * self.price_in + completion_tokens * self.price_out) / 1_000_000


def _read(name: str, text: str, default: Any) -> Any:
    if isinstance(default, str):
        return text
    try:
        return int(text) if isinstance(default, int) else float(text)
    except ValueError:
        raise UsageError(
            f"The setting {name} is not a number: {text!r}.",
            hint=f"Set GROUNDWIRE_MODEL_{name.upper()} to a number.",
        ) from None

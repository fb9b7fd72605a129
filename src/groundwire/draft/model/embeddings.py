"""Vectors from a server that speaks OpenAI's embeddings, survived by a budget of attempts.

The named limits are those of the model edge (`ModelSettings`); so are keys, URLs and errors.
"""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from groundwire import trace
from groundwire.draft.model.faults import Fault, classify
from groundwire.draft.model.opening import (
    api_key,
    certificates,
    faults_of,
    read_specification,
    require_packages,
)
from groundwire.draft.model.outcomes import final_error, is_passing, wait_before_retry
from groundwire.draft.model.reply import Attempt
from groundwire.draft.model.settings import ModelSettings
from groundwire.errors import UsageError

if TYPE_CHECKING:
    from groundwire.draft.embedding import Vectors

__all__ = ["ServedEmbedder", "cache_folder", "open_embedder"]

_BATCH = 100
"""Texts in one request."""
_LONGEST = 2_000
"""Characters of a text that are sent; every embedding model reads as many tokens as these hold."""
_MODEL = "model for embeddings"


def open_embedder(specification: str, settings: ModelSettings | None = None) -> ServedEmbedder:
    """An embedding by name: `openai:text-embedding-3-small`, `openai:NAME@http://host:port/v1`.

    Nothing is asked of the server yet.

    Args:
        specification: provider and name; a URL behind `@` counts before `settings.url`.
        settings: None = from the environment.

    Raises:
        UsageError: the name cannot be read, or is of a provider with another protocol.
        DriverMissing: the extra `openai` is not installed.
        OperatorError: no API key is there for the provider's own server.
    """
    wanted = read_specification(specification)
    if wanted.provider != "openai":
        raise UsageError(
            f"Embeddings of the provider {wanted.provider!r} are not served.",
            hint="Any server that speaks OpenAI's protocol is: openai:NAME@http://host:port/v1.",
        )
    settings = ModelSettings.from_environment() if settings is None else settings
    if wanted.url:
        settings = replace(settings, url=wanted.url)
    require_packages(wanted.provider)
    return ServedEmbedder(wanted.name, settings, api_key(wanted.provider, settings))


class ServedEmbedder:
    """An Embedder over HTTP. The vectors of a corpus are kept in the person's cache folder."""

    def __init__(self, model: str, settings: ModelSettings, key: str) -> None:
        url = settings.url or os.environ.get("OPENAI_BASE_URL", "")
        self.name = trace.mask(f"openai:{model}@{url}" if url else f"openai:{model}")
        self._model = model
        self._settings = settings
        self._key = key
        self._faults = faults_of("openai")
        self._random = random.Random()
        self._dimensions = 0

    async def aembed(self, texts: Sequence[str]) -> Vectors:
        """An array of shape (texts, dimensions), each row of length 1 or 0.

        Raises:
            ModelUnavailable: no usable reply within the budget.
            QuotaExhausted: the account has nothing left to spend.
            OperatorError: the server denies access, or does not know or serve the model.
        """
        import numpy as np
        import openai

        timeout = openai.Timeout(
            self._settings.read_timeout, connect=self._settings.connect_timeout
        )
        client = openai.AsyncOpenAI(
            api_key=self._key,
            base_url=self._settings.url or None,
            max_retries=0,
            http_client=openai.DefaultAsyncHttpxClient(verify=certificates(), timeout=timeout),
        )
        async with client:
            parts = [
                await self._batch(client, [text[:_LONGEST] for text in texts[at : at + _BATCH]])
                for at in range(0, len(texts), _BATCH)
            ]
        return np.concatenate(parts)

    async def aembed_corpus(self, texts: Sequence[str]) -> Vectors:
        """As `aembed`; what was embedded once is read from the cache folder."""
        import numpy as np

        digest = sha256("\0".join([self.name, *texts]).encode()).hexdigest()
        file = cache_folder() / "embeddings" / f"{digest}.npy"
        with suppress(OSError, ValueError, EOFError):
            kept: Vectors = np.load(file, allow_pickle=False)
            if kept.shape == (len(texts), self._dimensions or kept.shape[-1]):
                return kept
        vectors = await self.aembed(texts)
        with suppress(OSError):  # a cache that cannot be written costs time, not the answer
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            draft = file.with_suffix(f".{os.getpid()}.npy")
            np.save(draft, vectors)
            draft.replace(file)
        return vectors

    async def _batch(self, client: Any, texts: list[str]) -> Vectors:
        """One request, with further attempts in the budget of a call."""
        attempts: list[Attempt] = []
        deadline = time.monotonic() + self._settings.total_timeout
        with trace.step("embed", f"asked {self.name}", texts=len(texts)) as step:
            try:
                while True:
                    started = time.monotonic()
                    found = await self._attempt(client, texts, deadline - started)
                    if not isinstance(found, Fault):
                        attempts.append(Attempt("ok", time.monotonic() - started))
                        return found
                    await self._recover(found, started, deadline, attempts)
            finally:
                step.add(attempts=[attempt.to_json() for attempt in attempts])

    async def _attempt(self, client: Any, texts: list[str], remaining: float) -> Vectors | Fault:
        try:
            async with asyncio.timeout(min(self._settings.call_timeout, remaining)):
                # Floats, because not every server knows the SDK's default, base64.
                reply = await client.embeddings.create(
                    model=self._model, input=texts, encoding_format="float"
                )
            return self._read(reply, len(texts))
        except self._faults as error:
            return classify(error)

    def _read(self, reply: Any, count: int) -> Vectors | Fault:
        """The vectors of a reply in the order of the texts, or what is wrong with it."""
        import numpy as np

        rows = sorted(reply.data, key=lambda row: row.index)
        if [row.index for row in rows] != list(range(count)):
            return Fault("broken", f"{len(rows)} vectors came for {count} texts")
        lengths = {len(row.embedding) for row in rows}
        if lengths - {self._dimensions or min(lengths)} or not min(lengths):
            numbers = ", ".join(map(str, sorted(lengths | {self._dimensions} - {0})))
            return Fault("broken", f"vectors of different lengths came: {numbers}")
        vectors: Vectors = np.asarray([row.embedding for row in rows], dtype=np.float32)
        if not np.isfinite(vectors).all():
            return Fault("broken", "a vector holds what is no number")
        self._dimensions = vectors.shape[1]
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        vectors /= np.where(norms == 0, 1, norms)
        return vectors

    async def _recover(
        self, fault: Fault, started: float, deadline: float, attempts: list[Attempt]
    ) -> None:
        """Pause, or give up after a failed attempt.

        Raises:
            OperatorError: there is no sense in another attempt.
        """
        wait = None
        if is_passing(fault):
            remaining = deadline - time.monotonic()
            wait = wait_before_retry(fault, attempts, self._settings, self._random, remaining)
        seconds = time.monotonic() - started
        attempts.append(Attempt(fault.kind, seconds, wait or 0.0, fault.status, fault.detail))
        if wait is None:
            raise final_error(fault, self.name, attempts, _MODEL)
        await asyncio.sleep(wait)


def cache_folder() -> Path:
    """The person's cache folder for Groundwire (XDG Base Directory Specification)."""
    given = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(given) if given else Path.home() / ".cache") / "groundwire"

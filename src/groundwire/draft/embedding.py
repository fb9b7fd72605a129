"""Sentences as vectors, so that questions can be compared by meaning.

The offline embedding is wordllama, a table of static vectors inside its wheel (extra `embed`):
nothing is downloaded when it is used. A server's embedding is opened by `open_embedder`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]
    Vectors = NDArray[np.float32]

__all__ = ["Embedder", "Lookups", "WordLlamaEmbedder", "default_embedder"]

DIMENSIONS = 256


class Embedder(Protocol):
    """Turns texts into vectors of length 1, so that a dot product is the cosine.

    `name` tells embeddings apart: vectors of two embedders of one name can be compared.
    """

    name: str

    async def aembed(self, texts: Sequence[str]) -> Vectors:
        """An array of shape (texts, dimensions), for the question at hand.

        Raises:
            OperatorError: the server of the embedding is out of order.
        """
        ...

    async def aembed_corpus(self, texts: Sequence[str]) -> Vectors:
        """As `aembed`, for many texts that come again; kept where that saves something."""
        ...


class WordLlamaEmbedder:
    """The static 256-dimensional vectors of wordllama; about 0.1 ms a sentence."""

    name = "wordllama"

    def __init__(self) -> None:
        import logging
        from pathlib import Path

        # Importing it sets up logging for the whole process, which is not its business.
        root = logging.getLogger()
        handlers, level = list(root.handlers), root.level
        import wordllama

        for handler in set(root.handlers) - set(handlers):
            root.removeHandler(handler)
        root.setLevel(level)
        logging.getLogger("wordllama").setLevel(logging.ERROR)
        # `load()` alone would look for the weights on the network before its own folder.
        self._model: Any = wordllama.WordLlama.load(
            dim=DIMENSIONS, cache_dir=Path(wordllama.__file__).parent, disable_download=True
        )

    def embed(self, texts: Sequence[str]) -> Vectors:
        """An array of shape (texts, dimensions)."""
        vectors: Vectors = self._model.embed(list(texts), norm=True)
        return vectors

    async def aembed(self, texts: Sequence[str]) -> Vectors:
        """As `embed`."""
        return self.embed(texts)

    async def aembed_corpus(self, texts: Sequence[str]) -> Vectors:
        """As `embed`, in a thread: thousands of texts take a second."""
        import asyncio

        return await asyncio.to_thread(self.embed, texts)


@cache
def default_embedder() -> WordLlamaEmbedder | None:
    """The offline embedder, or None where the extra `embed` is not installed."""
    return WordLlamaEmbedder() if find_spec("wordllama") is not None else None


class Lookups:
    """The vectors of the questions at hand: each is looked up once. `count` is how often."""

    def __init__(self) -> None:
        self.count = 0
        self._held: dict[tuple[str, str], Vector] = {}

    def offline(self, question: str, embedder: WordLlamaEmbedder) -> Vector:
        """The vector of a question, by the offline embedder."""
        key = (embedder.name, question)
        if key not in self._held:
            self.count += 1
            self._held[key] = embedder.embed([question])[0]
        return self._held[key]

    async def of(self, question: str, embedder: Embedder) -> Vector:
        """The vector of a question.

        Raises:
            OperatorError: the server of the embedding is out of order.
        """
        key = (embedder.name, question)
        if key not in self._held:
            self.count += 1
            self._held[key] = (await embedder.aembed([question]))[0]
        return self._held[key]

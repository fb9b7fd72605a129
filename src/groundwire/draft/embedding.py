"""Sentences as vectors, so that questions can be compared by meaning.

The offline embedding is wordllama, a table of static vectors inside its wheel (extra `embed`):
nothing is downloaded when it is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

__all__ = ["Embedder", "WordLlamaEmbedder", "default_embedder"]

DIMENSIONS = 256


class Embedder(Protocol):
    """Turns texts into vectors of length 1, so that a dot product is the cosine."""

    name: str

    def embed(self, texts: Sequence[str]) -> Vectors:
        """An array of shape (texts, dimensions)."""
        ...


class WordLlamaEmbedder:
    """The static 256-dimensional vectors of wordllama; about 0.1 ms a sentence."""

    name = "wordllama"

    def __init__(self) -> None:
        import logging
        from pathlib import Path

        import wordllama

        logging.getLogger("wordllama").setLevel(logging.ERROR)
        # `load()` alone would look for the weights on the network before its own folder.
        self._model: Any = wordllama.WordLlama.load(
            dim=DIMENSIONS, cache_dir=Path(wordllama.__file__).parent, disable_download=True
        )

    def embed(self, texts: Sequence[str]) -> Vectors:
        vectors: Vectors = self._model.embed(list(texts), norm=True)
        return vectors


@cache
def default_embedder() -> Embedder | None:
    """The offline embedder, or None where the extra `embed` is not installed."""
    return WordLlamaEmbedder() if find_spec("wordllama") is not None else None

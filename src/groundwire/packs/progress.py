"""How long work tells that it moves on."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["Progress", "silent"]

Progress = Callable[[str, float], None]
"""Called with what is being done, in a few words, and the fraction of it that is done (0 to 1)."""


def silent(stage: str, fraction: float) -> None:
    """Tell nobody."""

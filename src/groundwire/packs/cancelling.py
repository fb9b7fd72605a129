"""Ctrl-C during long work."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from groundwire.errors import Cancelled

__all__ = ["cancellable"]


@contextmanager
def cancellable(message: str, hint: str) -> Iterator[None]:
    """Turn an interrupt from the keyboard into an error of the tree.

    DuckDB says it in its own way when the interrupt meets it in a statement.

    Raises:
        Cancelled: with the message and the hint.
    """
    try:
        yield
    except KeyboardInterrupt:
        raise Cancelled(message, hint=hint) from None
    except RuntimeError as error:
        if str(error) != "Query interrupted":
            raise
        raise Cancelled(message, hint=hint) from None

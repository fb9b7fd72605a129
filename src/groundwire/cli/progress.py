"""A bar on standard error for what takes over a second."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from groundwire.cli.output import console

__all__ = ["bar", "counter"]

PATIENCE = 1.0
"""Seconds before a bar appears."""


@contextmanager
def bar() -> Iterator[Callable[[str, float], None]]:
    """A function to call with (what is being done, the fraction that is done)."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    started = time.monotonic()
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    progress = Progress(*columns, console=console(stderr=True), transient=True)
    task = progress.add_task("", total=1.0)

    def advance(stage: str, fraction: float) -> None:
        if not progress.live.is_started and time.monotonic() - started > PATIENCE:
            progress.start()
        progress.update(task, description=stage, completed=fraction)

    try:
        yield advance
    finally:
        if progress.live.is_started:
            progress.stop()


@contextmanager
def counter() -> Iterator[Callable[[str, int], None]]:
    """A function to call with (what, how many are done), where the end is not known."""
    started = time.monotonic()
    with console(stderr=True).status("", spinner="line") as status:
        status.stop()

        def advance(what: str, count: int) -> None:
            if time.monotonic() - started > PATIENCE:
                status.start()
            status.update(f"{count:,} {what}")

        yield advance

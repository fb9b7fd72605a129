"""The command line: `groundwire ask`, `check`, `schema`, `doctor`, `chat`, and the packs.

Exit codes: 0 answered or admitted, 1 repaired by `check`, 2 wrong usage, 3 refused or asked,
4 failed, 130 interrupted.
"""

from __future__ import annotations

import sys
from io import TextIOWrapper

__all__ = ["main"]

INTERRUPTED = 130


def main() -> None:
    """Run the command line."""
    # Half of a surrogate pair, as a model or a file may hold it, is told as its escape.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        from groundwire.cli.app import app

        app(prog_name="groundwire")
    except KeyboardInterrupt:
        # Before a command had begun, so that there is nothing to stop.
        sys.exit(INTERRUPTED)

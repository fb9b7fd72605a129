"""The command line: `groundwire ask`, `check`, `schema`, `doctor`, `chat`, and the packs.

Exit codes: 0 answered or admitted, 1 repaired by `check`, 2 wrong usage, 3 refused or asked,
4 failed, 130 interrupted.
"""

from __future__ import annotations

import sys

__all__ = ["main"]

INTERRUPTED = 130


def main() -> None:
    """Run the command line."""
    try:
        from groundwire.cli.app import app

        app(prog_name="groundwire")
    except KeyboardInterrupt:
        # Before a command had begun, so that there is nothing to stop.
        sys.exit(INTERRUPTED)

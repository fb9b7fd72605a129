"""The command line: `groundwire ask`, `check`, `schema`, `doctor`, `chat`, and the packs.

Exit codes: 0 answered or admitted, 1 repaired by `check`, 2 wrong usage, 3 refused or asked,
4 failed, 130 interrupted.
"""

from __future__ import annotations

__all__ = ["main"]


def main() -> None:
    """Run the command line."""
    from groundwire.cli.app import app

    app(prog_name="groundwire")

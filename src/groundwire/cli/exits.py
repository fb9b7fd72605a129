"""Every error of a command becomes a sentence and an exit code."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable
from typing import NoReturn, ParamSpec

import typer

from groundwire.errors import Cancelled, GroundwireError, QuestionError, UsageError
from groundwire.guard.findings import Outcome

__all__ = ["EXIT_CODES", "USAGE", "command", "exit_for"]

EXIT_CODES: dict[Outcome, int] = {
    "admitted": 0,
    "repaired": 1,
    "refused": 3,
    "asked": 3,
    "failed": 4,
}
"""Of `check`. An answered question is 0, repaired or not."""
USAGE = 2
FAILED = 4
INTERRUPTED = 130

Arguments = ParamSpec("Arguments")


def exit_for(error: GroundwireError) -> int:
    """The exit code of an error that ends a command."""
    if isinstance(error, Cancelled):
        return INTERRUPTED
    return USAGE if isinstance(error, UsageError | QuestionError) else FAILED


def command(function: Callable[Arguments, None]) -> Callable[Arguments, None]:
    """Make a function a command whose errors are told in words."""

    @functools.wraps(function)
    def run(*args: Arguments.args, **kwargs: Arguments.kwargs) -> None:
        try:
            function(*args, **kwargs)
            sys.stdout.flush()
        except GroundwireError as error:
            from groundwire.cli.output import print_error

            print_error(error)
            raise typer.Exit(exit_for(error)) from error
        except KeyboardInterrupt:
            sys.stderr.write("\nInterrupted; nothing is left running.\n")
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            _reader_left()
        except typer.Exit:
            raise
        except Exception as error:  # the last resort, told as ours
            _tell_defect(error)
            raise typer.Exit(FAILED) from error

    return run


def _tell_defect(error: Exception) -> None:
    import traceback

    traceback.print_exception(error)
    sys.stderr.write("This is a defect of Groundwire; please report the lines above.\n")


def _reader_left() -> NoReturn:
    """The reader of a pipe went away (`| head`): end quietly, also at the shutdown flush."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    raise typer.Exit(0)

"""What a person sees: answers, verdicts and errors in the terminal."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from groundwire.errors import GroundwireError

if TYPE_CHECKING:
    from rich.console import Console

    from groundwire.guard.findings import Choice, Finding, Verdict

__all__ = [
    "console",
    "print_choices",
    "print_error",
    "print_findings",
    "print_json",
    "print_query",
    "print_unchecked",
    "print_verdict",
]

_WHO = {
    "asker": "",
    "model": "",
    "operator": "This is for whoever runs the set-up.",
    "us": "This is a defect of Groundwire; please report it.",
}
_STYLES = {
    "admitted": "green",
    "repaired": "yellow",
    "asked": "yellow",
    "refused": "red",
    "failed": "red",
}


def console(*, stderr: bool = False) -> Console:
    """A rich console on the current streams."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, emoji=False)


def print_json(value: Any) -> None:
    """One JSON value on one line, in strict JSON."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n")


def print_error(error: GroundwireError) -> None:
    """The error on standard error: what happened, what to do, whose turn it is."""
    from rich.text import Text

    out = console(stderr=True)
    out.print(Text.assemble((error.message, "red bold"), f"  [{error.code}]"), soft_wrap=True)
    for line in (error.hint, _WHO[error.who]):
        if line:
            out.print(Text(line), soft_wrap=True)


def print_query(query: str, language: str) -> None:
    """A query with its syntax in colour."""
    from rich.syntax import Syntax

    console().print(Syntax(query, language, background_color="default", word_wrap=True))


def print_findings(findings: tuple[Finding, ...]) -> None:
    """Each finding with its evidence."""
    from rich.text import Text

    out = console()
    for finding in findings:
        head = Text.assemble(
            (finding.code, "bold"), f" {finding.message} ", (f"({finding.action})", "dim")
        )
        out.print(head, soft_wrap=True)
        for evidence in finding.evidence:
            out.print(Text(f"    {evidence.sentence}", "dim"), soft_wrap=True)
            if evidence.statement:
                out.print(Text(f"    asked: {evidence.statement}", "dim"), soft_wrap=True)


def print_choices(choices: tuple[Choice, ...], language: str) -> None:
    """The readings to choose from, numbered, each with its query."""
    from rich.text import Text

    for number, choice in enumerate(choices, 1):
        console().print(Text(f"{number}. {choice.label}"), soft_wrap=True)
        print_query(choice.query, language)


def print_unchecked(unchecked: tuple[str, ...]) -> None:
    """What the guard could not ask any more."""
    from rich.text import Text

    if unchecked:
        names = ", ".join(name.replace("_", " ") for name in unchecked)
        line = Text(f"Not checked, the budget for small questions was spent: {names}.", "yellow")
        console().print(line, soft_wrap=True)


def print_verdict(verdict: Verdict, language: str) -> None:
    """A verdict for a person: outcome, findings, the text that may be run, the rows if it was."""
    from rich.text import Text

    out = console()
    out.print(Text(verdict.outcome, f"bold {_STYLES[verdict.outcome]}"))
    print_findings(verdict.findings)
    if verdict.error is not None:
        print_error(verdict.error)
    if verdict.outcome == "repaired":
        print_query(verdict.query, language)
    print_choices(verdict.choices, language)
    print_unchecked(verdict.unchecked)
    if verdict.result is not None:
        from groundwire.answer.table import result_table

        out.print(result_table(verdict.result))

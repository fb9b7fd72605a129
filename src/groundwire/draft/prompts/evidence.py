"""Why a query goes back: its error, the findings and the literal-grounding notes, as text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.draft.prompts.quoting import quoted
from groundwire.errors import GroundwireError
from groundwire.guard.findings import Finding

__all__ = ["failure_lines", "finding_lines", "note_lines"]

_LENGTH = 400
_MOST = 10
_QUOTED = re.compile(r"'((?:[^']|'')*)'|\"([^\"]*)\"|“([^”]*)”|`([^`]*)`|(?<==)\(([^()]*)\)")


def failure_lines(query: str, error: GroundwireError | None, empty: bool, known: str | None) -> str:
    """What happened, in a sentence.

    Args:
        known: with a text, quoted parts of messages that do not stand in it are masked, because
            they may be stored values; None = nothing is masked.
    """
    if error is not None:
        hint = f" {quoted(_masked(error.hint, known), _LENGTH)}" if error.hint else ""
        what = "it failed" if query else "the reply held no usable statement"
        return f"{what} ({error.code}): {quoted(_masked(error.message, known), _LENGTH)}{hint}"
    return "it ran and returned no rows." if empty else "it ran, but the checks doubt it."


def finding_lines(findings: Sequence[Finding], known: str | None) -> str:
    """One line a finding with its evidence; "" without any."""
    lines = []
    for finding in findings[:_MOST]:
        sentences = [finding.message]
        if known is None:
            sentences += [evidence.sentence for evidence in finding.evidence]
        said = " ".join(dict.fromkeys(sentence for sentence in sentences if sentence))
        lines.append(
            f"- {finding.code} ({finding.severity}): {quoted(_masked(said, known), _LENGTH)}"
        )
    return "\n".join(["What the checks found:", *lines]) if lines else ""


def note_lines(notes: Sequence[str], known: str | None) -> str:
    """Where the query's literals are stored; nothing of it where no stored value may be sent."""
    if known is not None or not notes:
        return ""
    return "\n".join(["What is stored:", *(f"- {quoted(note, _LENGTH)}" for note in notes[:_MOST])])


def _masked(text: str, known: str | None) -> str:
    if known is None:
        return text

    def mask(match: re.Match[str]) -> str:
        inner = next(group for group in match.groups() if group is not None)
        return match[0] if inner in known else f"{match[0][0]}…{match[0][-1]}"

    return _QUOTED.sub(mask, text)

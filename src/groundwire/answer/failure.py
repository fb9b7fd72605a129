"""The fixed sentences for a question that got no result, by who must act next."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.answer.wording import visible
from groundwire.errors import (
    Cancelled,
    GroundwireError,
    InternalError,
    ModelError,
    NotUnderstood,
    OperatorError,
    QueryTimeout,
    ReadOnlyError,
)
from groundwire.guard.findings import Choice, Outcome

__all__ = ["failure_sentence"]

_OPENINGS: tuple[tuple[type[GroundwireError], str], ...] = (
    (NotUnderstood, "I did not understand the question."),
    (Cancelled, "Stopped before there was an answer."),
    (ReadOnlyError, "Only reading is possible here, so nothing was run."),
    (QueryTimeout, "The query was stopped at its time limit, so there is no answer."),
    (ModelError, "I could not write a query for this that holds."),
    (OperatorError, "There is no answer because the set-up needs attention."),
    (InternalError, "There is no answer because of a defect in Groundwire."),
)
"""The first that fits; the narrower errors stand before the wider ones."""


def failure_sentence(
    outcome: Outcome, error: GroundwireError | None = None, choices: Sequence[Choice] = ()
) -> str:
    """Why there is no result and what can be done. Never prose of a model.

    For `asked` the readings to choose from; for `refused` and `failed` what kind of reason it is,
    what happened, and the hint of the error.
    """
    if outcome == "asked":
        return _asked(error, choices)
    if error is None:
        return "There is no answer: the query was " + (
            "not run." if outcome == "refused" else "not answered."
        )
    opening = next((text for kind, text in _OPENINGS if isinstance(error, kind)), "No answer.")
    return " ".join(part for part in (opening, *_said(error)) if part)


def _asked(error: GroundwireError | None, choices: Sequence[Choice]) -> str:
    readings = "; ".join(
        f"({number}) {visible(choice.label)}" for number, choice in enumerate(choices, 1)
    )
    parts = ["The question can be read in more than one way."]
    if error:
        parts.extend(_said(error))
    if readings:
        parts.append(f"Please choose: {readings}.")
    return " ".join(part for part in parts if part)


def _said(error: GroundwireError) -> tuple[str, str]:
    return visible(error.message.strip()), visible(error.hint.strip())

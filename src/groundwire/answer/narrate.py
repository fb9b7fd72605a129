"""The sentence of an answer: a model's, when every figure and name in it holds; else the template.

A model is asked only about rows that are there. What it says is a claim like any other draft.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from groundwire.answer.template import cut_sentence, template_sentence
from groundwire.database.result import Result
from groundwire.errors import ModelError, OperatorError

if TYPE_CHECKING:
    from groundwire.answer.facts import FactCheck

__all__ = ["Narration", "Wording", "narrate"]

Wording = Callable[[str, Result], Awaitable[str | None]]
"""`(question, result) -> sentence`; None where it has none to give."""


@dataclass(frozen=True, slots=True)
class Narration:
    """A true sentence, who worded it, and why the model's was not taken ("" where it was).

    `offered` is what the model said, `check` what was found in it; both empty without a model.
    """

    sentence: str
    by: Literal["model", "template"]
    why: str = ""
    offered: str = ""
    check: FactCheck | None = None


async def narrate(
    question: str,
    result: Result,
    wording: Wording | None = None,
    *,
    total: int | None = None,
    understood: Sequence[str] = (),
    context: Sequence[str] = (),
) -> Narration:
    """Word a result.

    Args:
        question: the stand-alone question.
        result: its rows; without any, no model is asked.
        wording: asks a model for a sentence; None = the template.
        total: the number of rows without the cap, where it was counted.
        understood: how the question was read, for the sentence about an empty result.
        context: more that is known to be true and may be said, such as the query's own values.
    """
    template = template_sentence(question, result, total=total, understood=understood)
    if wording is None:
        return Narration(template, "template", "No model words the answers.")
    if not result.rows or not result.columns:
        return Narration(template, "template", "An empty result is not worded by a model.")
    try:
        offered = ((await wording(question, result)) or "").strip()
    except (ModelError, OperatorError) as error:
        return Narration(template, "template", f"The model gave no sentence: {error.message}")
    if not offered:
        return Narration(template, "template", "The model gave no sentence.")
    # The check is a lot of patterns to compile, and only a model's sentence needs it.
    from groundwire.answer.facts import check_sentence

    check = check_sentence(offered, question, result, total=total, context=(*understood, *context))
    if not check.ok:
        return Narration(template, "template", check.problems[0].sentence, offered, check)
    if result.truncated and not check.says_cut:
        offered = f"{cut_sentence(result, total)} {offered}"
    return Narration(offered, "model", "", offered, check)

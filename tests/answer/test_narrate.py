"""Who words an answer: a model whose every claim holds, else the template."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from groundwire.answer.failure import failure_sentence
from groundwire.answer.narrate import Narration, narrate
from groundwire.answer.template import template_sentence
from groundwire.database.result import Result
from groundwire.errors import (
    Cancelled,
    DriverMissing,
    GroundwireError,
    InternalError,
    ModelUnavailable,
    NotUnderstood,
    QueryError,
    QueryTimeout,
    QuestionError,
    QuotaExhausted,
    ReadOnlyError,
    UnknownName,
    Unreachable,
)
from groundwire.guard.findings import Choice, Outcome
from tests.answer.judged import table

QUESTION = "How many crimes of each type were there?"
GROUPS = table(["type", "n"], [["THEFT", 5], ["ARSON", 2]])


class Model:
    """Says one sentence, and remembers how often it was asked."""

    def __init__(self, says: str | GroundwireError | None) -> None:
        self.says = says
        self.asked = 0

    async def __call__(self, question: str, result: Result) -> str | None:
        self.asked += 1
        if isinstance(self.says, GroundwireError):
            raise self.says
        return self.says


def worded(
    model: Callable[[str, Result], Awaitable[str | None]] | None, result: Result, **more: object
) -> Narration:
    return asyncio.run(narrate(QUESTION, result, model, **more))  # type: ignore[arg-type]


def test_a_true_sentence_of_the_model_is_taken() -> None:
    narration = worded(Model("There were 5 thefts and 2 arsons."), GROUPS)
    assert narration.by == "model"
    assert narration.sentence == "There were 5 thefts and 2 arsons."
    assert narration.why == ""


def test_a_false_sentence_gives_way_to_the_template_and_the_reason_is_kept() -> None:
    narration = worded(Model("There were 2 thefts and 5 arsons."), GROUPS)
    assert narration.by == "template"
    assert narration.sentence == template_sentence(QUESTION, GROUPS)
    assert narration.offered == "There were 2 thefts and 5 arsons."
    assert "2 is not in the result there" in narration.why


def test_without_a_model_the_template_speaks() -> None:
    assert worded(None, GROUPS).by == "template"


@pytest.mark.parametrize("result", [table(["n"], []), table([], [])])
def test_an_empty_result_is_never_shown_to_a_model(result: Result) -> None:
    model = Model("There were 7 crimes.")
    narration = worded(model, result, understood=("type is ELEPHANT",))
    assert model.asked == 0
    assert narration.by == "template"
    assert narration.sentence == "No rows match: type is ELEPHANT."


@pytest.mark.parametrize("says", [None, "", "  \n"])
def test_a_model_that_says_nothing_gives_way(says: str | None) -> None:
    narration = worded(Model(says), GROUPS)
    assert (narration.by, narration.why) == ("template", "The model gave no sentence.")


@pytest.mark.parametrize("error", [ModelUnavailable("no answer in 30 s"), QuotaExhausted("spent")])
def test_a_model_that_fails_loses_no_answer(error: GroundwireError) -> None:
    narration = worded(Model(error), GROUPS)
    assert narration.by == "template"
    assert error.message in narration.why


def test_cancelling_goes_through() -> None:
    with pytest.raises(Cancelled):
        worded(Model(Cancelled("stopped")), GROUPS)


def test_a_cut_result_says_how_many_of_how_many() -> None:
    cut = table(["name"], [["Ann"], ["Bob"]], cut=True)
    narration = worded(Model("Ann and Bob are shown."), cut, total=509)
    assert narration.by == "model"
    assert narration.sentence == "Showing the first 2 of 509 rows. Ann and Bob are shown."
    said = worded(Model("Showing 2 of 509: Ann and Bob."), cut, total=509)
    assert said.sentence == "Showing 2 of 509: Ann and Bob."


def test_the_query_s_own_values_may_be_said_when_they_are_given() -> None:
    count = table(["n"], [[7]])
    model = Model("There were 7 in 2024.")
    assert worded(model, count).by == "template"
    assert worded(model, count, context=("YEAR = 2024",)).by == "model"


FAILURES: list[tuple[Outcome, GroundwireError, str]] = [
    ("refused", NotUnderstood("I know “theft” but not “zorp”."), "I did not understand"),
    ("refused", QuestionError("The question is empty."), "No answer. The question is empty."),
    ("refused", ReadOnlyError("DELETE writes."), "Only reading is possible"),
    ("failed", UnknownName("There is no column agee."), "I could not write a query"),
    ("failed", QueryError("division by zero"), "I could not write a query"),
    ("failed", QueryTimeout("It took over 30 s."), "stopped at its time limit"),
    ("failed", Unreachable("Nothing answers."), "the set-up needs attention"),
    ("failed", DriverMissing("No driver."), "the set-up needs attention"),
    ("failed", Cancelled("You stopped it."), "Stopped before"),
    ("failed", InternalError("A bug."), "a defect in Groundwire"),
]


@pytest.mark.parametrize(("outcome", "error", "part"), FAILURES)
def test_a_failure_says_which_kind_it_is_what_happened_and_what_to_do(
    outcome: Outcome, error: GroundwireError, part: str
) -> None:
    error.hint = "Do this."
    said = failure_sentence(outcome, error)
    assert part in said
    assert error.message in said
    assert said.endswith("Do this.")


def test_a_question_with_two_readings_lists_them() -> None:
    said = failure_sentence("asked", None, (Choice("by year", "q1"), Choice("by month", "q2")))
    assert said == (
        "The question can be read in more than one way. Please choose: (1) by year; (2) by month."
    )


def test_a_failure_without_an_error_still_says_so() -> None:
    assert "not run" in failure_sentence("refused")
    assert "no answer" in failure_sentence("failed")


def test_a_failure_shows_no_control_characters() -> None:
    assert "\x1b" not in failure_sentence("failed", QueryError("near \x1b[31m"))

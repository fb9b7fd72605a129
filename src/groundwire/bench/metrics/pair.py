"""What a metric looks at: a case, what its gold gave and what the prediction gave."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, TypeAlias

from groundwire.bench.case import Case
from groundwire.bench.comparison import Table, contains, order_columns, table
from groundwire.bench.running import Outcome
from groundwire.database import Database

__all__ = ["Judge", "Metric", "Pair"]


class Judge(Protocol):
    """A model asked about what values alone do not decide. `None` = it gave no usable answer."""

    def equivalent(self, pair: Pair) -> bool | None:
        """Whether two results that nearly agree answer the question alike."""

    def quality(self, pair: Pair) -> int | None:
        """The quality of the prediction's `answer` from 1 to 5, by a fixed rubric."""


def _no_copies() -> Sequence[Database]:
    return ()


def _runs_nothing(query: str) -> Outcome:
    return Outcome(query)


@dataclass(frozen=True)
class Pair:
    """One gold query of a case and the prediction, both run on the case's database.

    A metric sees only pairs whose gold ran and was fetched whole, and (those in
    `OF_EVERY_PREDICTION` apart) whose prediction did, too: the scorer gives 0 to a prediction that
    is missing, failed or was cut.

    Args:
        case: the question.
        gold: what one accepted query gave.
        prediction: what the predicted query gave; the very object `gold` where the texts are equal.
        dialect: of the database.
        run: runs a further read on the case's database (`psjs`).
        copies: the perturbed copies of the database (`test_suite`); none = not applicable.
        judge: None = borderline cases are counted apart.
        answer: what the system said of its result in words; "" = nothing.
    """

    case: Case
    gold: Outcome
    prediction: Outcome
    dialect: str = ""
    run: Callable[[str], Outcome] = _runs_nothing
    copies: Callable[[], Sequence[Database]] = _no_copies
    judge: Judge | None = None
    answer: str = ""

    @cached_property
    def gold_table(self) -> Table:
        """The gold's rows in values that compare strictly."""
        return table(self.gold.rows, len(self.gold.columns))

    @cached_property
    def predicted_table(self) -> Table:
        """The prediction's rows in values that compare strictly."""
        return table(self.prediction.rows, len(self.prediction.columns))

    @cached_property
    def order_keys(self) -> list[int] | None:
        """The places of the gold's columns that its rows are ordered by; None = not known."""
        return order_columns(self.case, self.gold, self.dialect)

    @cached_property
    def has_gold_rows(self) -> bool:
        """Some choice of the prediction's columns gives the gold's rows, in any order. Looked for
        once: several metrics and the sentence beside them ask."""
        return contains(self.gold_table, self.predicted_table, self.case.tolerance)

    @property
    def same_text(self) -> bool:
        """The prediction is the gold, so that it is right whatever the data are."""
        return self.prediction is self.gold

    @property
    def both_empty(self) -> bool:
        """Neither has a row: the data do not tell whether the prediction is right."""
        return self.gold.empty and self.prediction.empty

    @property
    def undecided(self) -> bool:
        """Both are empty, and not because they are the same query: our metrics give None."""
        return self.both_empty and not self.same_text


Metric: TypeAlias = Callable[[Pair], float | None]
"""From 0 to 1, more is better. None = it does not apply to the case, or cannot be decided."""

"""The quality of an answer in words, as a model judges it."""

from __future__ import annotations

from groundwire.bench.metrics.pair import Pair

__all__ = ["sq"]


def sq(pair: Pair) -> float | None:
    """The grade from 1 to 5, by the fixed rubric of `bench.judge`; 1 where there is no result.

    None where the prediction has no answer in words, or no judge gives a grade.

    Source: synthesis quality (SQ) of the SQL paper, "mean Likert 1-5 faithfulness score". It
    publishes no rubric, and graded partly by hand; a mean over our grades is not its figure.
    Blind spots: the judge's own errors, its taste for long answers; compare with `faithfulness`.
    """
    if pair.prediction.result is None:
        return 1.0
    if not pair.answer or pair.judge is None:
        return None
    grade = pair.judge.quality(pair)
    return None if grade is None else float(grade)

"""Whether an answer in words says only what the result bears out, checked without a model."""

from __future__ import annotations

from groundwire.bench.metrics.pair import Pair

__all__ = ["faithfulness"]


def faithfulness(pair: Pair) -> float | None:
    """1 when every figure, name and claim of the answer follows from the prediction's rows; else 0.

    None where there is no answer in words or no result that it could be about. The rows are the
    prediction's own: whether they are the right ones is for the other metrics.

    Source: `groundwire.answer.facts`, the check that decides whether a model's sentence is shown.
    Blind spot: what the check cannot read counts as not borne out, so that it is a lower bound.
    """
    if not pair.answer or pair.prediction.result is None:
        return None
    from groundwire.answer.facts import check_sentence

    return float(check_sentence(pair.answer, pair.case.question, pair.prediction.result).ok)

"""The SQL paper's execution accuracy: equal values, and a judge for what is nearly equal."""

from __future__ import annotations

from groundwire.bench.metrics.pair import Pair
from groundwire.bench.metrics.partial import partial

__all__ = ["hybrid"]

BORDERLINE = 0.5
"""Share of agreeing cells from which a result that is not the same goes to the judge."""


def hybrid(pair: Pair) -> float | None:
    """1 when the results hold the same values, else 0 or what a model judges.

    Source: "hybrid relational equivalence" of the SQL paper (Rao, Swarnakar, Syed, "An Iterative
    LangGraph Agent for Text-to-SQL", table 5): "column-name-agnostic value-set comparison,
    escalating to an LLM judge for borderline cases", with the timestamp normalisation that its
    section 5.4 asks for. Names of columns, their order and the order of the rows do not count;
    a timestamp at midnight is a date, zones are put to UTC, text that is a date or a number is
    one; fractions are equal within the case's tolerance.

    The paper does not say what is borderline. Here: not the same, and at least half of the cells
    agree (`partial`), which takes in a column too many or too few, repeated rows, cut results;
    or both are empty. None where a case is borderline and no judge decides it: count them apart.

    Blind spots: right by luck; the order of the rows; what the judge gets wrong.
    """
    if pair.same_text:
        return 1.0
    agreeing = partial(pair)
    if agreeing == 1.0:
        return 1.0
    if agreeing is not None and agreeing < BORDERLINE:
        return 0.0
    verdict = pair.judge.equivalent(pair) if pair.judge is not None else None
    return None if verdict is None else float(verdict)

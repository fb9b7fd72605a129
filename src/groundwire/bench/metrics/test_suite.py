"""Test-suite accuracy in the style of Spider: equal results on several databases."""

from __future__ import annotations

from groundwire.bench.comparison import same_as_published
from groundwire.bench.metrics.pair import Pair
from groundwire.bench.running import Outcome, run
from groundwire.bench.ties import tie_breaks
from groundwire.database import Database

__all__ = ["test_suite"]


def test_suite(pair: Pair) -> float | None:
    """1 when both results are equal on the database and on every perturbed copy, else 0.

    None where there are no copies, or none of them decides.

    Source: Zhong, Yu, Klein, "Semantic Evaluation for Text-to-SQL with Distilled Test Suites",
    EMNLP 2020; `exec_eval.py` of taoyds/test-suite-sql-eval with `--keep_distinct` (without it
    the published script strips every DISTINCT from both queries). Formula: equal bags of rows
    under one permutation of the columns, by Python's equality, on each database; the order of the
    rows counts where the gold's text holds `order by`; two empty results are equal.

    Ours differs in the databases (`bench.copies`, not distilled from a corpus of queries), and
    leaves out a copy on which the gold fails, or on which the results differ only by rows that
    the gold's ORDER BY leaves equal: by their order, or by those that its LIMIT cuts off.

    Blind spots, kept: an ORDER BY in a subquery or beside a LIMIT makes the order matter; no
    tolerance for fractions; both empty is right.
    """
    copies = pair.copies()
    if not copies:
        return None
    if pair.same_text:
        return 1.0
    order_matters = "order by" in pair.gold.query.lower()
    if not same_as_published(pair.gold, pair.prediction, order_matters):
        return 0.0
    decided = False
    for copy in copies:
        verdict = _agrees(copy, pair, order_matters)
        if verdict is False:
            return 0.0
        decided = decided or verdict is True
    return 1.0 if decided else None


def _agrees(copy: Database, pair: Pair, order_matters: bool) -> bool | None:
    """Whether the results are equal on a copy; None where it does not decide."""
    gold = run(copy, pair.gold.query)
    if not gold.whole:
        return None
    found = run(copy, pair.prediction.query)
    if not found.whole:
        return False
    return same_as_published(gold, found, order_matters) or (
        None if _is_tied(copy, pair, gold, found) else False
    )


def _is_tied(copy: Database, pair: Pair, gold: Outcome, found: Outcome) -> bool:
    """Whether the gold's own ties may be why another result differs from its own."""
    for text in tie_breaks(pair.gold.query, pair.dialect):
        other = run(copy, text)
        if not other.whole or same_as_published(gold, other, True):
            continue
        if not same_as_published(gold, other, False) or same_as_published(gold, found, False):
            return True
    return False

"""What a witness decides: `decided.txt`."""

from __future__ import annotations

import pytest

from groundwire.bench.metrics import choose
from groundwire.bench.running import Databases
from groundwire.bench.witness import WitnessScorer
from tests.bench.witness.conftest import BLOCKS, CASES, Block

METRICS = choose("executable,ex,cypherbench_ex")
GOLDS = list(zip(CASES, BLOCKS, strict=True))
RIGHT = [(case, query) for case, block in GOLDS for query in block.right]
WRONG = [(case, query) for case, block in GOLDS for query in block.wrong]


@pytest.fixture(scope="session")
def scorer(stored: list[Databases]) -> WitnessScorer:
    return WitnessScorer(stored, METRICS)


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.gold)
def test_a_gold_finds_something_on_every_witness(block: Block, stored: list[Databases]) -> None:
    for databases in stored:
        outcome = databases.run("library", block.gold)
        assert outcome.error is None
        assert any(value not in (None, 0) for row in outcome.rows for value in row)


@pytest.mark.parametrize(("case", "query"), RIGHT, ids=lambda value: getattr(value, "id", value))
def test_a_query_that_says_the_same_is_right(case, query, scorer: WitnessScorer) -> None:  # type: ignore[no-untyped-def]
    scored = scorer.score(case, query)
    assert scored.values["ex"] == 1, scored.why


@pytest.mark.parametrize(("case", "query"), WRONG, ids=lambda value: getattr(value, "id", value))
def test_a_usual_mistake_is_told_apart(case, query, scorer: WitnessScorer) -> None:  # type: ignore[no-untyped-def]
    scored = scorer.score(case, query)
    assert scored.values["executable"] == 1
    assert scored.values["ex"] == 0
    assert scored.values["cypherbench_ex"] == 0

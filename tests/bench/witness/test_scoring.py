"""A verdict holds on every witness, or it does not hold."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from groundwire.bench.case import Case
from groundwire.bench.metrics import choose
from groundwire.bench.running import Databases
from groundwire.bench.witness import Rows, WitnessScorer, store_witnesses
from tests.graph_fixtures import edge, node

TOWNS = (node(1, "Town", name="a", size=5), node(2, "Town", name="b", size=5))
SEEDS = (
    Rows(TOWNS, (edge(1, "ROAD", 2), edge(2, "ROAD", 1))),
    Rows((*TOWNS, node(3, "Town", name="c", size=9)), (edge(1, "ROAD", 2), edge(3, "ROAD", 2))),
)
METRICS = choose("executable,both_empty,ex,cypherbench_ex,psjs")
GOLD = "MATCH (t:Town)-[:ROAD]->(:Town) RETURN t.name"


@pytest.fixture(scope="module")
def scorer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WitnessScorer]:
    folder = tmp_path_factory.mktemp("towns")
    paths = store_witnesses(SEEDS, "towns", folder)
    assert paths == [folder / "1" / "towns.kgl", folder / "2" / "towns.kgl"]
    with ExitStack() as stack:
        databases = [stack.enter_context(Databases(str(path.parent))) for path in paths]
        yield WitnessScorer(databases, METRICS)


def case(gold: str, database: str = "towns") -> Case:
    return Case("1", database, "cypher", "?", (gold,))


def test_what_is_right_by_luck_on_one_graph_is_wrong(scorer: WitnessScorer) -> None:
    scored = scorer.score(case(GOLD), "MATCH (t:Town)<-[:ROAD]-(:Town) RETURN t.name")
    assert scored.values["executable"] == 1
    assert scored.values["ex"] == scored.values["cypherbench_ex"] == 0
    assert "missing" in scored.why  # the second graph's words


def test_the_reason_is_of_the_graph_that_decides(scorer: WitnessScorer) -> None:
    largest = "NOT EXISTS { MATCH (x:Town) WHERE x.size > u.size }"
    query = f"MATCH (t:Town), (u:Town) WHERE t.name <> 'b' AND {largest} RETURN DISTINCT t.name"
    scored = scorer.score(case(GOLD), query)
    assert scored.values["ex"] == 0  # on the first graph
    assert scored.values["psjs"] == pytest.approx(2 / 3)  # on the second, where the rows are right
    assert "missing" in scored.why


def test_what_is_right_on_all_is_right(scorer: WitnessScorer) -> None:
    scored = scorer.score(case(GOLD), "MATCH (:Town)<-[:ROAD]-(u:Town) RETURN u.name AS n")
    assert scored.values == {
        "executable": 1, "both_empty": 0, "ex": 1, "cypherbench_ex": 1, "psjs": 1,
    }  # fmt: skip


def test_a_graph_that_decides_nothing_leaves_it_to_the_others(scorer: WitnessScorer) -> None:
    big = "MATCH (t:Town) WHERE t.size > 8 RETURN t.name"
    assert scorer.score(case(big), "MATCH (t:Town {size: 9}) RETURN t.name").values["ex"] == 1
    assert scorer.score(case(big), "MATCH (t:Town {size: 8}) RETURN t.name").values["ex"] == 0
    nothing = "MATCH (t:Town) WHERE t.size > 20 RETURN t.name"
    undecided = scorer.score(case(nothing), "MATCH (t:Town {size: 21}) RETURN t.name")
    assert undecided.values["ex"] is None
    assert undecided.values["both_empty"] == 1


def test_a_prediction_that_fails_is_wrong_and_a_case_at_fault_is_marked(
    scorer: WitnessScorer,
) -> None:
    failed = scorer.score(case(GOLD), "MATCH (t:Town) RETURN u.name")
    assert set(failed.values.values()) == {0.0}
    assert scorer.score(case("MATCH (t RETURN t"), GOLD).mark == "gold"
    absent = scorer.score(case(GOLD, "villages"), GOLD)
    assert absent.mark == "database"
    assert set(absent.values.values()) == {None}


def test_stored_again_a_witness_is_made_anew(tmp_path: Path) -> None:
    for rows in (SEEDS[1], SEEDS[0]):
        store_witnesses([rows], "towns", tmp_path)
        with Databases(str(tmp_path / "1")) as databases:
            found = databases.run("towns", "MATCH (t:Town) RETURN count(t)").rows
            assert found == ((len(rows.nodes),),)

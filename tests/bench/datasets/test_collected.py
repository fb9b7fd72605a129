"""The sets that stand in `../shared/data` beside the repository, where they do."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from groundwire.bench.audit import audit, drop
from groundwire.bench.case import Case, Malformed
from groundwire.bench.datasets import DATASETS
from groundwire.bench.metrics import METRICS, OPTIONAL
from groundwire.bench.running import MAX_ROWS, Databases
from groundwire.bench.scoring import Scorer
from groundwire.settings import Settings

DATA = Path(__file__).parents[4] / "shared" / "data"

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason=f"there are no data sets at {DATA}")

COLLECTED = [
    ("cypherbench", "cypherbench", 1037, {}),
    ("cypherbench", "cypherbench/valid.jsonl.gz", 1707, {}),
    ("mind-the-query", "mind_the_query/human_verdicts.jsonl.gz", 1503, {"judged_wrong": 132}),
    ("zograscope", "zograscope", 2905, {}),
    ("spider", "spider", 493, {}),
    ("spider-postgres", "spider", 493, {"no_gold": 61}),
    ("bird-mini-dev", "bird_mini_dev", 226, {}),
    ("bird-mini-dev-postgres", "bird_mini_dev", 226, {}),
    ("kaggle-dbqa", "kaggle_dbqa", 60, {}),
    ("defog", "defog_pg", 213, {}),
]


@pytest.mark.parametrize(("name", "path", "lines", "unusable"), COLLECTED)
def test_every_line_is_a_case_or_says_why_not(
    name: str, path: str, lines: int, unusable: dict[str, int]
) -> None:
    loaded = DATASETS[name].load(DATA / path)
    assert len(loaded) == lines
    assert Counter(line.kind for line in loaded if isinstance(line, Malformed)) == unusable
    cases = [case for case in loaded if isinstance(case, Case)]
    assert {case.language for case in cases} == {DATASETS[name].language}
    assert all(case.database and case.question for case in cases)
    assert 0 <= sum(bool(case.order_matters) for case in cases) < 0.1 * len(cases)


def test_the_unanswerable_questions_of_defog_have_no_gold() -> None:
    cases = [case for case in DATASETS["defog"].load(DATA / "defog_pg") if isinstance(case, Case)]
    assert sum(not case.answerable for case in cases) == 45
    assert all(bool(case.queries) == case.answerable for case in cases)


@pytest.mark.parametrize(
    ("name", "path", "database"),
    [("kaggle-dbqa", "kaggle_dbqa", "GeoNuclearData"), ("spider", "spider", "concert_singer")],
)
def test_clean_golds_score_one_and_nothing_scores_zero(name: str, path: str, database: str) -> None:
    known = DATASETS[name]
    loaded = known.load(DATA / path)
    cases = [case for case in loaded if isinstance(case, Case) and case.database == database]
    scorer_metrics = {**METRICS, "ex": OPTIONAL["ex"]}
    with Databases(known.where(DATA / path), Settings(max_rows=MAX_ROWS)) as databases:
        faults = audit(cases, databases)
        assert {fault.kind for fault in faults} <= {"empty", "ties"}
        scorer = Scorer(databases, scorer_metrics)
        for case in drop(cases, faults):
            again = scorer.score(case, case.queries[0] + "\n-- in another text").values
            assert {again[metric] for metric in ("multiset", "permuted", "superset", "ex")} == {1}
            nothing = scorer.score(case, "").values
            assert {value for value in nothing.values() if value is not None} == {0}

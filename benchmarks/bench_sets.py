"""Every data set that has data here: its audit, and whether gold scores 1.0 and nothing scores 0.

The golds that are left after the audit are predicted three ways: as they stand, as another text
(a comment is added, so that they are run anew and compared), and not at all. Sets are looked for
in `../shared/data` beside the repository; PostgreSQL, the graphs and the synthetic crimes are made
for the run. `GROUNDWIRE_SETS=spider,defog` chooses sets, `GROUNDWIRE_QUESTIONS=0` takes all
questions of the sets with thousands on graphs, of which 300 are taken otherwise.
"""

from __future__ import annotations

import os
import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from tests.postgres_server import start_packaged

from groundwire.bench.audit import Fault, audit, drop
from groundwire.bench.case import Case, Malformed
from groundwire.bench.datasets import DATASETS, make_chicago
from groundwire.bench.datasets.prepare import prepare
from groundwire.bench.metrics import METRICS, OPTIONAL
from groundwire.bench.running import MAX_ROWS, Databases
from groundwire.bench.scoring import Scorer
from groundwire.settings import Settings

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SETTINGS = Settings(query_timeout=10.0, max_rows=MAX_ROWS)
SAMPLE = 200
"""Cases of a set that are scored three ways at most; all are audited."""
QUESTIONS = int(os.environ.get("GROUNDWIRE_QUESTIONS", "300"))

SETS = {
    "spider": "spider",
    "spider-postgres": "spider",
    "bird-mini-dev-postgres": "bird_mini_dev",
    "kaggle-dbqa": "kaggle_dbqa",
    "defog": "defog_pg",
    "chicago": "",
    "chicago-solved": "",
    "zograscope": "zograscope",
    "mind-the-query": "mind_the_query",
}
SQL_FOLDERS = {"spider-postgres": "pg", "bird-mini-dev-postgres": "pg_ddl", "defog": "sql"}
SHOWN = 12
LEFT_OUT = ("both_empty", "test_suite")
"""Not a score; needs copies of the databases."""


def main() -> None:
    """Print the faults of each set, then a table."""
    if not DATA.is_dir():
        print(f"The data sets are not at {DATA}.")
        return
    chosen = os.environ.get("GROUNDWIRE_SETS", ",".join(SETS)).split(",")
    rows = []
    with ExitStack() as stack:
        where = _places(stack)
        for name in chosen:
            started = time.perf_counter()
            cases = _some(name, DATASETS[name].load(DATA / SETS[name]))
            with Databases(where(name, cases), SETTINGS) as databases:
                rows.append((*_measure(name, cases, databases), time.perf_counter() - started))
    print("set | cases | left | audit | gold | gold as another text | empty | seconds")
    for name, all_, left, kinds, gold, anew, nothing, seconds in rows:
        print(f"{name} | {all_} | {left} | {kinds} | {gold} | {anew} | {nothing} | {seconds:.0f}")


def _places(stack: ExitStack) -> Callable[[str, list[Case | Malformed]], str]:
    """Where the databases of a set are; they are made when first asked for."""
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))

    def where(name: str, cases: list[Case | Malformed]) -> str:
        names = {case.database for case in cases if isinstance(case, Case)}
        if name.startswith("chicago"):
            if not (folder / "chicago.duckdb").exists():
                make_chicago(f"duckdb:///{folder}/chicago.duckdb")
            return str(folder)
        if DATASETS[name].language == "cypher":
            prepare(DATA / "neo4j_graphs", f"kglite:///{folder}/{{database}}.kgl", names)
            return str(folder)
        if name in SQL_FOLDERS:
            server = start_packaged()
            stack.callback(server.stop)
            url = server.url("DATABASE").replace("DATABASE", "{database}")
            prepare(DATA / SETS[name] / SQL_FOLDERS[name], url, names)
            return url
        return DATASETS[name].where(DATA / SETS[name])

    return where


def _some(name: str, cases: list[Case | Malformed]) -> list[Case | Malformed]:
    """All cases of some questions of a set on graphs, so that contradictions stay together."""
    if DATASETS[name].language == "sql" or not QUESTIONS:
        return cases
    questions = dict.fromkeys(case.question for case in cases if isinstance(case, Case))
    drawn = set(random.Random(name).sample(list(questions), min(QUESTIONS, len(questions))))
    return [case for case in cases if isinstance(case, Malformed) or case.question in drawn]


def _measure(
    name: str, cases: list[Case | Malformed], databases: Databases
) -> tuple[str, int, int, str, str, str, str]:
    faults = audit(cases, databases)
    left = drop(cases, faults)
    _show(name, faults)
    counts = Counter(fault.kind for fault in faults)
    sample = random.Random(name).sample(left, min(SAMPLE, len(left)))
    scorer = Scorer(databases, {**METRICS, "ex": OPTIONAL["ex"]})
    return (
        name,
        len(cases),
        len(left),
        ", ".join(f"{kind} {count}" for kind, count in sorted(counts.items())),
        _scores(scorer, sample, lambda query, language: query),
        _scores(scorer, sample, _another_text),
        _scores(scorer, sample, lambda query, language: ""),
    )


def _another_text(query: str, language: str) -> str:
    return query + ("\n// again" if language == "cypher" else "\n-- again")


def _scores(scorer: Scorer, cases: list[Case], predict: Callable[[str, str], str]) -> str:
    """The mean of each metric where it is not the same for all; else the one number."""
    means: dict[str, list[float]] = {}
    for case in cases:
        for query in case.queries:
            scored = scorer.score(replace(case, queries=(query,)), predict(query, case.language))
            for metric, value in _of_interest(scored.values):
                means.setdefault(metric, []).append(value)
                if 0 < value < 1:
                    print(f"    {case.id} {metric} {value:.3f}: {scored.why} {query}")
    shares = {metric: f"{sum(values) / len(values):.4f}" for metric, values in means.items()}
    if len(set(shares.values())) <= 1:
        return next(iter(shares.values()), "-")
    return ", ".join(f"{metric} {share}" for metric, share in shares.items())


def _of_interest(values: object) -> Iterator[tuple[str, float]]:
    assert isinstance(values, dict)
    for metric, value in values.items():
        if metric not in LEFT_OUT and value is not None:
            yield metric, value


def _show(name: str, faults: list[Fault]) -> None:
    shown: Counter[str] = Counter()
    print(f"{name}:", flush=True)
    for fault in faults:
        shown[fault.kind] += 1
        if shown[fault.kind] <= SHOWN:
            reason = " ".join(fault.reason.split())
            query = " ".join(fault.query.split())
            print(f"  {fault.kind} {fault.id}: {reason[:200]} | {query[:200]}")
    for kind, count in shown.items():
        if count > SHOWN:
            print(f"  … {count - SHOWN} more of {kind}")


if __name__ == "__main__":
    main()

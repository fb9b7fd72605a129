"""The metrics. One metric = one file = one function of that name, from a `Pair` to 0..1 or None.

Each says in its docstring where it comes from, how it is computed, and what it does not see.
"""

from groundwire.bench.case import Case
from groundwire.bench.metrics.bertscore import bertscore
from groundwire.bench.metrics.bird_ex import bird_ex
from groundwire.bench.metrics.both_empty import both_empty
from groundwire.bench.metrics.cypherbench_ex import cypherbench_ex
from groundwire.bench.metrics.ex import ex
from groundwire.bench.metrics.executable import executable
from groundwire.bench.metrics.faithfulness import faithfulness
from groundwire.bench.metrics.hybrid import hybrid
from groundwire.bench.metrics.json_match import json_match
from groundwire.bench.metrics.multiset import multiset
from groundwire.bench.metrics.ordered import ordered
from groundwire.bench.metrics.pair import Judge, Metric, Pair
from groundwire.bench.metrics.partial import partial
from groundwire.bench.metrics.permuted import permuted
from groundwire.bench.metrics.psjs import psjs
from groundwire.bench.metrics.r_ves import r_ves
from groundwire.bench.metrics.soft_f1 import soft_f1
from groundwire.bench.metrics.sq import sq
from groundwire.bench.metrics.sql_eval import sql_eval
from groundwire.bench.metrics.sql_eval_exact import sql_eval_exact
from groundwire.bench.metrics.superset import superset
from groundwire.bench.metrics.test_suite import test_suite
from groundwire.errors import UsageError

__all__ = [
    "METRICS",
    "NEEDS_COPIES",
    "OF_EVERY_PREDICTION",
    "OPTIONAL",
    "Judge",
    "Metric",
    "Pair",
    "applies",
    "choose",
]

METRICS: dict[str, Metric] = {
    "executable": executable,
    "multiset": multiset,
    "ordered": ordered,
    "permuted": permuted,
    "superset": superset,
    "both_empty": both_empty,
    "hybrid": hybrid,
    "partial": partial,
    "cypherbench_ex": cypherbench_ex,
    "psjs": psjs,
    "bird_ex": bird_ex,
    "soft_f1": soft_f1,
    "test_suite": test_suite,
}
"""Those of every scoring, in the order of its output."""

OPTIONAL: dict[str, Metric] = {
    "ex": ex,
    "json_match": json_match,
    "sql_eval": sql_eval,
    "sql_eval_exact": sql_eval_exact,
    "r_ves": r_ves,
    "sq": sq,
    "faithfulness": faithfulness,
    "bertscore": bertscore,
}
"""Those that are asked for by name: `ex` sums up, others need time, a model or an extra package."""

OF_EVERY_PREDICTION = frozenset({"executable", "sq", "faithfulness", "bertscore"})
"""Those that also look at a prediction which is missing, failed or was cut."""

NEEDS_COPIES = frozenset({"test_suite"})
"""Those that no prediction has where the database has no perturbed copies."""

ONE_LANGUAGE: dict[str, str] = {
    "cypherbench_ex": "cypher",
    "psjs": "cypher",
    "bird_ex": "sql",
    "soft_f1": "sql",
    "test_suite": "sql",
    "r_ves": "sql",
    "sql_eval": "sql",
    "sql_eval_exact": "sql",
}
"""The language of the metrics that are for one only."""


def applies(name: str, case: Case) -> bool:
    """Whether a metric is for the language and the kind of a case."""
    if name == "ordered" and not case.order_matters:
        return False
    return ONE_LANGUAGE.get(name, case.language) == case.language


def choose(names: str = "") -> dict[str, Metric]:
    """Metrics by their names, comma-separated; "" = all of `METRICS`.

    Raises:
        UsageError: there is no metric of a name.
    """
    known = METRICS | OPTIONAL
    wanted = [name.strip() for name in names.split(",") if name.strip()] or list(METRICS)
    for name in wanted:
        if name not in known:
            raise UsageError(
                f"There is no metric {name!r}.", hint="There are " + ", ".join(known) + "."
            )
    return {name: known[name] for name in wanted}

"""The benchmark: cases, data sets, metrics, the scorer, the runner and the report.

case.py         a case, a prediction, and their JSON lines
datasets/       one loader a public set; making the databases of one
running.py      the databases of the cases, and what a query gave on one
copies/         perturbed copies of small databases, so that luck shows
witness/        small graphs that decide as large ones do
comparison/     when values, rows and orders are the same
metrics/        one metric = one file = one function of that name
judge.py        a model for what values alone do not decide
scoring.py      cases and predictions in, verdicts out; nothing is repaired
why.py          the sentence beside a verdict
audit.py        golds that do not run, return nothing, or contradict each other
golds.py        what the text of a gold says of its order
ties.py         whether the order of a query leaves rows equal
statistics.py   intervals and paired tests
summary.py      many verdicts in a few figures
admission.py    outcomes against truth: wrong answers shown, right ones withheld
runs/           a set asked, drafts replayed, and everything kept
report/         one page of several runs
"""

from groundwire.bench.case import Case, Prediction, read_cases, read_predictions
from groundwire.bench.running import Databases, Outcome
from groundwire.bench.scoring import Scored, Scorer, score_all

__all__ = [
    "Case",
    "Databases",
    "Outcome",
    "Prediction",
    "Scored",
    "Scorer",
    "read_cases",
    "read_predictions",
    "score_all",
]

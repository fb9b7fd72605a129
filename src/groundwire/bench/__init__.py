"""The benchmark: cases, data sets, metrics, the scorer, the runner and the report.

case.py         a case, a prediction, and their JSON lines
datasets/       one loader a public set
running.py      the databases of the cases, and what a query gave on one
comparison/     when values, rows and orders are the same
metrics/        one metric = one file = one function of that name
scoring.py      cases and predictions in, verdicts out; nothing is repaired
why.py          the sentence beside a verdict
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

"""Small graphs that decide as large ones do.

A witness is a graph of a few thousand nodes that is made from a schema and the gold queries of
some cases: for every gold, answers to it and near misses beside them; around them a population
with the cardinalities of the real graph. The same seed makes the same graph. A prediction counts
as right when it agrees with the gold on each of several witnesses.

schema.py      labels and types of relationships, with their cardinalities
conditions.py  what a query asks of a property
template.py    what a query looks for
values.py      values near the constants of queries, and at large
graph.py       a graph that is being made
planting.py    answers and near misses
population.py  everything else
making.py      cases in, graphs out
scoring.py     verdicts that hold on every witness
"""

from groundwire.bench.witness.graph import Rows
from groundwire.bench.witness.making import store_witnesses, witnesses
from groundwire.bench.witness.schema import Schema, read_schema
from groundwire.bench.witness.scoring import WitnessScorer

__all__ = ["Rows", "Schema", "WitnessScorer", "read_schema", "store_witnesses", "witnesses"]

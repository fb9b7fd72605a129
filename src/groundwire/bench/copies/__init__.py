"""Perturbed copies of small databases, so that a prediction that is right by luck shows.

hints.py      what the golds look at: literals, patterns, columns that join
tables.py     the tables of a copy, parents first
values.py     another value for a value: near a threshold, of another row, a NULL
perturb.py    the rows of a copy: fewer, more, changed, in another order
files.py      reading and writing the copies: SQLite and DuckDB
making.py     `PerturbedCopies`: what `Databases` is given
"""

from groundwire.bench.copies.making import PerturbedCopies

__all__ = ["PerturbedCopies"]

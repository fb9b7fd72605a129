"""When values, rows and orders of two results are the same. No database, no query is run.

values.py     two values, strictly or forgivingly
rows.py       two bags of rows, and choices of columns
ordering.py   rows in order, ties apart
overlap.py    how far two results agree
raw.py        as the published scorers compare
"""

from groundwire.bench.comparison.ordering import in_order, order_columns
from groundwire.bench.comparison.overlap import overlap
from groundwire.bench.comparison.raw import raw_rows, same_as_published
from groundwire.bench.comparison.rows import (
    Row,
    Table,
    contains,
    same_bag,
    same_row,
    selections,
    table,
)
from groundwire.bench.comparison.values import Number, Value, loose, mask, same, strict

__all__ = [
    "Number",
    "Row",
    "Table",
    "Value",
    "contains",
    "in_order",
    "loose",
    "mask",
    "order_columns",
    "overlap",
    "raw_rows",
    "same",
    "same_as_published",
    "same_bag",
    "same_row",
    "selections",
    "strict",
    "table",
]

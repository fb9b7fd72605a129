"""Rows as the published scorers compare them: the driver's own values, by Python's equality.

So 1 equals 1.0 and True, 0.1 + 0.2 does not equal 0.3, NULL equals NULL, and text equals text
only. Lists and maps, which the databases of those scorers do not have, count by their content.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from groundwire.bench.comparison.ordering import in_order
from groundwire.bench.comparison.rows import Row, Table, selections
from groundwire.bench.comparison.values import strict
from groundwire.bench.running import Outcome

__all__ = ["raw_rows", "same_as_published"]


def raw_rows(outcome: Outcome) -> tuple[Row, ...]:
    """The rows, each hashable."""
    return tuple(tuple(_hashable(value) for value in row) for row in outcome.rows)


def same_as_published(gold: Outcome, found: Outcome, order_matters: bool) -> bool:
    """Whether two results are equal as Spider's test suite has it.

    Under one permutation of the columns, each row as often, no tolerance; in the gold's order
    where that matters, ties included. Two empty results are equal, whatever their columns.
    """
    if not gold.rows and not found.rows:
        return True
    width = len(gold.columns)
    if width != len(found.columns):
        return False
    left, right = Table(raw_rows(gold), width), Table(raw_rows(found), width)
    return any(
        not order_matters or in_order(left.rows, right.choose(chosen).rows, None, 0.0)
        for chosen in selections(left, right, 0.0)
    )


def _hashable(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return tuple(_hashable(item) for item in value)
    if isinstance(value, Mapping):
        return frozenset((key, _hashable(item)) for key, item in value.items())
    return value if _hashes(value) else strict(value)


def _hashes(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:  # a node holds its properties in a map
        return False
    return True

"""The passes in which Neo4j checks a query; a later one reports only if the former do not."""

from __future__ import annotations

from typing import Final

SEMANTIC: Final = 0
"""Variables, types, projections: in the order of the text."""
PATTERN: Final = 1
"""Patterns used as values."""
GROUPING: Final = 2
"""Expressions that mix aggregates with what is not grouped by."""
FUNCTION: Final = 3
"""Functions that the server does not have."""
TEMPORAL: Final = 4
"""Types that come from temporal functions, which Neo4j looks up only then."""

"""Cypher as text with structure: `parse(text)` gives a `Query` and never raises."""

from groundwire.query.cypher.query import Query, parse

__all__ = ["Query", "parse"]

"""Cypher as text with structure.

`parse(text)` gives a `Query` and never raises: what could not be read stands in its `.errors`. The
nodes of the tree are in `ast`; every node has its `span` in the text.
"""

from groundwire.query.cypher import ast
from groundwire.query.cypher.query import Query, parse
from groundwire.query.cypher.semantics.scope import Entity, Scope, Symbol
from groundwire.query.cypher.views import Grouping, PropertyLiteral, grouping

__all__ = [
    "Entity",
    "Grouping",
    "PropertyLiteral",
    "Query",
    "Scope",
    "Symbol",
    "ast",
    "grouping",
    "parse",
]

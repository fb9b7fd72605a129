"""Is a Cypher text one statement that only reads? By allow-list, on the parsed text.

The graph drivers ask this before every statement of a caller. A server's read access mode is not
enough: in it LOAD CSV still reads files and addresses, `dbms.*` procedures still act, and
TERMINATE TRANSACTIONS still terminates (measured on Neo4j 5.26).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from groundwire.query.cypher import Query, ast

__all__ = ["PROCEDURES", "refusal"]

_READING = "Match Return With Unwind OrderBy Filter Let CallSubquery CallProcedure Finish Broken"
READING = frozenset(_READING.split())
"""The clauses that only read; a broken one is judged by what can be read of it."""

_PROCEDURES = """
    db.labels db.relationshiptypes db.propertykeys db.ping db.info
    db.schema.visualization db.schema.nodetypeproperties db.schema.reltypeproperties
    db.index.fulltext.querynodes db.index.fulltext.queryrelationships
    db.index.fulltext.listavailableanalyzers
    db.index.vector.querynodes db.index.vector.queryrelationships
    dbms.components
    apoc.meta.schema apoc.meta.stats apoc.meta.nodetypeproperties apoc.meta.reltypeproperties
    apoc.path.expand apoc.path.expandconfig apoc.path.subgraphnodes apoc.path.subgraphall
    apoc.path.spanningtree apoc.neighbors.tohop apoc.neighbors.byhop apoc.neighbors.athop
    apoc.algo.dijkstra apoc.algo.astar apoc.algo.allsimplepaths apoc.algo.cover
"""
PROCEDURES = frozenset(_PROCEDURES.split())
"""Procedures without any effect, in small letters: https://neo4j.com/docs/operations-manual/5/
procedures/ and https://neo4j.com/docs/apoc/5/overview/."""

_FUNCTIONS = (
    "date. time. datetime. localtime. localdatetime. duration. point. vector. string. "
    "db.namefromelementid apoc.coll. apoc.text. apoc.map. apoc.math. apoc.number. apoc.date. "
    "apoc.temporal. apoc.convert. apoc.agg. apoc.any. apoc.node. apoc.rel. apoc.nodes. "
    "apoc.label. apoc.meta. apoc.hashing. apoc.json. apoc.scoring. apoc.stats. apoc.bitwise. "
    "apoc.path. apoc.diff. apoc.schema."
)
FUNCTIONS = tuple(_FUNCTIONS.split())
"""Namespaces of functions without any effect; what has no namespace is built in."""


def refusal(query: Query) -> str:
    """Why a text may not be run, in one sentence; "" where it is one statement that only reads.

    A text with syntax errors is judged by the parts that could be read: that alone does not
    show that it reads, so a driver has to look at `query.errors` as well.
    """
    if len(query.statements) != 1:
        return f"The text holds {len(query.statements)} statements; one is allowed."
    return next(_refusals(query.statements[0]), "")


def _refusals(statement: ast.Statement) -> Iterator[str]:
    from groundwire.query.cypher import ast

    for node in ast.walk(statement):
        if isinstance(node, ast.CallProcedure):
            if node.name.lower() not in PROCEDURES:
                yield f"The procedure {node.name} is not among those known to read only."
        elif isinstance(node, ast.FunctionCall):
            if "." in node.name and not node.name.lower().startswith(FUNCTIONS):
                yield f"The function {node.name} is not among those known to read only."
        elif isinstance(node, ast.CallSubquery) and node.in_transactions:
            yield "CALL { … } IN TRANSACTIONS commits, so it does not only read."
        elif isinstance(node, ast.Clause) and type(node).__name__ not in READING:
            yield f"{_named(node)} does not only read this graph."


def _named(clause: ast.Clause) -> str:
    from groundwire.query.cypher import ast

    if isinstance(clause, ast.Command):
        return " ".join(clause.words)
    if isinstance(clause, ast.LoadCsv):
        return "LOAD CSV"
    return type(clause).__name__.upper()

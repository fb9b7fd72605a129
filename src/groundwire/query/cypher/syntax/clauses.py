"""Queries as clauses in order, and branches of a UNION (Cypher manual, "Clause composition")."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from groundwire.query.cypher import ast
from groundwire.query.cypher.syntax.starts import CLAUSE_STARTS, COMMANDS
from groundwire.query.cypher.syntax.writing import WritingParser

__all__ = ["ClauseParser"]


class ClauseParser(WritingParser):
    """Reads clauses of every kind, and queries."""

    def clause(self) -> ast.Clause:
        """One clause."""
        read = _CLAUSES.get(self.kinds[self.index])
        if read is None:
            raise self.fail("a clause such as MATCH, WITH or RETURN")
        return read(self)

    def single_query(self) -> ast.SingleQuery:
        first = self.index
        clauses = [self.recovering_clause()]
        while self.kinds[self.index] in CLAUSE_STARTS:
            clauses.append(self.recovering_clause())
        return ast.SingleQuery(self.span(first), tuple(clauses))

    def recovering_clause(self) -> ast.Clause:
        """One clause; a subclass reads on behind a broken one."""
        return self.clause()

    def regular_query(self) -> ast.RegularQuery:
        """Single queries with UNION between them."""
        first = self.index
        branches = [self.single_query()]
        unions: list[ast.Span] = []
        union_all: list[bool] = []
        while self.kinds[self.index] == "UNION":
            unions.append(self.token_span(self.index))
            union_all.append(self.union())
            branches.append(self.single_query())
        return ast.RegularQuery(self.span(first), tuple(branches), tuple(union_all), tuple(unions))

    def union(self) -> bool:
        """`UNION`, `UNION DISTINCT` or `UNION ALL`; whether it is the last."""
        self.index += 1
        if self.accept("ALL"):
            return True
        self.accept("DISTINCT")
        return False


_CLAUSES: Final[dict[str, Callable[[ClauseParser], ast.Clause]]] = {
    "MATCH": ClauseParser.match,
    "OPTIONAL": ClauseParser.match,
    "WITH": ClauseParser.with_clause,
    "RETURN": ClauseParser.return_clause,
    "UNWIND": ClauseParser.unwind,
    "CALL": ClauseParser.call_clause,
    "CREATE": ClauseParser.create,
    "INSERT": ClauseParser.create,
    "MERGE": ClauseParser.merge,
    "SET": ClauseParser.set,
    "REMOVE": ClauseParser.remove,
    "DELETE": ClauseParser.delete,
    "DETACH": ClauseParser.delete,
    "NODETACH": ClauseParser.delete,
    "FOREACH": ClauseParser.foreach,
    "LOAD": ClauseParser.load_csv,
    "USE": ClauseParser.use,
    "FINISH": ClauseParser.finish,
    "ORDER": ClauseParser.order_by_clause,
    "SKIP": ClauseParser.order_by_clause,
    "OFFSET": ClauseParser.order_by_clause,
    "LIMIT": ClauseParser.order_by_clause,
    "FILTER": ClauseParser.filter,
    "LET": ClauseParser.let,
    **dict.fromkeys(COMMANDS, ClauseParser.command),
}

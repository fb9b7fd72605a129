"""Procedure calls and subqueries (Cypher manual, "CALL procedure", "Subqueries")."""

from __future__ import annotations

from groundwire.query.cypher import ast
from groundwire.query.cypher.syntax.cursor import SUBQUERY_LEVELS
from groundwire.query.cypher.syntax.reading import ReadingParser
from groundwire.query.cypher.syntax.starts import PATTERN_STARTS
from groundwire.query.cypher.tokens import NAMES

__all__ = ["CallParser"]


class CallParser(ReadingParser):
    """Reads calls and subqueries."""

    def regular_query(self) -> ast.RegularQuery:
        """Single queries with UNION between them."""
        raise NotImplementedError

    def call_clause(self, first: int = -1, optional: bool = False) -> ast.Clause:
        first = self.index if first < 0 else first
        self.expect("CALL")
        kind = self.kinds[self.index]
        if kind == "{" or kind == "(":
            return self.call_subquery(first, optional)
        name_index = self.index
        name = self.dotted_name()
        name_span = self.span(name_index)
        arguments: tuple[ast.Expression, ...] | None = None
        if self.accept("("):
            arguments = ()
            if self.kinds[self.index] != ")":
                self.enter()
                arguments = tuple(self.expressions())
                self.depth -= 1
            self.expect(")")
        yields, star = self.yield_items()
        where = self.where() if yields is not None or star else None
        return ast.CallProcedure(
            self.span(first), optional, name, name_span, arguments, yields, star, where
        )

    def yield_items(self) -> tuple[tuple[ast.YieldItem, ...] | None, bool]:
        if not self.accept("YIELD"):
            return None, False
        if self.accept("*"):
            return None, True
        items: list[ast.YieldItem] = []
        while True:
            first = self.index
            name = self.name()
            alias = self.variable() if self.accept("AS") else None
            items.append(ast.YieldItem(self.span(first), name, alias))
            if not self.accept(","):
                return tuple(items), False

    def call_subquery(self, first: int, optional: bool) -> ast.Clause:
        imports: tuple[ast.Variable, ...] | None = None
        star = False
        if self.accept("("):
            imports = ()
            star = self.accept("*")
            if not star and self.kinds[self.index] != ")":
                imports = (self.variable(),)
                while self.accept(","):
                    imports += (self.variable(),)
            self.expect(")")
        query = self.braced_query()
        in_transactions, report = self.in_transactions()
        return ast.CallSubquery(
            self.span(first), optional, imports, star, query, in_transactions, report
        )

    def braced_query(self) -> ast.RegularQuery:
        """`{ query }`; keeps the parts of the clause around it."""
        self.expect("{")
        self.enter(SUBQUERY_LEVELS)
        outer, self.parts = self.parts, []
        query = self.regular_query()
        self.parts = outer
        self.parts.append(query)
        if not self.accept("}"):
            raise self.fail("a clause or '}'")
        self.depth -= SUBQUERY_LEVELS
        return query

    def in_transactions(self) -> tuple[bool, ast.Variable | None]:
        """`IN 2 CONCURRENT TRANSACTIONS OF 100 ROWS ON ERROR CONTINUE REPORT STATUS AS s`."""
        if not self.accept("IN"):
            return False, None
        report = None
        if self.kinds[self.index] != "TRANSACTIONS":
            if self.kinds[self.index] != "CONCURRENT":
                self.operand()
            self.expect("CONCURRENT")
        self.expect("TRANSACTIONS")
        while True:
            if self.accept("OF"):
                self.operand()
                if not (self.accept("ROWS") or self.accept("ROW")):
                    raise self.fail("'ROWS'")
            elif self.kinds[self.index] == "ON" and self.kinds[self.index + 1] == "ERROR":
                self.index += 2
                if not self.word("CONTINUE", "BREAK", "FAIL"):
                    raise self.fail("'CONTINUE', 'BREAK' or 'FAIL'")
            elif self.accept("REPORT"):
                self.expect("STATUS")
                self.expect("AS")
                report = self.variable()
            else:
                return True, report

    def subquery_body(self) -> ast.RegularQuery:
        """`{ query }` of EXISTS, COUNT, COLLECT; a pattern alone stands for its MATCH."""
        first = self.index + 1
        kinds = self.kinds
        bare = kinds[first] in PATTERN_STARTS or (kinds[first] in NAMES and kinds[first + 1] == "=")
        if not bare and kinds[first] not in ("REPEATABLE", "DIFFERENT"):
            return self.braced_query()
        self.enter(SUBQUERY_LEVELS)
        self.index = first
        outer, self.parts = self.parts, []
        mode = self.match_mode()
        patterns = self.pattern_list()
        where = self.where()
        span = self.span(first)
        if not self.accept("}"):
            raise self.fail("'}', ',' or 'WHERE'")
        self.parts = outer
        self.depth -= SUBQUERY_LEVELS
        match = ast.Match(span, False, mode, patterns, (), where)
        return ast.RegularQuery(span, (ast.SingleQuery(span, (match,)),), (), ())

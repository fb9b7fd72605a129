"""Clauses that read: MATCH, WITH, RETURN, UNWIND and the like (Cypher manual, "Clauses")."""

from __future__ import annotations

from groundwire.query.cypher import ast
from groundwire.query.cypher.syntax.cursor import Failure
from groundwire.query.cypher.syntax.patterns import PatternParser

__all__ = ["ReadingParser"]


class ReadingParser(PatternParser):
    """Reads the clauses that read."""

    def call_clause(self, first: int = -1, optional: bool = False) -> ast.Clause:
        """`CALL ...`, with the OPTIONAL before it."""
        raise NotImplementedError

    def where(self) -> ast.Expression | None:
        """`WHERE expression`, if it stands here."""
        if self.kinds[self.index] != "WHERE":
            return None
        self.index += 1
        expression = self.expression()
        self.parts.append(expression)
        return expression

    def match(self) -> ast.Clause:
        first = self.index
        optional = self.accept("OPTIONAL")
        if optional and self.kinds[self.index] == "CALL":
            return self.call_clause(first, optional=True)
        self.expect("MATCH")
        mode = self.match_mode()
        patterns = self.pattern_list()
        hints: tuple[ast.Hint, ...] = ()
        while self.kinds[self.index] == "USING":
            hints += (self.hint(),)
        where = self.where()
        return ast.Match(self.span(first), optional, mode, patterns, hints, where)

    def match_mode(self) -> str | None:
        first = self.index
        if self.kinds[first] == "REPEATABLE":
            self.index += 1
            if not (self.accept("ELEMENTS") or self.accept("ELEMENT")):
                raise self.fail("'ELEMENTS'")
        elif self.kinds[first] == "DIFFERENT":
            self.index += 1
            if not (self.accept("RELATIONSHIPS") or self.accept("RELATIONSHIP")):
                raise self.fail("'RELATIONSHIPS'")
        else:
            return None
        self.accept("BINDINGS")
        return " ".join(self.texts[first : self.index]).upper()

    def hint(self) -> ast.Hint:
        first = self.index
        self.index += 1
        if self.accept("JOIN"):
            self.expect("ON")
            variables = [self.variable()]
            while self.accept(","):
                variables.append(self.variable())
            return ast.Hint(self.span(first), tuple(variables))
        if self.accept("SCAN"):
            scan = True
        else:
            scan = False
            _ = self.accept("TEXT") or self.accept("RANGE") or self.accept("POINT")
            self.expect("INDEX")
            self.accept("SEEK")
        variable = self.variable()
        self.expect(":")
        self.label_expression()
        if not scan:
            self.expect("(")
            self.name()
            while self.accept(","):
                self.name()
            self.expect(")")
        return ast.Hint(self.span(first), (variable,))

    def with_clause(self) -> ast.Clause:
        first = self.index
        distinct, star, items = self.projection_items()
        order_by, skip, limit = self.order_skip_limit()
        where = self.where()
        return ast.With(self.span(first), distinct, star, items, order_by, skip, limit, where)

    def return_clause(self) -> ast.Clause:
        first = self.index
        distinct, star, items = self.projection_items()
        order_by, skip, limit = self.order_skip_limit()
        return ast.Return(self.span(first), distinct, star, items, order_by, skip, limit)

    def projection_items(self) -> tuple[bool, bool, tuple[ast.ProjectionItem, ...]]:
        """`DISTINCT`?, `*`?, and the items of a WITH or RETURN."""
        kinds = self.kinds
        self.index += 1
        distinct = False
        if kinds[self.index] == "DISTINCT" and not self.must_be_name(self.index):
            distinct = True
            self.index += 1
        star = self.accept("*")
        items: list[ast.ProjectionItem] = []
        if not star or self.accept(","):
            items.append(self.projection_item())
            while kinds[self.index] == ",":
                self.index += 1
                items.append(self.projection_item())
        return distinct, star, tuple(items)

    def projection_item(self) -> ast.ProjectionItem:
        first = self.index
        expression = self.expression()
        alias = None
        if self.kinds[self.index] == "AS":
            self.index += 1
            alias = self.variable()
        span = (self.starts[first], self.ends[self.index - 1])
        item = ast.ProjectionItem(span, expression, alias)
        self.parts.append(item)
        return item

    def order_skip_limit(
        self,
    ) -> tuple[tuple[ast.SortItem, ...], ast.Expression | None, ast.Expression | None]:
        kinds = self.kinds
        order_by: tuple[ast.SortItem, ...] = ()
        skip = limit = None
        if kinds[self.index] == "ORDER" and kinds[self.index + 1] == "BY":
            self.index += 2
            items = [self.sort_item()]
            while self.accept(","):
                items.append(self.sort_item())
            order_by = tuple(items)
        elif kinds[self.index] == "ORDER":
            raise Failure(self.index + 1, "'BY'")
        if kinds[self.index] in ("SKIP", "OFFSET"):
            self.index += 1
            skip = self.expression()
        if kinds[self.index] == "LIMIT":
            self.index += 1
            limit = self.expression()
        return order_by, skip, limit

    def sort_item(self) -> ast.SortItem:
        first = self.index
        expression = self.expression()
        descending = False
        kind = self.kinds[self.index]
        if kind in ("DESC", "DESCENDING", "ASC", "ASCENDING"):
            self.index += 1
            descending = kind.startswith("D")
        item = ast.SortItem(self.span(first), expression, descending)
        self.parts.append(item)
        return item

    def order_by_clause(self) -> ast.Clause:
        first = self.index
        order_by, skip, limit = self.order_skip_limit()
        return ast.OrderBy(self.span(first), order_by, skip, limit)

    def unwind(self) -> ast.Clause:
        first = self.index
        self.index += 1
        source = self.expression()
        self.parts.append(source)
        self.expect("AS")
        variable = self.variable()
        return ast.Unwind(self.span(first), source, variable)

    def filter(self) -> ast.Clause:
        first = self.index
        self.index += 1
        self.accept("WHERE")
        return ast.Filter(self.span(first), self.expression())

    def let(self) -> ast.Clause:
        first = self.index
        self.index += 1
        items: list[ast.ProjectionItem] = []
        while True:
            variable = self.variable()
            self.expect("=")
            value = self.expression()
            span = (variable.span[0], self.ends[self.index - 1])
            items.append(ast.ProjectionItem(span, value, variable))
            if not self.accept(","):
                return ast.Let(self.span(first), tuple(items))

    def load_csv(self) -> ast.Clause:
        first = self.index
        self.index += 1
        self.expect("CSV")
        headers = self.accept("WITH")
        if headers:
            self.expect("HEADERS")
        self.expect("FROM")
        source = self.expression()
        self.expect("AS")
        variable = self.variable()
        terminator = self.string() if self.fieldterminator() else None
        return ast.LoadCsv(self.span(first), headers, source, variable, terminator)

    def fieldterminator(self) -> bool:
        if not self.accept("FIELDTERMINATOR"):
            return False
        if self.kinds[self.index] != "STRING":
            raise self.fail("a string")
        return True

    def use(self) -> ast.Clause:
        first = self.index
        self.index += 1
        return ast.Use(self.span(first), self.operand())

    def finish(self) -> ast.Clause:
        first = self.index
        self.index += 1
        return ast.Finish(self.span(first))

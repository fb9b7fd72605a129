"""Clauses and whole statements (Neo4j Cypher manual, "Clauses").

Reading and writing clauses are parsed; schema and administration commands are only named.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from groundwire.query.cypher import ast
from groundwire.query.cypher.cursor import Failure
from groundwire.query.cypher.patterns import PatternParser
from groundwire.query.cypher.tokens import NAMES

__all__ = ["CLAUSE_STARTS", "ClauseParser"]

_COMMANDS = """
    ALTER DEALLOCATE DENY DROP DRYRUN ENABLE GRANT REALLOCATE RENAME REVOKE SHOW START STOP
    TERMINATE
"""
_PATTERN_STARTS: Final = frozenset(
    {"(", "SHORTESTPATH", "ALLSHORTESTPATHS", "ANY", "ALL", "SHORTEST"}
)


class ClauseParser(PatternParser):
    """Reads clauses."""

    def where(self) -> ast.Expression | None:
        """`WHERE expression`, if it stands here."""
        if self.kinds[self.index] != "WHERE":
            return None
        self.index += 1
        expression = self.expression()
        self.parts.append(expression)
        return expression

    # --------------------------------------------------------------- reading

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
        if kinds[self.index] == "DISTINCT" and not self.names_distinct():
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

    def names_distinct(self) -> bool:
        """Whether DISTINCT is a variable here: an operator, or a whole clause, follows it."""
        kinds, following = self.kinds, self.index + 1
        return kinds[following] in (".", ",", "AS", "EOF") or (
            kinds[following] in CLAUSE_STARTS and kinds[following + 1] == "NAME"
        )

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

    # --------------------------------------------------- procedures, subqueries

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
        self.enter()
        outer, self.parts = self.parts, []
        query = self.regular_query()
        self.parts = outer
        self.parts.append(query)
        if not self.accept("}"):
            raise self.fail("a clause or '}'")
        self.depth -= 1
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
        bare = kinds[first] in _PATTERN_STARTS or (
            kinds[first] in NAMES and kinds[first + 1] == "="
        )
        if not bare and kinds[first] not in ("REPEATABLE", "DIFFERENT"):
            return self.braced_query()
        self.enter()
        self.index = first
        outer, self.parts = self.parts, []
        mode = self.match_mode()
        patterns = self.pattern_list()
        where = self.where()
        span = self.span(first)
        if not self.accept("}"):
            raise self.fail("'}', ',' or 'WHERE'")
        self.parts = outer
        self.depth -= 1
        match = ast.Match(span, False, mode, patterns, (), where)
        return ast.RegularQuery(span, (ast.SingleQuery(span, (match,)),), ())

    # --------------------------------------------------------------- writing

    def create(self) -> ast.Clause:
        first = self.index
        following = self.kinds[first + 1]
        if following not in _PATTERN_STARTS and self.kinds[first + 2] != "=":
            if self.kinds[first] == "CREATE" and following in NAMES:
                return self.command()
            raise Failure(first + 1, "a graph pattern")
        self.index += 1
        patterns = self.pattern_list()
        return ast.Create(self.span(first), patterns)

    def merge(self) -> ast.Clause:
        first = self.index
        self.index += 1
        pattern = self.pattern()
        self.parts.append(pattern)
        actions: list[ast.Set] = []
        while self.kinds[self.index] == "ON":
            self.index += 1
            if not (self.accept("CREATE") or self.accept("MATCH")):
                raise self.fail("'CREATE' or 'MATCH'")
            if self.kinds[self.index] != "SET":
                raise self.fail("'SET'")
            actions.append(self.set())
        return ast.Merge(self.span(first), pattern, tuple(actions))

    def set(self) -> ast.Set:
        first = self.index
        self.index += 1
        items = [self.set_item()]
        while self.accept(","):
            items.append(self.set_item())
        return ast.Set(self.span(first), tuple(items))

    def set_item(self) -> ast.SetItem:
        first = self.index
        target = self.operand()
        if isinstance(target, ast.LabelTest):
            return ast.SetItem(self.span(first), target.operand, ":", None, target.labels)
        if self.accept("IS"):
            labels = self.label_expression()
            return ast.SetItem(self.span(first), target, ":", None, labels)
        operator = self.kinds[self.index]
        if operator != "=" and not (operator == "+=" and isinstance(target, ast.Variable)):
            raise self.fail("'=' or '+='")
        self.index += 1
        value = self.expression()
        return ast.SetItem(self.span(first), target, operator, value, None)

    def remove(self) -> ast.Clause:
        first = self.index
        self.index += 1
        items = [self.remove_item()]
        while self.accept(","):
            items.append(self.remove_item())
        return ast.Remove(self.span(first), tuple(items))

    def remove_item(self) -> ast.Expression:
        first = self.index
        item = self.operand()
        if isinstance(item, ast.Variable) and self.accept("IS"):
            labels = self.label_expression()
            return ast.LabelTest(self.span(first), item, labels)
        if not isinstance(item, ast.Property | ast.LabelTest | ast.Index):
            raise self.fail("'.' or a label")
        return item

    def delete(self) -> ast.Clause:
        first = self.index
        detach = self.accept("DETACH")
        if not detach:
            self.accept("NODETACH")
        self.expect("DELETE")
        expressions = tuple(self.expressions())
        return ast.Delete(self.span(first), detach, expressions)

    def foreach(self) -> ast.Clause:
        first = self.index
        self.index += 1
        self.expect("(")
        self.enter()
        variable = self.variable()
        self.expect("IN")
        source = self.expression()
        self.expect("|")
        outer, self.parts = self.parts, []
        clauses = [self.clause()]
        while self.kinds[self.index] in CLAUSE_STARTS:
            clauses.append(self.clause())
        self.parts = outer
        self.expect(")")
        self.depth -= 1
        return ast.Foreach(self.span(first), variable, source, tuple(clauses))

    def command(self) -> ast.Clause:
        """Schema and administration: everything up to the end of the statement."""
        first = self.index
        while self.kinds[self.index] not in (";", "EOF"):
            self.index += 1
        words: list[str] = []
        for index in range(first, self.index):
            if self.kinds[index] not in NAMES or len(words) == 4:
                break
            words.append(self.texts[index].upper())
        return ast.Command(self.span(first), tuple(words))

    # ----------------------------------------------------------- composition

    def clause(self) -> ast.Clause:
        """One clause."""
        read = _CLAUSES.get(self.kinds[self.index])
        if read is None:
            raise self.fail("a clause such as MATCH, WITH or RETURN")
        return read(self)

    def single_query(self) -> ast.SingleQuery:
        first = self.index
        if self.kinds[first] == "{":
            inner = self.braced_query()
            if len(inner.branches) == 1:
                return ast.SingleQuery(self.span(first), inner.branches[0].clauses)
            call = ast.CallSubquery(inner.span, False, None, True, inner, False, None)
            return ast.SingleQuery(self.span(first), (call,))
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
        union_all: list[bool] = []
        while self.accept("UNION"):
            union_all.append(self.accept("ALL"))
            if not union_all[-1]:
                self.accept("DISTINCT")
            branches.append(self.single_query())
        return ast.RegularQuery(self.span(first), tuple(branches), tuple(union_all))


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
    **dict.fromkeys(_COMMANDS.split(), ClauseParser.command),
}

CLAUSE_STARTS: Final = frozenset(_CLAUSES)
"""Keywords that a clause can start with."""

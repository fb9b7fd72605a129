"""Expressions with a syntax of their own: CASE, comprehensions, reduce, subqueries, patterns."""

from __future__ import annotations

from collections.abc import Callable

from groundwire.query.cypher import ast
from groundwire.query.cypher.syntax.cursor import Failure
from groundwire.query.cypher.syntax.operators import BINDING, COMPARISON, PREDICATE, OperatorParser
from groundwire.query.cypher.tokens import NAMES

__all__ = ["FormParser"]


class FormParser(OperatorParser):
    """Reads the special forms; what they hold is read by the classes built on this one."""

    def named(self) -> ast.Expression:
        """A variable, function call or map projection."""
        raise NotImplementedError

    def nested(self) -> ast.Expression:
        """An expression inside brackets of any kind."""
        raise NotImplementedError

    def path_pattern(self, in_expression: bool = False) -> ast.PathPattern:
        """One path without its variable; inside an expression it needs a relationship."""
        raise NotImplementedError

    def subquery_body(self) -> ast.RegularQuery:
        """`{ query }` of EXISTS, COUNT, COLLECT."""
        raise NotImplementedError

    def expressions(self) -> list[ast.Expression]:
        """Expressions with commas between them."""
        items = [self.expression()]
        while self.kinds[self.index] == ",":
            self.index += 1
            items.append(self.expression())
        return items

    def list_comprehension(self) -> ast.Expression:
        first = self.index
        self.index += 1
        variable = self.variable()
        self.expect("IN")
        source = self.expression()
        where = self.expression() if self.accept("WHERE") else None
        result = self.expression() if self.accept("|") else None
        self.expect("]")
        return ast.ListComprehension(self.span(first), variable, source, where, result)

    def pattern_comprehension(self) -> ast.Expression:
        first = self.index
        self.index += 1
        variable = None
        if self.kinds[self.index + 1] == "=":
            variable = self.variable()
            self.index += 1
        path = self.path_pattern(in_expression=True)
        pattern = path
        if variable is not None:
            span = (variable.span[0], path.span[1])
            pattern = ast.PathPattern(span, variable, None, None, path.elements)
        where = self.comprehension_where() if self.accept("WHERE") else None
        self.expect("|")
        result = self.expression()
        self.expect("]")
        return ast.PatternComprehension(self.span(first), pattern, where, result)

    def comprehension_where(self) -> ast.Expression:
        """A condition before a `|`: `m:A | m` is first read as labels, while one more
        bar follows."""
        first, outer = self.index, self.bar_ends_labels
        if first not in self.bars_end_labels_at:
            where = self.expression()
            if self.kinds[self.index] == "|":
                return where
            self.bars_end_labels_at.add(first)
        self.index, self.bar_ends_labels = first, True
        where = self.expression()
        self.bar_ends_labels = outer
        return where

    def attempt(self, read: Callable[[], ast.Expression]) -> ast.Expression | None:
        """What `read` reads; None, and nothing read, where it fails."""
        first, depth, numbers = self.index, self.depth, len(self.number_problems)
        if first in self.dead_ends:
            return None
        try:
            return read()
        except Failure as failure:
            self.remember(failure)
            if self.too_deep:
                raise
            self.dead_ends.add(first)
            self.index, self.depth, self.bar_ends_labels = first, depth, False
            del self.number_problems[numbers:]
            return None

    def case(self) -> ast.Expression:
        first = self.index
        kinds = self.kinds
        if kinds[first + 1] in (")", ",", "EOF", ".", "]", "}", "=", "AS"):
            return self.named()
        self.index += 1
        self.enter()
        subject = None if kinds[self.index] == "WHEN" else self.expression()
        furthest = self.furthest
        try:
            branches, default = self.case_branches(subject)
        except Failure as failure:
            if subject is not None:
                raise
            # Neo4j's parser falls back on a variable named `case`, and stops behind it.
            self.furthest = furthest
            raise Failure(first + 1, f"a CASE expression; inside it, {failure.expected}") from None
        self.depth -= 1
        return ast.Case(self.span(first), subject, branches, default)

    def case_branches(
        self, subject: ast.Expression | None
    ) -> tuple[tuple[ast.When, ...], ast.Expression | None]:
        branches = [self.when(subject)]
        while self.kinds[self.index] == "WHEN":
            branches.append(self.when(subject))
        default = self.expression() if self.accept("ELSE") else None
        self.expect("END")
        return tuple(branches), default

    def when(self, subject: ast.Expression | None) -> ast.When:
        first = self.index
        self.expect("WHEN")
        tests = [self.when_test(subject)]
        while self.accept(","):
            tests.append(self.when_test(subject))
        self.expect("THEN")
        result = self.expression()
        return ast.When(self.span(first), tuple(tests), result)

    def when_test(self, subject: ast.Expression | None) -> ast.Expression:
        power = BINDING.get(self.kinds[self.index], 0)
        if subject is not None and power in (COMPARISON, PREDICATE):
            return self.operations(subject, COMPARISON, self.starts[self.index])
        return self.expression()

    def list_predicate(self) -> ast.Expression:
        first = self.index
        kinds = self.kinds
        if not (kinds[first + 1] == "(" and kinds[first + 2] in NAMES and kinds[first + 3] == "IN"):
            return self.named()
        self.enter()
        self.index += 2
        variable = self.variable()
        self.index += 1
        source = self.expression()
        where = self.expression() if self.accept("WHERE") else None
        self.expect(")")
        self.depth -= 1
        kind = kinds[first].lower()
        return ast.ListPredicate(self.span(first), kind, variable, source, where)

    def reduce(self) -> ast.Expression:
        first = self.index
        kinds = self.kinds
        if kinds[first + 1] == "(" and kinds[first + 2] in NAMES and kinds[first + 3] == "=":
            return self.attempt(self.reduction) or self.named()
        return self.named()

    def reduction(self) -> ast.Expression:
        first = self.index
        self.enter()
        self.index += 2
        accumulator = self.variable()
        self.index += 1
        initial = self.expression()
        self.expect(",")
        variable = self.variable()
        self.expect("IN")
        source = self.expression()
        self.expect("|")
        step = self.expression()
        self.expect(")")
        self.depth -= 1
        return ast.Reduce(self.span(first), accumulator, initial, variable, source, step)

    def trim(self) -> ast.Expression:
        """`trim(BOTH 'x' FROM y)`, or the plain `trim(y)`."""
        first = self.index
        kinds = self.kinds
        if kinds[first + 1] != "(" or kinds[first + 2] in (")", "DISTINCT"):
            return self.named()
        self.enter()
        self.index += 2
        explicit = kinds[self.index] in ("BOTH", "LEADING", "TRAILING")
        explicit = explicit and kinds[self.index + 1] not in (")", ",", ".")
        self.index += explicit
        arguments: list[ast.Expression] = []
        if not (explicit and kinds[self.index] == "FROM"):
            arguments = self.expressions()
        if explicit or kinds[self.index] == "FROM":
            self.expect("FROM")
            arguments.append(self.expression())
        self.depth -= 1
        self.expect(")")
        name_span = self.token_span(first)
        return ast.FunctionCall(self.span(first), self.texts[first], name_span, tuple(arguments))

    def shortest_path(self) -> ast.Expression:
        kinds = self.kinds
        if kinds[self.index + 1] == "(" and kinds[self.index + 2] in ("(", ")"):
            return self.pattern_expression()
        return self.named()

    def pattern_expression(self) -> ast.Expression:
        pattern = self.path_pattern(in_expression=True)
        return ast.PatternExpression(pattern.span, pattern)

    def subquery_expression(self) -> ast.Expression:
        first = self.index
        kinds = self.kinds
        if kinds[first + 1] != "{":
            return self.named()
        if kinds[first + 2] == "}" or (
            kinds[first + 2] in NAMES and kinds[first + 3] in ("}", ":")
        ):
            return self.named()  # a map projection of a variable with such a name
        kind = self.kinds[first]
        self.index += 1
        query = self.subquery_body()
        return ast.SubqueryExpression(self.span(first), kind, query)

"""Clauses that write; schema and administration commands are only named (Cypher manual)."""

from __future__ import annotations

from groundwire.query.cypher import ast
from groundwire.query.cypher.syntax.calls import CallParser
from groundwire.query.cypher.syntax.cursor import Failure
from groundwire.query.cypher.syntax.starts import CLAUSE_STARTS, PATTERN_STARTS
from groundwire.query.cypher.tokens import NAMES

__all__ = ["WritingParser"]


class WritingParser(CallParser):
    """Reads the clauses that write."""

    def clause(self) -> ast.Clause:
        """One clause."""
        raise NotImplementedError

    def create(self) -> ast.Clause:
        first = self.index
        following = self.kinds[first + 1]
        if following not in PATTERN_STARTS and self.kinds[first + 2] != "=":
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

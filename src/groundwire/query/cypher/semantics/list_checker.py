"""Expressions that bind variables of their own: comprehensions, list predicates, reduce."""

from __future__ import annotations

from typing import Final

from groundwire.query.cypher import ast
from groundwire.query.cypher.semantics import types as t
from groundwire.query.cypher.semantics.checker import Checker
from groundwire.query.cypher.semantics.scope import Scope, Symbol

__all__ = ["ListChecker"]

_DISTINCT_KINDS: Final = frozenset({t.INTEGER, t.FLOAT, t.BOOLEAN, t.NODE, t.MAP})


class ListChecker(Checker):
    """Checks list expressions."""

    def test(self, node: ast.Expression, certain: bool = False) -> None:
        """Check an expression that must be true or false, where a pattern may stand."""
        raise NotImplementedError

    def within(self, *variables: tuple[ast.Variable, t.Type]) -> dict[str, Symbol]:
        """Open a scope with these variables in it; the names to put back afterwards."""
        outer = self.names
        self.names = dict(outer)
        for variable, type_ in variables:
            self.declare(variable, type_)
        self.scopes.append(Scope((variables[0][0].span[0], -1), self.names))
        return outer

    def list_source(self, source: ast.Expression) -> t.Type:
        actual = self.visit(source)
        self.expect(source, actual, t.LIST)
        return t.element_of(t.Type(t.LIST, actual.element, actual.entity))

    def list_comprehension(self, node: ast.ListComprehension) -> t.Type:
        element = self.list_source(node.source)
        outer = self.within((node.variable, element))
        outer_list, self.in_list = self.in_list, True
        if node.where is not None:
            self.test(node.where)
        if node.result is not None:
            element = self.visit(node.result)
        self.names, self.in_list = outer, outer_list
        self.close_scope(node)
        return t.list_of(element)

    def list_predicate(self, node: ast.ListPredicate) -> t.Type:
        element = self.list_source(node.source)
        outer = self.within((node.variable, element))
        outer_list, self.in_list = self.in_list, True
        if node.where is not None:
            self.test(node.where)
        self.names, self.in_list = outer, outer_list
        self.close_scope(node)
        return t.BOOLEAN_TYPE

    def reduce(self, node: ast.Reduce) -> t.Type:
        initial = self.visit(node.initial)
        element = self.list_source(node.source)
        outer = self.within((node.accumulator, initial), (node.variable, element))
        outer_list, self.in_list = self.in_list, True
        step = self.visit(node.step)
        self.names, self.in_list = outer, outer_list
        self.close_scope(node)
        if initial == step:
            return initial
        if initial.kinds == t.INTEGER and step.kinds == t.FLOAT:
            return t.Type(t.NUMBER)  # Neo4j's common type of an integer and a float
        if initial.kinds in _DISTINCT_KINDS and not initial.kinds & step.kinds:
            self.expect(node.step, step, initial.kinds)
        return t.ANY

    def close_scope(self, node: ast.Node) -> None:
        """Give the scope that was opened last its end."""
        for i in range(len(self.scopes) - 1, -1, -1):
            if self.scopes[i].span[1] < 0:
                self.scopes[i] = Scope((node.span[0], node.span[1]), self.scopes[i].symbols)
                return

    def pattern_comprehension(self, node: ast.PatternComprehension) -> t.Type:
        outer, self.names = self.names, dict(self.names)
        outer_list, self.in_list = self.in_list, True
        doubt = self.doubt
        self.level += 1
        self.doubt = doubt or self.level
        self.bind_expression_pattern(node.pattern, introduces=True)
        self.scopes.append(Scope(node.span, self.names))
        if node.where is not None:
            self.test(node.where, certain=True)
        element = self.visit(node.result)
        self.level -= 1
        self.names, self.in_list, self.doubt = outer, outer_list, doubt
        return t.list_of(element)

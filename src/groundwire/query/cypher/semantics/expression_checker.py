"""Expressions: what each part refers to, and of what type it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from groundwire.query.cypher import ast
from groundwire.query.cypher.semantics import types as t
from groundwire.query.cypher.semantics.functions import FUNCTIONS, result_type
from groundwire.query.cypher.semantics.list_checker import ListChecker
from groundwire.query.cypher.semantics.rules.aggregate_place import aggregate_place
from groundwire.query.cypher.semantics.rules.distinct_argument import distinct_argument
from groundwire.query.cypher.semantics.rules.function_arguments import function_arguments
from groundwire.query.cypher.semantics.rules.label_symbols import label_symbols
from groundwire.query.cypher.semantics.rules.pattern_as_value import pattern_as_value
from groundwire.query.cypher.semantics.rules.random_in_aggregate import random_in_aggregate
from groundwire.query.cypher.semantics.rules.removed_function import removed_function
from groundwire.query.cypher.semantics.rules.unknown_function import unknown_function

__all__ = ["ExpressionChecker"]

# Where one of these must be true, so must what it says about labels.
_ASSERTIONS: Final = frozenset(
    {ast.Logical, ast.LabelTest, ast.Binary, ast.SubqueryExpression, ast.PatternExpression}
)
_ARITHMETIC: Final = frozenset({"+", "-", "*", "/", "%", "^", "||"})


class ExpressionChecker(ListChecker):
    """Checks expressions."""

    def visit(self, node: ast.Expression) -> t.Type:
        """Check an expression; its type."""
        if self.projected:
            projected = self.projected.get(ast.shape(node))
            if projected is not None:
                if isinstance(node, ast.Variable) and node.name in self.names:
                    self.resolve(node)
                return projected
        return _VISITS[type(node)](self, node)

    def visit_all(self, *nodes: ast.Expression | None) -> None:
        for node in nodes:
            if node is not None:
                self.visit(node)

    def test(self, node: ast.Expression, certain: bool = False) -> None:
        """Check an expression that must be true or false, where a pattern may stand.

        `certain`: the query goes on only where it is true, so that the labels it asks for hold.
        """
        outer, self.certain = self.certain, certain and type(node) in _ASSERTIONS
        if isinstance(node, ast.PatternExpression):
            self.bind_expression_pattern(node.pattern, introduces=False)
        else:
            actual = self.visit(node)
            if actual.kinds == t.LIST:
                place = t.position(node, self.text)
                self.report(place, "A list is not true or false: use `NOT isEmpty(...)`.")
            elif not actual.kinds & (t.BOOLEAN | t.LIST):
                self.expect(node, actual, t.BOOLEAN)
        self.certain = outer

    def variable(self, node: ast.Variable) -> t.Type:
        symbol = self.resolve(node)
        return t.ANY if symbol is None else symbol.type

    def literal(self, node: ast.Literal) -> t.Type:
        return t.literal_type(node.value)

    def parameter(self, node: ast.Parameter) -> t.Type:
        return t.ANY

    def list_literal(self, node: ast.ListLiteral) -> t.Type:
        items = [self.visit(item) for item in node.items]
        return t.list_of(t.union(items))

    def map_literal(self, node: ast.MapLiteral) -> t.Type:
        for entry in node.entries:
            self.visit(entry.value)
        return t.MAP_TYPE

    def property(self, node: ast.Property) -> t.Type:
        target = self.visit(node.target)
        self.expect(node.target, target, t.HAS_PROPERTIES)
        if target.kinds & ~(t.NODE | t.RELATIONSHIP):
            return t.ANY
        return t.PROPERTY_TYPE

    def index(self, node: ast.Index) -> t.Type:
        target = self.visit(node.target)
        index = self.visit(node.index)
        if target.kinds == t.LIST:
            self.expect(node.index, index, t.INTEGER)
            return t.element_of(target)
        if target.kinds & ~(t.MAP | t.NODE | t.RELATIONSHIP) == 0:
            self.expect(node.index, index, t.STRING)
        else:
            self.expect(node.target, target, t.LIST | t.MAP | t.NODE | t.RELATIONSHIP)
        return t.ANY

    def slice(self, node: ast.Slice) -> t.Type:
        target = self.visit(node.target)
        self.expect(node.target, target, t.LIST)
        for bound in (node.start, node.stop):
            if bound is not None:
                self.expect(bound, self.visit(bound), t.INTEGER)
        return target if target.kinds == t.LIST else t.Type(t.LIST)

    def unary(self, node: ast.Unary) -> t.Type:
        if node.operator == "NOT":
            self.test(node.operand)
            return t.BOOLEAN_TYPE
        operand = self.visit(node.operand)
        self.expect(node.operand, operand, t.NUMERIC)
        return operand if operand.kinds in (t.INTEGER, t.FLOAT) else t.NUMBER_TYPE

    def binary(self, node: ast.Binary) -> t.Type:
        """A binary operator; a chain of them, which leans to the left, without recursion."""
        spine = [node]
        while isinstance(spine[-1].left, ast.Binary) and not self.projected:
            spine.append(spine[-1].left)
        certain, self.certain = self.certain, False
        left = self.visit(spine[-1].left)
        for each in reversed(spine):
            right = self.visit(each.right)
            self.certain = certain
            left = self.operation(each, left, right)
            self.certain = False
        self.certain = certain
        return left

    def operation(self, node: ast.Binary, left: t.Type, right: t.Type) -> t.Type:
        operator = node.operator
        if operator in _ARITHMETIC:
            result, mismatch = t.arithmetic(operator, node, left, right)
            if mismatch is not None:
                self.expect(mismatch.operand, mismatch.actual, mismatch.expected)
            return result
        if operator == "IN":
            self.expect(node.right, right, t.LIST)
            self.note_label_in(node)
        elif operator == "=~":
            self.expect(node.left, left, t.STRING)
            self.expect(node.right, right, t.STRING)
        elif operator == "!=":
            self.report(node.operator_span[0], "Cypher has no `!=`: write `<>`.")
        return t.BOOLEAN_TYPE

    def note_label_in(self, node: ast.Binary) -> None:
        """`'Person' IN labels(n)` says as much as `n:Person`."""
        labels, literal = node.right, node.left
        if not (
            self.certain
            and isinstance(labels, ast.FunctionCall)
            and labels.name.lower() == "labels"
            and len(labels.arguments) == 1
            and isinstance(labels.arguments[0], ast.Variable)
            and isinstance(literal, ast.Literal)
            and isinstance(literal.value, str)
        ):
            return
        symbol = self.names.get(labels.arguments[0].name)
        if symbol is not None and symbol.entity is not None:
            self.require(symbol.entity, ast.LabelName(literal.span, literal.value))

    def logical(self, node: ast.Logical) -> t.Type:
        certain = self.certain
        for operand in node.operands:
            self.test(operand, certain and node.operator == "AND")
        if certain and node.operator == "OR":
            self.note_alternatives(node)
        return t.BOOLEAN_TYPE

    def note_alternatives(self, node: ast.Logical) -> None:
        """`n:A OR n:B` says that `n` is one of the two."""
        names: set[str] = set()
        labels: list[ast.LabelExpression] = []
        for operand in node.operands:
            if not (
                isinstance(operand, ast.LabelTest) and isinstance(operand.operand, ast.Variable)
            ):
                return
            names.add(operand.operand.name)
            labels.append(operand.labels)
        symbol = self.names.get(names.pop())
        if not names and symbol is not None and symbol.entity is not None:
            self.require(symbol.entity, ast.LabelOr(node.span, tuple(labels), ()))

    def comparison_chain(self, node: ast.ComparisonChain) -> t.Type:
        self.visit_all(*node.operands)
        return t.BOOLEAN_TYPE

    def unary_predicate(self, node: ast.IsNull | ast.IsTyped | ast.IsNormalized) -> t.Type:
        self.visit(node.operand)
        return t.BOOLEAN_TYPE

    def label_test(self, node: ast.LabelTest) -> t.Type:
        certain = self.certain
        operand = self.visit(node.operand)
        self.expect(node.operand, operand, t.NODE | t.RELATIONSHIP)
        if operand.entity is not None and certain:
            self.require(operand.entity, node.labels)
        label_symbols(node.labels, None, self)
        self.labels(node.labels)
        return t.BOOLEAN_TYPE

    def labels(self, labels: ast.LabelExpression) -> None:
        """The expressions in dynamic labels."""
        if "$" in self.text[labels.span[0] : labels.span[1]]:
            for node in ast.walk(labels):
                if isinstance(node, ast.DynamicLabel):
                    self.visit(node.expression)

    def case(self, node: ast.Case) -> t.Type:
        if node.subject is not None:
            self.visit(node.subject)
        results: list[t.Type] = []
        for branch in node.branches:
            for test in branch.tests:
                if node.subject is None:
                    self.test(test)
                else:
                    self.visit(test)
            results.append(self.visit(branch.result))
        if node.default is not None:
            results.append(self.visit(node.default))
        return t.union(results)

    def function_call(self, node: ast.FunctionCall) -> t.Type:
        signature = FUNCTIONS.get(node.name.lower())
        if signature is None or not signature.aggregate:
            distinct_argument(node, self)
            return self.plain_call(node)
        aggregate_place(node, self)
        outer, self.in_aggregate = self.in_aggregate, True
        result = self.plain_call(node)
        self.in_aggregate, self.saw_aggregate = outer, True
        return result

    def plain_call(self, node: ast.FunctionCall) -> t.Type:
        """The arguments, then the rules for calls; the type from the signature."""
        if node.name.lower() == "exists" and node.arguments:
            return self.exists_call(node)
        types = [self.visit(argument) for argument in node.arguments]
        signature = FUNCTIONS.get(node.name.lower())
        if signature is None:
            unknown_function(node, self)
            return t.ANY
        function_arguments(node, signature, self)
        if signature.name in ("rand", "randomUUID"):
            random_in_aggregate(node, self)
        for argument, actual, expected in zip(
            node.arguments, types, signature.arguments * (1 + len(types)), strict=False
        ):
            self.expect(argument, actual, expected, signature.resolved_late)
        return result_type(signature, types)

    def exists_call(self, node: ast.FunctionCall) -> t.Type:
        """`exists(pattern)`; `exists(n.key)` went with Neo4j 5."""
        argument = node.arguments[0]
        if isinstance(argument, ast.PatternExpression):
            self.bind_expression_pattern(argument.pattern, introduces=False)
        else:
            self.visit(argument)
            removed_function(node, self)
        return t.BOOLEAN_TYPE

    def map_projection(self, node: ast.MapProjection) -> t.Type:
        target = self.visit(node.variable)
        self.expect(node.variable, target, t.MAP | t.NODE | t.RELATIONSHIP)
        for item in node.items:
            if isinstance(item, ast.MapEntry):
                self.visit(item.value)
            elif isinstance(item, ast.Variable):
                self.visit(item)
        return t.MAP_TYPE

    def pattern_expression(self, node: ast.PatternExpression) -> t.Type:
        self.bind_expression_pattern(node.pattern, introduces=False)
        pattern_as_value(node, self)
        return t.PATH_TYPE if node.pattern.function == "shortestPath" else t.PATHS_TYPE

    def subquery_expression(self, node: ast.SubqueryExpression) -> t.Type:
        self.subquery(node)
        return {"EXISTS": t.BOOLEAN_TYPE, "COUNT": t.INTEGER_TYPE}.get(node.kind, t.Type(t.LIST))


_VISITS: Final[dict[type[ast.Node], Callable[[ExpressionChecker, Any], t.Type]]] = {
    ast.Variable: ExpressionChecker.variable,
    ast.Literal: ExpressionChecker.literal,
    ast.Parameter: ExpressionChecker.parameter,
    ast.ListLiteral: ExpressionChecker.list_literal,
    ast.MapLiteral: ExpressionChecker.map_literal,
    ast.Property: ExpressionChecker.property,
    ast.Index: ExpressionChecker.index,
    ast.Slice: ExpressionChecker.slice,
    ast.Unary: ExpressionChecker.unary,
    ast.Binary: ExpressionChecker.binary,
    ast.Logical: ExpressionChecker.logical,
    ast.ComparisonChain: ExpressionChecker.comparison_chain,
    ast.IsNull: ExpressionChecker.unary_predicate,
    ast.IsTyped: ExpressionChecker.unary_predicate,
    ast.IsNormalized: ExpressionChecker.unary_predicate,
    ast.LabelTest: ExpressionChecker.label_test,
    ast.Case: ExpressionChecker.case,
    ast.FunctionCall: ExpressionChecker.function_call,
    ast.ListComprehension: ExpressionChecker.list_comprehension,
    ast.ListPredicate: ExpressionChecker.list_predicate,
    ast.Reduce: ExpressionChecker.reduce,
    ast.PatternComprehension: ExpressionChecker.pattern_comprehension,
    ast.MapProjection: ExpressionChecker.map_projection,
    ast.PatternExpression: ExpressionChecker.pattern_expression,
    ast.SubqueryExpression: ExpressionChecker.subquery_expression,
}

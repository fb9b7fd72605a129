"""Names and types: the checks that Neo4j makes after the grammar, in its order.

One walk over the tree resolves every variable, follows the types as far as the text tells them, and
asks the rules of `rules/` about each node. The first problem is the one that Neo4j reports.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, Final

from groundwire.query.cypher import ast
from groundwire.query.cypher import types as t
from groundwire.query.cypher.functions import FUNCTIONS
from groundwire.query.cypher.phases import SEMANTIC
from groundwire.query.cypher.rules.aggregate_place import aggregate_place
from groundwire.query.cypher.rules.function_arguments import function_arguments
from groundwire.query.cypher.rules.label_symbols import label_symbols
from groundwire.query.cypher.rules.pattern_as_value import pattern_as_value
from groundwire.query.cypher.rules.random_in_aggregate import random_in_aggregate
from groundwire.query.cypher.rules.removed_function import removed_function
from groundwire.query.cypher.rules.unknown_function import unknown_function
from groundwire.query.cypher.scope import Entity, Scope, Symbol

__all__ = ["Checker"]


class Checker:
    """The state of the walk, and what the rules may ask of it."""

    def __init__(self, text: str, functions: Collection[str]) -> None:
        self.text = text
        self.known_functions = functions
        self.found: list[tuple[int, int, str]] = []
        self.symbols: dict[int, Symbol] = {}
        self.scopes: list[Scope] = []
        self.names: dict[str, Symbol] = {}
        self.outer: dict[str, Symbol] = {}
        self.hidden: dict[str, Symbol] = {}
        self.projected: dict[tuple[object, ...], t.Type] = {}
        self.certain = False
        self.level = 0
        self.doubt = 0
        self.aggregates_allowed = False
        self.in_list = False
        self.in_aggregate = False
        self.saw_aggregate = False

    def report(self, offset: int, sentence: str, phase: int = SEMANTIC) -> None:
        """Note a problem."""
        self.found.append((phase, offset, sentence))

    # Supplied by the classes built on this one.
    def bind_expression_pattern(self, pattern: ast.PathPattern, introduces: bool) -> None:
        raise NotImplementedError

    def subquery(self, node: ast.SubqueryExpression) -> None:
        raise NotImplementedError

    # ------------------------------------------------------------ variables

    def resolve(self, variable: ast.Variable) -> Symbol | None:
        """The symbol that a variable refers to; a problem where there is none."""
        name = variable.name
        symbol = self.names.get(name)
        if symbol is not None:
            self.symbols[variable.span[0]] = symbol
            return symbol
        if name in self.hidden:
            self.report(
                variable.span[0],
                f"After a WITH or RETURN with DISTINCT or an aggregate, `{name}` can no longer be "
                "used here unless it is one of its columns.",
            )
        else:
            self.report(variable.span[0], f"Variable `{name}` is not defined.")
        return None

    def declare(self, variable: ast.Variable, type_: t.Type) -> Symbol:
        """Bind a variable in the present scope."""
        symbol = Symbol(variable.name, variable.span, type_)
        self.names[variable.name] = symbol
        self.symbols[variable.span[0]] = symbol
        return symbol

    def declare_new(self, variable: ast.Variable, type_: t.Type) -> None:
        """Bind a variable that must not be bound yet."""
        if variable.name in self.names:
            self.report(variable.span[0], f"Variable `{variable.name}` is already declared.")
        self.declare(variable, type_)

    def require(self, entity: Entity, labels: ast.LabelExpression | None) -> None:
        """Note labels that must hold, unless a subquery that may fail says so of what is outside.

        `level` counts the subqueries around this place, `doubt` is the level of the outermost one
        that need not succeed.
        """
        if labels is not None and entity.level >= self.doubt:
            entity.labels.append(labels)

    def new_entity(self, labels: ast.LabelExpression | None) -> Entity:
        """A node or relationship that is bound here."""
        return Entity(self.level, [] if labels is None else [labels])

    # ---------------------------------------------------------------- types

    def expect(self, expression: ast.Expression, actual: t.Type, expected: int) -> None:
        """A problem where the expression can be none of the expected kinds."""
        if not actual.kinds & expected:
            self.report(
                t.position(expression, self.text),
                f"Type mismatch: {t.describe(expected)} is needed, this is {actual}.",
            )

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

    # ---------------------------------------------------------- expressions

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
            self.expect(argument, actual, expected)
        if signature.name == "coalesce":
            return t.union(types)
        result = _RESULTS.get(signature.name)
        return result(types[0]) if result is not None and types else signature.result

    def exists_call(self, node: ast.FunctionCall) -> t.Type:
        """`exists(pattern)`; `exists(n.key)` went with Neo4j 5."""
        argument = node.arguments[0]
        if isinstance(argument, ast.PatternExpression):
            self.bind_expression_pattern(argument.pattern, introduces=False)
        else:
            self.visit(argument)
            removed_function(node, self)
        return t.BOOLEAN_TYPE

    # --------------------------------------------- expressions with a scope

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


# Where one of these must be true, so must what it says about labels.
_ASSERTIONS: Final = frozenset(
    {ast.Logical, ast.LabelTest, ast.Binary, ast.SubqueryExpression, ast.PatternExpression}
)
_ARITHMETIC: Final = frozenset({"+", "-", "*", "/", "%", "^", "||"})
_DISTINCT_KINDS: Final = frozenset({t.INTEGER, t.FLOAT, t.BOOLEAN, t.NODE, t.MAP})
_NODES: Final = t.Type(t.LIST, t.Type(t.NODE))
_RELATIONSHIPS: Final = t.Type(t.LIST, t.Type(t.RELATIONSHIP))
_STRINGS: Final = t.Type(t.LIST, t.STRING_TYPE)
# Functions whose result depends on the argument, or is a list of something known.
_RESULTS: Final[dict[str, Callable[[t.Type], t.Type]]] = {
    "abs": lambda argument: argument if argument.kinds in (t.INTEGER, t.FLOAT) else t.NUMBER_TYPE,
    "avg": lambda argument: t.NUMBER_TYPE if argument.kinds & ~t.NUMERIC == 0 else t.ANY,
    "collect": t.list_of,
    "head": t.element_of,
    "keys": lambda _: _STRINGS,
    "labels": lambda _: _STRINGS,
    "last": t.element_of,
    "max": lambda argument: argument,
    "min": lambda argument: argument,
    "nodes": lambda _: _NODES,
    "range": lambda _: t.Type(t.LIST, t.INTEGER_TYPE),
    "relationships": lambda _: _RELATIONSHIPS,
    "reverse": lambda argument: argument,
    "split": lambda _: _STRINGS,
    "sum": lambda argument: argument if argument.kinds in (t.INTEGER, t.FLOAT) else t.ANY,
    "tail": lambda argument: argument if argument.kinds == t.LIST else t.Type(t.LIST),
    "toBooleanList": lambda _: t.Type(t.LIST, t.BOOLEAN_TYPE),
    "toFloatList": lambda _: t.Type(t.LIST, t.FLOAT_TYPE),
    "toIntegerList": lambda _: t.Type(t.LIST, t.INTEGER_TYPE),
    "toStringList": lambda _: _STRINGS,
}

_VISITS: Final[dict[type[ast.Node], Callable[[Checker, Any], t.Type]]] = {
    ast.Variable: Checker.variable,
    ast.Literal: Checker.literal,
    ast.Parameter: Checker.parameter,
    ast.ListLiteral: Checker.list_literal,
    ast.MapLiteral: Checker.map_literal,
    ast.Property: Checker.property,
    ast.Index: Checker.index,
    ast.Slice: Checker.slice,
    ast.Unary: Checker.unary,
    ast.Binary: Checker.binary,
    ast.Logical: Checker.logical,
    ast.ComparisonChain: Checker.comparison_chain,
    ast.IsNull: Checker.unary_predicate,
    ast.IsTyped: Checker.unary_predicate,
    ast.IsNormalized: Checker.unary_predicate,
    ast.LabelTest: Checker.label_test,
    ast.Case: Checker.case,
    ast.FunctionCall: Checker.function_call,
    ast.ListComprehension: Checker.list_comprehension,
    ast.ListPredicate: Checker.list_predicate,
    ast.Reduce: Checker.reduce,
    ast.PatternComprehension: Checker.pattern_comprehension,
    ast.MapProjection: Checker.map_projection,
    ast.PatternExpression: Checker.pattern_expression,
    ast.SubqueryExpression: Checker.subquery_expression,
}

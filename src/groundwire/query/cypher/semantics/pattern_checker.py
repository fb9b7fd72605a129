"""Variables of patterns: which ones a pattern binds, and as what."""

from __future__ import annotations

from groundwire.query.cypher import ast
from groundwire.query.cypher.semantics import types as t
from groundwire.query.cypher.semantics.expression_checker import ExpressionChecker
from groundwire.query.cypher.semantics.rules.label_symbols import label_symbols
from groundwire.query.cypher.semantics.rules.path_shape import path_shape
from groundwire.query.cypher.semantics.scope import Symbol

__all__ = ["PatternChecker"]


class PatternChecker(ExpressionChecker):
    """Binds the variables of patterns, then checks the expressions in them."""

    def bind_patterns(self, patterns: tuple[ast.PathPattern, ...], optional: bool) -> None:
        """The patterns of one MATCH: all variables first, since each may use those of another."""
        for pattern in patterns:
            self.declare_path(pattern, certain=not optional)
        for pattern in patterns:
            self.visit_path(pattern)

    def declare_path(self, pattern: ast.PathPattern, certain: bool) -> None:
        for element in pattern.elements:
            if isinstance(element, ast.NodePattern):
                if element.variable is not None:
                    self.bind(element.variable, t.NODE, element.labels, certain)
            elif isinstance(element, ast.RelationshipPattern):
                if element.variable is not None:
                    self.bind_relationship(element, certain)
            elif element.quantifier is not None:
                self.declare_quantified(element)
            else:
                self.declare_path(element.path, certain)
        if pattern.variable is not None:
            self.declare_new(pattern.variable, t.PATH_TYPE)

    def bind_relationship(self, element: ast.RelationshipPattern, certain: bool) -> None:
        assert element.variable is not None
        if element.length is None and element.quantifier is None:
            self.bind(element.variable, t.RELATIONSHIP, element.types, certain)
        else:
            self.bind_list(element.variable, element.types)

    def bind_list(self, variable: ast.Variable, types: ast.LabelExpression | None) -> None:
        """The relationships of a variable-length pattern."""
        symbol = self.names.get(variable.name)
        if symbol is None:
            element = t.Type(t.RELATIONSHIP, None, self.new_entity(types))
            self.declare(variable, t.list_of(element))
        else:
            self.symbols[variable.span[0]] = symbol
            self.conflict(variable, symbol, t.LIST)

    def bind(
        self,
        variable: ast.Variable,
        kind: int,
        labels: ast.LabelExpression | None,
        certain: bool,
    ) -> None:
        """A node or relationship variable: a new one, or one more pattern of an old one."""
        symbol = self.names.get(variable.name)
        if symbol is None:
            self.declare(variable, t.Type(kind, None, self.new_entity(labels)))
            return
        self.symbols[variable.span[0]] = symbol
        self.conflict(variable, symbol, kind)
        if symbol.type.kinds & kind and symbol.type.entity is None:
            # A value that turns out to be a node: `UNWIND $nodes AS n MATCH (n:A)`.
            symbol.type = t.Type(kind, None, self.new_entity(None))
        if certain and symbol.entity is not None:
            self.require(symbol.entity, labels)

    def conflict(self, variable: ast.Variable, symbol: Symbol, kind: int) -> None:
        if not symbol.type.kinds & kind:
            self.report(
                variable.span[0],
                f"Variable `{variable.name}` is used as {t.describe(kind)} here, "
                f"but it is {symbol.type}.",
            )

    def declare_quantified(self, element: ast.ParenthesizedPath) -> None:
        """`((x)-->(y)){1,3}`: inside, x is a node; outside, a list of nodes."""
        outer, self.names = self.names, {}
        self.declare_path(element.path, certain=True)
        inner, self.names = self.names, outer
        if any(name in outer for name in inner):
            shared = next(name for name in inner if name in outer)
            self.report(
                element.span[0],
                f"Variable `{shared}` stands inside and outside of a quantified path.",
            )
        for name, symbol in inner.items():
            outer[name] = Symbol(name, symbol.declared, t.list_of(symbol.type))
        self.visit_quantified(element, inner)

    def visit_quantified(self, element: ast.ParenthesizedPath, inner: dict[str, Symbol]) -> None:
        outer = self.names
        self.names = {**outer, **inner}
        self.visit_path(element.path)
        if element.where is not None:
            self.test(element.where, certain=True)
        self.names = outer

    def visit_path(self, pattern: ast.PathPattern) -> None:
        """The expressions in a path whose variables are bound."""
        if len(pattern.elements) > 1 or type(pattern.elements[0]) is not ast.NodePattern:
            path_shape(pattern, self)
        for element in pattern.elements:
            if isinstance(element, ast.NodePattern):
                if element.labels is not None:
                    self.pattern_labels(element, element.labels)
                if element.properties is not None:
                    self.visit(element.properties)
                if element.where is not None:
                    self.test(element.where, certain=True)
            elif isinstance(element, ast.RelationshipPattern):
                self.visit_relationship(element)
            elif element.quantifier is None:
                self.visit_path(element.path)
                if element.where is not None:
                    self.test(element.where, certain=True)

    def visit_relationship(self, element: ast.RelationshipPattern) -> None:
        if element.types is not None:
            self.pattern_labels(element, element.types)
        if element.properties is not None:
            self.visit(element.properties)
        if element.where is None:
            return
        if element.length is not None:
            self.report(
                element.where.span[0],
                "A variable-length relationship cannot have a WHERE of its own.",
            )
        outer = self.names
        if element.variable is not None and element.quantifier is not None:
            # Inside `-[r WHERE r.x > 1]->+`, r is one relationship.
            self.names = dict(outer)
            self.declare(element.variable, t.Type(t.RELATIONSHIP))
        self.test(element.where, certain=True)
        self.names = outer

    def pattern_labels(
        self, element: ast.NodePattern | ast.RelationshipPattern, labels: ast.LabelExpression
    ) -> None:
        if type(labels) is not ast.LabelName:
            label_symbols(labels, element, self)
            self.labels(labels)

    def bind_expression_pattern(self, pattern: ast.PathPattern, introduces: bool) -> None:
        """A pattern in an expression: only a pattern comprehension may bind new variables."""
        if introduces:
            self.declare_path(pattern, certain=True)
            self.visit_path(pattern)
            return
        for element in pattern.elements:
            if isinstance(element, ast.ParenthesizedPath) or element.variable is None:
                continue
            variable = element.variable
            if variable.name not in self.names and variable.name not in self.hidden:
                if pattern.function:
                    self.resolve(variable)
                else:
                    self.report(
                        variable.span[0],
                        f"A pattern in an expression cannot introduce `{variable.name}`: "
                        "use EXISTS { ... }.",
                    )
            elif variable.name not in self.names:
                self.resolve(variable)
            elif isinstance(element, ast.NodePattern):
                self.bind(variable, t.NODE, element.labels, self.certain)
            else:
                self.bind_relationship(element, self.certain)
        self.visit_path(pattern)

"""Patterns: nodes, relationships, paths and label expressions.

Neo4j Cypher manual, "Patterns": fixed-length, variable-length, quantified and shortest paths.
"""

from __future__ import annotations

from typing import Final

from groundwire.query.cypher import ast
from groundwire.query.cypher.syntax.cursor import Failure
from groundwire.query.cypher.syntax.expressions import ExpressionParser
from groundwire.query.cypher.tokens import NAMES, name_value

__all__ = ["PatternParser"]

_SELECTORS: Final = frozenset({"ANY", "ALL", "SHORTEST"})
_PATH_FUNCTIONS: Final = {"SHORTESTPATH": "shortestPath", "ALLSHORTESTPATHS": "allShortestPaths"}
# What can stand behind `x:A | name` only where `name` begins the result of a comprehension.
_AFTER_RESULT_NAME: Final = frozenset({".", "(", "[", "{", "+", "-", "*", "/", "="})


class PatternParser(ExpressionParser):
    """Reads patterns."""

    def pattern_list(self) -> tuple[ast.PathPattern, ...]:
        """`pattern, pattern`; each one that could be read is among `parts`."""
        patterns = [self.pattern()]
        self.parts.append(patterns[0])
        while self.accept(","):
            patterns.append(self.pattern())
            self.parts.append(patterns[-1])
        return tuple(patterns)

    def pattern(self) -> ast.PathPattern:
        """`variable = ANY SHORTEST (a)-->(b)`."""
        first = self.index
        kinds = self.kinds
        variable = None
        if kinds[first] != "(" and kinds[first + 1] == "=":
            variable = self.variable()
            self.index += 1
        selector = self.selector() if kinds[self.index] in _SELECTORS else None
        if kinds[self.index] != "(" and kinds[self.index] not in _PATH_FUNCTIONS:
            # A name can be a path variable: then it is the `=` that is missing.
            missing = self.index + (variable is None and kinds[self.index] in NAMES)
            raise Failure(missing, "a graph pattern")
        path = self.path_pattern()
        if variable is None and selector is None:
            return path
        return ast.PathPattern(self.span(first), variable, selector, path.function, path.elements)

    def selector(self) -> str:
        """`ANY SHORTEST`, `ALL SHORTEST`, `SHORTEST 3 GROUPS`, `ANY 2`, ... as text."""
        first = self.index
        self.index += 1
        for optional in ("SHORTEST", "INTEGER", "PATH", "PATHS", "GROUP", "GROUPS"):
            self.accept(optional)
        return " ".join(self.texts[first : self.index]).upper()

    def path_pattern(self, in_expression: bool = False) -> ast.PathPattern:
        """One path without its variable; inside an expression it needs a relationship."""
        first = self.index
        function = _PATH_FUNCTIONS.get(self.kinds[first])
        if function is not None:
            self.index += 1
            self.expect("(")
        elements: list[ast.NodePattern | ast.RelationshipPattern | ast.ParenthesizedPath] = []
        kinds = self.kinds
        while True:
            if not in_expression and self.starts_inner_path():
                elements.append(self.parenthesized_path())
            else:
                elements.append(self.node_pattern())
                while kinds[self.index] in ("-", "<"):
                    elements.append(self.relationship_pattern(not in_expression))
                    elements.append(self.node_pattern())
            if in_expression or function or kinds[self.index] != "(":
                break
        if in_expression and len(elements) == 1 and not function:
            raise self.fail("'-' or '<-'")
        if function:
            self.expect(")")
        return ast.PathPattern(self.span(first), None, None, function, tuple(elements))

    def starts_inner_path(self) -> bool:
        """Whether the bracket here opens a path, not a node."""
        kinds, following = self.kinds, self.index + 1
        if kinds[self.index] != "(":
            return False
        return kinds[following] == "(" or (
            kinds[following] in NAMES and kinds[following + 1] in ("=", "(")
        )

    def parenthesized_path(self) -> ast.ParenthesizedPath:
        first = self.index
        self.enter()
        self.index += 1
        path = self.pattern()
        where = self.expression() if self.accept("WHERE") else None
        if not self.accept(")"):
            raise self.fail("')' or 'WHERE'")
        self.depth -= 1
        quantifier = self.quantifier()
        return ast.ParenthesizedPath(self.span(first), path, where, quantifier)

    def node_pattern(self) -> ast.NodePattern:
        first = self.index
        kinds = self.kinds
        if kinds[first] != "(":
            raise self.fail("a node pattern, '('")
        self.index = first + 1
        variable = self.element_variable(")")
        kind = kinds[self.index]
        labels = properties = where = None
        if kind == ":" or kind == "IS":
            self.index += 1
            labels = self.label_expression()
            kind = kinds[self.index]
        if kind == "{" or kind == "$":
            properties = self.properties()
            kind = kinds[self.index]
        if kind == "WHERE":
            self.index += 1
            where = self.nested()
        if kinds[self.index] != ")":
            raise self.fail("')', a label, properties or WHERE")
        self.index += 1
        return ast.NodePattern(
            (self.starts[first], self.ends[self.index - 1]), variable, labels, properties, where
        )

    def element_variable(self, closing: str) -> ast.Variable | None:
        """The variable of a node or relationship, if it has one."""
        index = self.index
        kind = self.kinds[index]
        if kind not in NAMES:
            return None
        if kind in ("IS", "WHERE") and self.kinds[index + 1] not in (closing, ":", "{"):
            return None
        self.index = index + 1
        return ast.Variable((self.starts[index], self.ends[index]), name_value(self.texts[index]))

    def properties(self) -> ast.MapLiteral | ast.Parameter:
        return self.map_literal() if self.kinds[self.index] == "{" else self.parameter()

    def relationship_pattern(self, quantified: bool = True) -> ast.RelationshipPattern:
        first = self.index
        kinds = self.kinds
        left_head = right_head = None
        if kinds[first] == "<":
            left_head = (self.starts[first], self.ends[first])
            self.index = first + 1
        self.expect("-")
        variable = types = length = properties = where = None
        if kinds[self.index] == "[":
            self.index += 1
            variable = self.element_variable("]")
            kind = kinds[self.index]
            if kind == ":" or kind == "IS":
                self.index += 1
                types = self.label_expression()
                kind = kinds[self.index]
            if kind == "*":
                length = self.length()
                kind = kinds[self.index]
            if kind == "{" or kind == "$":
                properties = self.properties()
                kind = kinds[self.index]
            if kind == "WHERE":
                self.index += 1
                where = self.nested()
            if kinds[self.index] != "]":
                raise self.fail("']', a type, a length, properties or WHERE")
            self.index += 1
        self.expect("-")
        index = self.index
        if kinds[index] == ">":
            right_head = (self.starts[index], self.ends[index])
            self.index = index + 1
        # The quantifier has its own span: the arrow ends at its last dash or head.
        span = (self.starts[first], self.ends[self.index - 1])
        quantifier = None
        if quantified and kinds[self.index] != "(":
            quantifier = self.quantifier()
        return ast.RelationshipPattern(
            span, left_head, right_head, variable, types, length, properties, where, quantifier
        )

    def length(self) -> ast.Length:
        """`*`, `*2`, `*1..3`, `*..3`, `*1..`."""
        first = self.index
        self.index += 1
        minimum = self.bound()
        maximum = self.bound() if self.accept("..") else minimum
        return ast.Length(self.span(first), minimum, maximum)

    def bound(self) -> int | None:
        if self.kinds[self.index] != "INTEGER":
            return None
        self.index += 1
        return int(self.number_value(self.index - 1))

    def quantifier(self) -> ast.Quantifier | None:
        """`+`, `*`, `{2}`, `{1,3}`, `{,3}`, `{1,}`, or nothing."""
        first = self.index
        kind = self.kinds[first]
        if kind in ("+", "*"):
            self.index += 1
            return ast.Quantifier(self.span(first), 1 if kind == "+" else 0, None)
        if kind != "{":
            return None
        self.index += 1
        minimum = self.bound()
        maximum = minimum
        if self.accept(","):
            maximum = self.bound()
        elif minimum is None:
            raise self.fail("an integer or ','")
        self.expect("}")
        return ast.Quantifier(self.span(first), minimum or 0, maximum)

    # ---------------------------------------------------- label expressions

    def label_expression(self, in_expression: bool = False) -> ast.LabelExpression:
        """`A|B&!C`, behind the colon."""
        first = self.index
        left = self.label_conjunction()
        if self.kinds[self.index] != "|":
            return left
        operands, bars = [left], []
        while self.kinds[self.index] == "|" and not (
            in_expression and (self.bar_ends_labels or self.starts_result(self.index + 1))
        ):
            bar = self.index
            self.index += 1
            self.accept(":")
            bars.append(self.span(bar))
            if not self.starts_label():
                raise Failure(bar, "the end of the labels")
            operands.append(self.label_conjunction())
        if not bars:
            return left
        return ast.LabelOr(self.span(first), tuple(operands), tuple(bars))

    def starts_result(self, index: int) -> bool:
        """Whether what follows a `|` is the result of a comprehension, `x:A | x.name`."""
        kinds = self.kinds
        if kinds[index] in NAMES:
            return kinds[index + 1] in _AFTER_RESULT_NAME
        return kinds[index] not in ("(", "!", "%", ":", "$")

    def label_conjunction(self) -> ast.LabelExpression:
        first = self.index
        left = self.label_term()
        kind = self.kinds[self.index]
        if kind != "&" and kind != ":":
            return left
        operands, colon = [left], False
        while self.kinds[self.index] in ("&", ":"):
            colon = colon or self.kinds[self.index] == ":"
            self.index += 1
            if self.kinds[self.index - 1] == ":" and not self.starts_label():
                raise Failure(self.index - 1, "the end of the labels")
            operands.append(self.label_term())
        return ast.LabelAnd(self.span(first), tuple(operands), colon)

    def starts_label(self) -> bool:
        kind = self.kinds[self.index]
        return kind in NAMES or kind in ("!", "(", "%", "$")

    def label_term(self) -> ast.LabelExpression:
        index = self.index
        kind = self.kinds[index]
        if kind in NAMES:
            self.index = index + 1
            return ast.LabelName(
                (self.starts[index], self.ends[index]), name_value(self.texts[index])
            )
        if kind == "!":
            self.index += 1
            self.enter()
            operand = self.label_term()
            self.depth -= 1
            return ast.LabelNot(self.span(index), operand)
        if kind == "(":
            self.index += 1
            self.enter()
            inner = self.label_expression()
            self.depth -= 1
            self.expect(")")
            return inner
        if kind == "%":
            self.index += 1
            return ast.LabelWildcard(self.span(index))
        if kind == "$":
            return self.dynamic_label()
        raise self.fail("a node label or relationship type, '%' or '('")

    def dynamic_label(self) -> ast.LabelExpression:
        first = self.index
        self.index += 1
        quantifier = "ANY" if self.accept("ANY") else "ALL"
        if quantifier == "ALL":
            self.accept("ALL")
        self.expect("(")
        expression = self.nested()
        self.expect(")")
        return ast.DynamicLabel(self.span(first), quantifier, expression)

"""Operands: literals, variables, calls, brackets, and what can stand behind them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from groundwire.query.cypher import ast
from groundwire.query.cypher.syntax.cursor import Failure
from groundwire.query.cypher.syntax.forms import FormParser
from groundwire.query.cypher.syntax.operators import NORMAL_FORMS
from groundwire.query.cypher.syntax.starts import EXPRESSION_STARTS
from groundwire.query.cypher.tokens import (
    NAMES,
    float_value,
    integer_value,
    name_value,
    string_value,
)

__all__ = ["ExpressionParser"]

_CONSTANTS: Final[dict[str, bool | float | None]] = {
    "TRUE": True,
    "FALSE": False,
    "NULL": None,
    "INF": float("inf"),
    "INFINITY": float("inf"),
    "NAN": float("nan"),
}


class ExpressionParser(FormParser):
    """Reads expressions. Patterns and subqueries are read by the classes built on this one."""

    def operand(self) -> ast.Expression:
        """A sign, or a primary expression with the `.key`, `[index]` and `:Label` behind it."""
        kind = self.kinds[self.index]
        if kind in ("-", "+"):
            return self.signed(kind)
        start = self.starts[self.index]
        primary = _PRIMARIES.get(kind)
        if primary is not None:
            left = primary(self)
        elif kind in NAMES:
            left = self.named()
        else:
            raise Failure(self.index, "an expression")
        if self.kinds[self.index] in (".", "[", ":"):
            return self.postfix(left, start)
        return left

    def signed(self, sign: str) -> ast.Expression:
        first = self.index
        self.index += 1
        if sign == "-" and self.kinds[self.index] in ("INTEGER", "FLOAT"):
            number = self.number(negative=True)
            if self.kinds[self.index] in (".", "[", ":"):
                return self.postfix(number, number.span[0])
            return number
        self.enter()
        operand = self.operand()
        self.depth -= 1
        return ast.Unary(self.span(first), sign, operand)

    def postfix(self, left: ast.Expression, start: int) -> ast.Expression:
        depth = self.depth
        while True:
            kind = self.kinds[self.index]
            if kind == ".":
                self.index += 1
                key = self.name()
                left = ast.Property((start, key.span[1]), left, key)
            elif kind == "[":
                left = self.subscript(left, start)
            elif kind == ":":
                self.index += 1
                labels = self.label_expression(in_expression=True)
                left = ast.LabelTest((start, self.ends[self.index - 1]), left, labels)
            else:
                self.depth = depth
                return left
            self.enter()  # each step makes the tree deeper

    def subscript(self, target: ast.Expression, start: int) -> ast.Expression:
        self.index += 1
        first = None
        if self.kinds[self.index] != "..":
            first = self.nested()
            if self.accept("]"):
                return ast.Index((start, self.ends[self.index - 1]), target, first)
        self.expect("..")
        last = None if self.kinds[self.index] == "]" else self.nested()
        self.expect("]")
        return ast.Slice((start, self.ends[self.index - 1]), target, first, last)

    def nested(self) -> ast.Expression:
        """An expression inside brackets of any kind."""
        self.enter()
        inner = self.expression()
        self.depth -= 1
        return inner

    def string(self) -> ast.Expression:
        index = self.index
        self.index = index + 1
        return ast.Literal((self.starts[index], self.ends[index]), string_value(self.texts[index]))

    def number(self, negative: bool = False) -> ast.Expression:
        index = self.index
        self.index = index + 1
        start = self.starts[index - 1] if negative else self.starts[index]
        return ast.Literal((start, self.ends[index]), self.number_value(index, negative))

    def number_value(self, index: int, negative: bool = False) -> int | float:
        """The value of a number token; a number that Cypher does not have is noted, and 0."""
        token = self.texts[index]
        value: int | float | None
        if self.kinds[index] == "FLOAT":
            value = float_value(token)
            if value == float("inf"):
                self.number_problems.append((index, "The floating point number is too large."))
        else:
            value = integer_value(token)
            if value is not None and value > 2**63 - 1 + negative:
                self.number_problems.append((index, "The integer is too large."))
        if value is None:
            octal = token[0] == "0" and token.isdigit() and "8" not in token and "9" not in token
            self.number_problems.append(
                (
                    index,
                    f"Octal integers are written `0o{token[1:]}`, no longer `{token}`."
                    if octal
                    else f"`{token}` is not a number.",
                )
            )
            value = 0
        return -value if negative else value

    def constant(self) -> ast.Expression:
        index = self.index
        following = self.kinds[index + 1]
        if following == "(":
            return self.named()
        self.index = index + 1
        return ast.Literal((self.starts[index], self.ends[index]), _CONSTANTS[self.kinds[index]])

    def parameter(self) -> ast.Parameter:
        first = self.index
        self.index += 1
        kind = self.kinds[self.index]
        if kind not in NAMES and kind not in ("INTEGER", "STRING"):
            raise self.fail("the name of a parameter")
        text = self.texts[self.index]
        self.index += 1
        return ast.Parameter(self.span(first), name_value(text))

    def map_literal(self) -> ast.MapLiteral:
        first = self.index
        self.index += 1
        entries: list[ast.MapEntry] = []
        if not self.accept("}"):
            self.enter()
            while True:
                entries.append(self.map_entry())
                if not self.accept(","):
                    break
            self.depth -= 1
            if not self.accept("}"):
                raise self.fail("',' or '}'")
        return ast.MapLiteral(self.span(first), tuple(entries))

    def map_entry(self) -> ast.MapEntry:
        key = self.name("a property key")
        self.expect(":")
        value = self.expression()
        return ast.MapEntry((key.span[0], value.span[1]), key, value)

    def bracket(self) -> ast.Expression:
        """What starts with `[`: a list, or a list or pattern comprehension."""
        first = self.index
        kinds = self.kinds
        self.enter()
        following = kinds[first + 1]
        if following in NAMES and kinds[first + 2] == "IN":
            result: ast.Expression | None = self.list_comprehension()
        elif following == "(" or (following in NAMES and kinds[first + 2] == "="):
            result = self.attempt(self.pattern_comprehension)
        else:
            result = None
        if result is None:
            self.index = first + 1
            items: list[ast.Expression] = []
            if not self.accept("]"):
                items = self.expressions()
                if not self.accept("]"):
                    raise self.fail("',' or ']'")
            result = ast.ListLiteral(self.span(first), tuple(items))
        self.depth -= 1
        return result

    def parenthesis(self) -> ast.Expression:
        """What starts with `(`: a pattern, or an expression in brackets."""
        first = self.index
        if self.may_be_pattern(first + 1):
            pattern = self.attempt(self.pattern_expression)
            if pattern is not None:
                return pattern
        self.index = first + 1
        inner = self.nested()
        if not self.accept(")"):
            raise self.fail("')' or an operator")
        return inner

    def may_be_pattern(self, index: int) -> bool:
        """Whether a node pattern may start before this token; spares most brackets the attempt."""
        kinds = self.kinds
        if kinds[index] in NAMES:
            if kinds[index + 1] == ")":
                arrow = index + 2 + (kinds[index + 2] == "<")
                return kinds[arrow] == "-" and kinds[arrow + 1] in ("-", "[")
            return kinds[index + 1] in (":", "{", "IS", "WHERE", "$")
        return kinds[index] in (")", ":", "{", "IS")

    def named(self) -> ast.Expression:
        """A variable, function call or map projection."""
        index = self.index
        kinds = self.kinds
        following = kinds[index + 1]
        if following == "(":
            return self.call(index + 1)
        if following == ".":
            bracket = index + 1
            while kinds[bracket] == "." and kinds[bracket + 1] in NAMES:
                bracket += 2
            if kinds[bracket] == "(":
                return self.call(bracket)
        elif following == "{":
            return self.map_projection()
        self.index = index + 1
        return ast.Variable((self.starts[index], self.ends[index]), name_value(self.texts[index]))

    def call(self, bracket: int) -> ast.Expression:
        """A function call whose opening bracket is the token `bracket`."""
        first = self.index
        name = "".join(map(name_value, self.texts[first:bracket]))
        name_span = (self.starts[first], self.ends[bracket - 1])
        self.index = bracket + 1
        following = self.kinds[bracket + 1]
        if following == "*" and name.lower() == "count" and self.kinds[bracket + 2] == ")":
            self.index += 2
            return ast.FunctionCall(self.span(first), name, name_span, (), star=True)
        if following != ")" and following not in EXPRESSION_STARTS:
            # Neo4j's parser then takes the name for a variable, and stops behind it.
            raise Failure(bracket, "an operator or the end of the expression")
        distinct = False
        second = self.kinds[bracket + 2]
        if following == "DISTINCT" and (second in EXPRESSION_STARTS or second == ")"):
            distinct = True
            self.index += 1
        arguments: tuple[ast.Expression, ...] = ()
        if self.kinds[self.index] != ")":
            self.enter()
            arguments = tuple(self.expressions())
            self.depth -= 1
        if not self.accept(")"):
            raise self.fail("',' or ')'")
        if name.lower() == "normalize" and len(arguments) == 2:
            arguments = (arguments[0], self.normal_form(arguments[1]))
        return ast.FunctionCall(self.span(first), name, name_span, arguments, distinct)

    def normal_form(self, argument: ast.Expression) -> ast.Expression:
        """The NFC of `normalize(x, NFC)` is a keyword, not a variable."""
        if isinstance(argument, ast.Variable) and argument.name.upper() in NORMAL_FORMS:
            return ast.Literal(argument.span, argument.name.upper())
        return argument

    def map_projection(self) -> ast.Expression:
        first = self.index
        variable = self.variable()
        self.expect("{")
        self.enter()
        items: list[ast.PropertySelector | ast.AllProperties | ast.MapEntry | ast.Variable] = []
        if self.kinds[self.index] != "}":
            items.append(self.projection_entry())
            while self.accept(","):
                items.append(self.projection_entry())
        if not self.accept("}"):
            raise self.fail("',' or '}'")
        self.depth -= 1
        return ast.MapProjection(self.span(first), variable, tuple(items))

    def projection_entry(
        self,
    ) -> ast.PropertySelector | ast.AllProperties | ast.MapEntry | ast.Variable:
        first = self.index
        if self.accept("."):
            if self.accept("*"):
                return ast.AllProperties(self.span(first))
            key = self.name()
            return ast.PropertySelector(self.span(first), key)
        if self.kinds[first + 1] == ":":
            return self.map_entry()
        return self.variable("a property selector")


_PRIMARIES: Final[dict[str, Callable[[ExpressionParser], ast.Expression]]] = {
    "STRING": ExpressionParser.string,
    "INTEGER": ExpressionParser.number,
    "FLOAT": ExpressionParser.number,
    "$": ExpressionParser.parameter,
    "(": ExpressionParser.parenthesis,
    "[": ExpressionParser.bracket,
    "{": ExpressionParser.map_literal,
    "CASE": ExpressionParser.case,
    "REDUCE": ExpressionParser.reduce,
    "TRIM": ExpressionParser.trim,
    **dict.fromkeys(_CONSTANTS, ExpressionParser.constant),
    **dict.fromkeys(("EXISTS", "COUNT", "COLLECT"), ExpressionParser.subquery_expression),
    **dict.fromkeys(("ALL", "ANY", "NONE", "SINGLE"), ExpressionParser.list_predicate),
    **dict.fromkeys(("SHORTESTPATH", "ALLSHORTESTPATHS"), ExpressionParser.shortest_path),
}

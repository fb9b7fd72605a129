"""Expressions, by precedence climbing (Neo4j Cypher manual, "Operators", and openCypher)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from groundwire.query.cypher import ast
from groundwire.query.cypher.cursor import Cursor, Failure
from groundwire.query.cypher.tokens import (
    NAMES,
    float_value,
    integer_value,
    name_value,
    string_value,
)

__all__ = ["ExpressionParser"]

_OR, _XOR, _AND, _NOT, _COMPARISON, _PREDICATE, _SUM, _PRODUCT, _POWER = range(1, 10)

_BINDING: Final[dict[str, int]] = {
    "OR": _OR,
    "XOR": _XOR,
    "AND": _AND,
    **dict.fromkeys(("=", "<>", "!=", "<", ">", "<=", ">="), _COMPARISON),
    **dict.fromkeys(("=~", "STARTS", "ENDS", "CONTAINS", "IN", "IS", "::"), _PREDICATE),
    **dict.fromkeys(("+", "-", "||"), _SUM),
    **dict.fromkeys(("*", "/", "%"), _PRODUCT),
    "^": _POWER,
}

_TYPES = """
    ANY ARRAY BOOL BOOLEAN DATE DATETIME DURATION EDGE FLOAT INT INTEGER LIST LOCAL MAP NODE NOTHING
    NULL PATH PATHS POINT PROPERTY RELATIONSHIP SIGNED STRING TIME TIMESTAMP TIMEZONE VALUE VARCHAR
    VERTEX WITH WITHOUT ZONE ZONED FLOAT32 FLOAT64 INT8 INT16 INT32 INT64 INTEGER8 INTEGER16
    INTEGER32 INTEGER64 VECTOR
"""
_TYPE_WORDS: Final = frozenset(_TYPES.split())
_NORMAL_FORMS: Final = frozenset({"NFC", "NFD", "NFKC", "NFKD"})
_CONSTANTS: Final[dict[str, bool | float | None]] = {
    "TRUE": True,
    "FALSE": False,
    "NULL": None,
    "INF": float("inf"),
    "INFINITY": float("inf"),
    "NAN": float("nan"),
}
_NO_ARGUMENT: Final = frozenset({"*", "EOF", ",", "|", "]", "}", ":", "..", "=", "<>", "/", "%"})


class ExpressionParser(Cursor):
    """Reads expressions. Patterns and subqueries are read by the classes built on this one."""

    # Supplied by PatternParser and ClauseParser.
    def label_expression(self, in_expression: bool = False) -> ast.LabelExpression:
        raise NotImplementedError

    def path_pattern(self, in_expression: bool = False) -> ast.PathPattern:
        raise NotImplementedError

    def subquery_body(self) -> ast.RegularQuery:
        raise NotImplementedError

    def expression(self, minimum: int = _OR) -> ast.Expression:
        """An expression whose operators all bind at least as tightly as `minimum`."""
        start = self.starts[self.index]
        if self.kinds[self.index] == "NOT" and minimum <= _NOT:
            first = self.index
            self.index += 1
            self.enter()
            operand = self.expression(_NOT)
            self.depth -= 1
            left: ast.Expression = ast.Unary(self.span(first), "NOT", operand)
        else:
            left = self.operand()
        if self.kinds[self.index] in _BINDING:
            return self.operations(left, minimum, start)
        return left

    def operations(self, left: ast.Expression, minimum: int, start: int) -> ast.Expression:
        """The operators that follow a first operand, whose text begins at `start`."""
        kinds = self.kinds
        ceiling = _POWER
        while True:
            kind = kinds[self.index]
            power = _BINDING.get(kind, 0)
            if power < minimum or power > ceiling:
                return left
            if power <= _AND:
                left = self.logical(left, kind, power, start)
            elif power == _COMPARISON:
                left = self.comparison(left, start)
            elif power == _PREDICATE:
                left = self.predicate(left, kind, start)
                ceiling = _COMPARISON  # `a IN b IN c` is no Cypher
            else:
                index = self.index
                self.index = index + 1
                right = self.expression(power + 1)
                operator_span = (self.starts[index], self.ends[index])
                span = (start, self.ends[self.index - 1])
                left = ast.Binary(span, kind, operator_span, left, right)

    def logical(self, left: ast.Expression, kind: str, power: int, start: int) -> ast.Expression:
        operands = [left]
        while self.kinds[self.index] == kind:
            self.index += 1
            operands.append(self.expression(power + 1))
        return ast.Logical((start, self.ends[self.index - 1]), kind, tuple(operands))

    def comparison(self, left: ast.Expression, start: int) -> ast.Expression:
        index = self.index
        operator = self.kinds[index]
        self.index = index + 1
        right = self.expression(_PREDICATE)
        if _BINDING.get(self.kinds[self.index]) != _COMPARISON:
            span = (start, self.ends[self.index - 1])
            operator_span = (self.starts[index], self.ends[index])
            return ast.Binary(span, operator, operator_span, left, right)
        operators, operands = [operator], [left, right]
        while _BINDING.get(self.kinds[self.index]) == _COMPARISON:
            operators.append(self.kinds[self.index])
            self.index += 1
            operands.append(self.expression(_PREDICATE))
        span = (start, self.ends[self.index - 1])
        return ast.ComparisonChain(span, tuple(operators), tuple(operands))

    def predicate(self, left: ast.Expression, kind: str, start: int) -> ast.Expression:
        """`IN`, `STARTS WITH`, `=~`, `IS NULL` and the others that cannot follow each other."""
        first = self.index
        self.index += 1
        if kind == "IS":
            return self.is_predicate(left, start)
        if kind == "::":
            return self.is_typed(left, False, start)
        if kind in ("STARTS", "ENDS"):
            self.expect("WITH")
            kind += " WITH"
        operator_span = self.span(first)
        right = self.expression(_SUM)
        return ast.Binary((start, self.ends[self.index - 1]), kind, operator_span, left, right)

    def is_predicate(self, left: ast.Expression, start: int) -> ast.Expression:
        negated = self.accept("NOT")
        kind = self.kinds[self.index]
        if kind == "NULL":
            self.index += 1
            return ast.IsNull((start, self.ends[self.index - 1]), left, negated)
        if kind in ("::", "TYPED"):
            self.index += 1
            return self.is_typed(left, negated, start)
        if kind == "NORMALIZED" or kind in _NORMAL_FORMS:
            form = "NFC"
            if kind in _NORMAL_FORMS:
                form = kind
                self.index += 1
            self.expect("NORMALIZED")
            span = (start, self.ends[self.index - 1])
            return ast.IsNormalized(span, left, form, negated)
        if negated:
            raise self.fail("'::', 'NORMALIZED', 'NULL' or 'TYPED'")
        labels = self.label_expression(in_expression=True)
        return ast.LabelTest((start, self.ends[self.index - 1]), left, labels)

    def is_typed(self, left: ast.Expression, negated: bool, start: int) -> ast.Expression:
        first = self.index
        self.type_name()
        type_name = " ".join(self.texts[first : self.index])
        return ast.IsTyped((start, self.ends[self.index - 1]), left, type_name, negated)

    def type_name(self) -> None:
        """`LIST<INTEGER NOT NULL> | STRING`."""
        if self.texts[self.index].upper() not in _TYPE_WORDS:
            raise self.fail("a type")
        while self.texts[self.index].upper() in _TYPE_WORDS:
            self.index += 1
        if self.accept("<"):
            self.enter()
            self.type_name()
            self.depth -= 1
            self.expect(">")
        if self.kinds[self.index] == "NOT" and self.kinds[self.index + 1] == "NULL":
            self.index += 2
        else:
            self.accept("!")
        while self.kinds[self.index] in ("ARRAY", "|"):
            if self.accept("|"):
                self.type_name()

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

    # ------------------------------------------------------------- primaries

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
        first = self.index
        where = self.expression()
        if self.kinds[self.index] != "|":
            self.index, self.bar_ends_labels = first, True
            where = self.expression()
            self.bar_ends_labels = False
        return where

    def attempt(self, read: Callable[[], ast.Expression]) -> ast.Expression | None:
        """What `read` reads; None, and nothing read, where it fails."""
        first, depth, numbers = self.index, self.depth, len(self.number_problems)
        try:
            return read()
        except Failure as failure:
            self.remember(failure)
            if self.too_deep:
                raise
            self.index, self.depth = first, depth
            del self.number_problems[numbers:]
            return None

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

    def pattern_expression(self) -> ast.Expression:
        pattern = self.path_pattern(in_expression=True)
        return ast.PatternExpression(pattern.span, pattern)

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
        power = _BINDING.get(self.kinds[self.index], 0)
        if subject is not None and power in (_COMPARISON, _PREDICATE):
            return self.operations(subject, _COMPARISON, self.starts[self.index])
        return self.expression()

    # -------------------------------------------- what starts with a name

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
        if following in _NO_ARGUMENT:
            # Neo4j's parser then takes the name for a variable, and stops behind it.
            raise Failure(bracket, "an operator or the end of the expression")
        distinct = False
        if following == "DISTINCT" and self.kinds[bracket + 2] not in (")", ","):
            distinct = True
            self.index += 1
        arguments: tuple[ast.Expression, ...] = ()
        if self.kinds[self.index] != ")":
            self.enter()
            arguments = tuple(self.expressions())
            self.depth -= 1
        if not self.accept(")"):
            raise self.fail("',' or ')'")
        return ast.FunctionCall(self.span(first), name, name_span, arguments, distinct)

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
        if not (kinds[first + 1] == "(" and kinds[first + 2] in NAMES and kinds[first + 3] == "="):
            return self.named()
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
        """`trim(BOTH 'x' FROM y)`; the plain `trim(y)` is an ordinary call."""
        first = self.index
        if self.kinds[first + 1] != "(":
            return self.named()
        return self.attempt(self.trim_from) or self.named()

    def trim_from(self) -> ast.Expression:
        first = self.index
        self.index += 2
        arguments: list[ast.Expression] = []
        explicit = self.kinds[self.index] in ("BOTH", "LEADING", "TRAILING")
        self.index += explicit
        if self.kinds[self.index] != "FROM":
            arguments.append(self.nested())
        elif not explicit:
            raise self.fail("an expression")
        self.expect("FROM")
        arguments.append(self.nested())
        self.expect(")")
        name_span = self.token_span(first)
        return ast.FunctionCall(self.span(first), self.texts[first], name_span, tuple(arguments))

    def shortest_path(self) -> ast.Expression:
        kinds = self.kinds
        if kinds[self.index + 1] == "(" and kinds[self.index + 2] in ("(", ")"):
            return self.pattern_expression()
        return self.named()


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

"""Operators, by precedence climbing (Neo4j Cypher manual, "Operators", and openCypher)."""

from __future__ import annotations

from typing import Final

from groundwire.query.cypher import ast
from groundwire.query.cypher.syntax.cursor import Cursor
from groundwire.query.cypher.syntax.starts import CLAUSE_STARTS, EXPRESSION_STARTS
from groundwire.query.cypher.tokens import NAMES

__all__ = ["BINDING", "COMPARISON", "NORMAL_FORMS", "PREDICATE", "OperatorParser"]

_OR, _XOR, _AND, _NOT, COMPARISON, PREDICATE, _SUM, _PRODUCT, _POWER = range(1, 10)

BINDING: Final[dict[str, int]] = {
    "OR": _OR,
    "XOR": _XOR,
    "AND": _AND,
    **dict.fromkeys(("=", "<>", "!=", "<", ">", "<=", ">="), COMPARISON),
    **dict.fromkeys(("=~", "STARTS", "ENDS", "CONTAINS", "IN", "IS", "::"), PREDICATE),
    **dict.fromkeys(("+", "-", "||"), _SUM),
    **dict.fromkeys(("*", "/", "%"), _PRODUCT),
    "^": _POWER,
}
"""How tightly each operator binds; the words that start one of two words are here too."""

_TYPES = """
    ANY ARRAY BOOL BOOLEAN DATE DATETIME DURATION EDGE FLOAT INT INTEGER LIST LOCAL MAP NODE NOTHING
    NULL PATH PATHS POINT PROPERTY RELATIONSHIP SIGNED STRING TIME TIMESTAMP TIMEZONE VALUE VARCHAR
    VERTEX WITH WITHOUT ZONE ZONED FLOAT32 FLOAT64 INT8 INT16 INT32 INT64 INTEGER8 INTEGER16
    INTEGER32 INTEGER64 VECTOR
"""
_TYPE_WORDS: Final = frozenset(_TYPES.split())
NORMAL_FORMS: Final = frozenset({"NFC", "NFD", "NFKC", "NFKD"})


class OperatorParser(Cursor):
    """Reads operators; the operands are read by the classes built on this one."""

    def operand(self) -> ast.Expression:
        """What stands between operators."""
        raise NotImplementedError

    def label_expression(self, in_expression: bool = False) -> ast.LabelExpression:
        """`A|B&!C`, behind the colon."""
        raise NotImplementedError

    def expression(self, minimum: int = _OR) -> ast.Expression:
        """An expression whose operators all bind at least as tightly as `minimum`."""
        start = self.starts[self.index]
        if (
            self.kinds[self.index] == "NOT"
            and minimum <= _NOT
            and not self.must_be_name(self.index)
        ):
            first = self.index
            self.index += 1
            self.enter()
            operand = self.expression(_NOT)
            self.depth -= 1
            left: ast.Expression = ast.Unary(self.span(first), "NOT", operand)
        else:
            left = self.operand()
        if self.kinds[self.index] in BINDING:
            return self.operations(left, minimum, start)
        return left

    def must_be_name(self, index: int) -> bool:
        """Whether NOT or DISTINCT is a variable here, since no expression follows it.

        No word is reserved: `WITH DISTINCT RETURN x` returns after a variable of that name.
        """
        following, second = self.kinds[index + 1], self.kinds[index + 2]
        if following not in EXPRESSION_STARTS:
            return True
        is_name = second in NAMES and second not in CLAUSE_STARTS
        if following in CLAUSE_STARTS or following == "WHERE":
            return is_name and second not in BINDING and second != "AS"
        return is_name and following in ("OR", "AND", "XOR", "AS")

    def operations(self, left: ast.Expression, minimum: int, start: int) -> ast.Expression:
        """The operators that follow a first operand, whose text begins at `start`."""
        kinds = self.kinds
        ceiling = _POWER
        while True:
            kind = kinds[self.index]
            power = BINDING.get(kind, 0)
            if power < minimum or power > ceiling:
                return left
            if power <= _AND:
                left = self.logical(left, kind, power, start)
            elif power == COMPARISON:
                left = self.comparison(left, start)
            elif power == PREDICATE:
                left = self.predicate(left, kind, start)
                ceiling = COMPARISON  # `a IN b IN c` is no Cypher
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
        right = self.expression(PREDICATE)
        if BINDING.get(self.kinds[self.index]) != COMPARISON:
            span = (start, self.ends[self.index - 1])
            operator_span = (self.starts[index], self.ends[index])
            return ast.Binary(span, operator, operator_span, left, right)
        operators, operands = [operator], [left, right]
        while BINDING.get(self.kinds[self.index]) == COMPARISON:
            operators.append(self.kinds[self.index])
            self.index += 1
            operands.append(self.expression(PREDICATE))
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
        if kind == "NORMALIZED" or kind in NORMAL_FORMS:
            form = "NFC"
            if kind in NORMAL_FORMS:
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

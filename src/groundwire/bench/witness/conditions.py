"""What a query asks of a property, and whether a value meets it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from itertools import islice, product
from typing import Any, Final, TypeAlias

from groundwire.query.cypher import Query, Symbol, ast
from groundwire.query.cypher.semantics.functions import is_aggregate

__all__ = ["Alternative", "Condition", "alternatives", "constant", "holds"]

MOST = 12
"""Alternatives of one WHERE that are followed at most."""

NEGATED: Final = {
    "=": "<>",
    "<>": "=",
    "<": ">=",
    ">=": "<",
    ">": "<=",
    "<=": ">",
    "IS NULL": "IS NOT NULL",
    "IS NOT NULL": "IS NULL",
}
TURNED: Final = {"=": "=", "<>": "<>", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
FOLDS: Final = frozenset({"tolower", "toupper", "lower", "upper"})
PARTS: Final = frozenset({"year", "month", "day"})


@dataclass(frozen=True, slots=True)
class Condition:
    """A comparison of a property with a constant.

    Args:
        owner: the variable's name.
        entity: what tells apart two variables of one name; None = it is told by name only.
        key: of the property; "" = the number of matches that an aggregate counts.
        part: "year", "month", "day" of a date, "size" of a list or text, "folded" for a text in
            small letters, else "".
        operator: as in the text; `HAS` for a constant that is in a list property; a leading
            `NOT ` where it must not hold.
    """

    owner: str
    entity: object
    key: str
    part: str
    operator: str
    value: Any

    @property
    def negated(self) -> Condition:
        """The condition that must not hold."""
        operator = NEGATED.get(self.operator) or (
            self.operator.removeprefix("NOT ")
            if self.operator.startswith("NOT ")
            else f"NOT {self.operator}"
        )
        return replace(self, operator=operator)

    @property
    def missing(self) -> Condition:
        """The condition that the property has no value."""
        return replace(self, part="", operator="IS NULL", value=None)


Alternative: TypeAlias = tuple[Condition, ...]
"""Conditions that hold together."""


def holds(value: Any, condition: Condition) -> bool:
    """Whether a stored value meets a condition; a missing one meets IS NULL alone."""
    operator = condition.operator
    if operator == "IS NULL":
        return value is None
    if value is None:
        return False
    if operator == "IS NOT NULL":
        return True
    if operator.startswith("NOT "):
        plain = operator.removeprefix("NOT ")
        return not holds(value, Condition("", None, "", condition.part, plain, condition.value))
    try:
        return TESTS[operator](*_sides(value, condition))
    except (TypeError, AttributeError, KeyError):
        return False


def _sides(value: Any, condition: Condition) -> tuple[Any, Any]:
    wanted = condition.value
    if condition.part in PARTS:
        value = getattr(value, condition.part)
    elif condition.part == "size":
        value = len(value)
    elif condition.part == "folded":
        value, wanted = value.lower(), wanted.lower()
    return value, wanted


TESTS: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "=": lambda value, wanted: value == wanted,
    "<>": lambda value, wanted: value != wanted,
    "<": lambda value, wanted: value < wanted,
    "<=": lambda value, wanted: value <= wanted,
    ">": lambda value, wanted: value > wanted,
    ">=": lambda value, wanted: value >= wanted,
    "IN": lambda value, wanted: value in wanted,
    "HAS": lambda value, wanted: wanted in value,
    "CONTAINS": lambda value, wanted: wanted in value,
    "STARTS WITH": lambda value, wanted: value.startswith(wanted),
    "ENDS WITH": lambda value, wanted: value.endswith(wanted),
}


def alternatives(
    query: Query, expression: ast.Expression, positive: bool = True
) -> list[Alternative]:
    """The ways to make a predicate true (or false); what cannot be read asks for nothing."""
    match expression:
        case ast.Unary(operator="NOT"):
            return alternatives(query, expression.operand, not positive)
        case ast.Logical(operator="AND" | "OR"):
            parts = [alternatives(query, operand, positive) for operand in expression.operands]
            if (expression.operator == "AND") == positive:
                return [sum(choice, ()) for choice in islice(product(*parts), MOST)]
            return [way for part in parts for way in part][:MOST]
        case ast.ComparisonChain():
            steps = zip(
                expression.operands, expression.operators, expression.operands[1:], strict=False
            )
            found = [_compared(query, left, operator, right) for left, operator, right in steps]
        case ast.Binary():
            found = [_compared(query, expression.left, expression.operator, expression.right)]
        case ast.IsNull():
            word = "IS NOT NULL" if expression.negated else "IS NULL"
            found = [_about(query, expression.operand, word, None)]
        case _:
            return [()]
    known = [condition for condition in found if condition is not None]
    return [tuple(known if positive else (condition.negated for condition in known))]


def _compared(
    query: Query, left: ast.Expression, operator: str, right: ast.Expression
) -> Condition | None:
    value = constant(right)
    if value is not None:
        return _about(query, left, operator, value)
    value = constant(left)
    if value is None:
        return None
    return _about(query, right, "HAS" if operator == "IN" else TURNED.get(operator, ""), value)


def constant(node: ast.Expression) -> Any:
    """The value of an expression that is one: a literal, a date, a list of them; else None."""
    match node:
        case ast.Literal():
            return node.value
        case ast.Unary(operator="-", operand=ast.Literal(value=int() | float() as number)):
            return -number
        case ast.ListLiteral():
            items = [constant(item) for item in node.items]
            return None if None in items else tuple(items)
        case ast.FunctionCall(arguments=(ast.Expression() as argument,)):
            value = constant(argument)
            if node.name.lower() == "date" and isinstance(value, str):
                return _date(value)
            return value if node.name.lower() in FOLDS else None
        case _:
            return None


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _about(query: Query, node: ast.Expression, operator: str, value: Any) -> Condition | None:
    """The condition on the property that an expression is made from."""
    if operator not in TESTS and operator not in NEGATED:
        return None
    part = ""
    for _ in range(10):
        match node:
            case ast.Property(target=ast.Variable() as target):
                symbol = query.symbol(target)
                entity = symbol.entity if symbol else None
                return Condition(target.name, entity, node.key.value, part, operator, value)
            case ast.Property(target=ast.Property() as inner) if node.key.value in PARTS:
                node, part = inner, node.key.value
            case ast.FunctionCall(arguments=(ast.Expression() as argument,)):
                name = node.name.lower()
                if is_aggregate(name):
                    return Condition("", None, "", "", operator, value)
                if name not in FOLDS | {"size"}:
                    return None
                node, part = argument, "size" if name == "size" else "folded"
            case ast.Variable():
                origin = _origin(query.symbol(node))
                if origin is None:
                    return None
                node = origin
            case _:
                return None
    return None


def _origin(symbol: Symbol | None) -> ast.Expression | None:
    return symbol.origin if symbol is not None else None

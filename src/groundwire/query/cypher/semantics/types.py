"""What kind of value an expression can have, as far as the text alone tells.

A type is a set of kinds, as in Neo4j's own semantic check: a property can be any storable value,
`1 + $x` a number, text or list. A use is a mistake only where the two sets have nothing in common.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from groundwire.query.cypher import ast

if TYPE_CHECKING:
    from groundwire.query.cypher.semantics.scope import Entity

BOOLEAN, INTEGER, FLOAT, STRING, NODE, RELATIONSHIP, PATH, MAP, POINT = (1 << i for i in range(9))
DURATION, DATE, TIME, LOCAL_TIME, LOCAL_DATETIME, DATETIME, LIST, NUMBER = (
    1 << i for i in range(9, 17)
)

NUMERIC: Final = INTEGER | FLOAT
TEMPORAL: Final = DATE | TIME | LOCAL_TIME | LOCAL_DATETIME | DATETIME
FROM_TEMPORAL: Final = TEMPORAL | DURATION
STORABLE: Final = BOOLEAN | NUMERIC | STRING | POINT | DURATION | TEMPORAL
ALL: Final = (1 << 17) - 1
HAS_PROPERTIES: Final = MAP | NODE | RELATIONSHIP | POINT | DURATION | TEMPORAL

_KINDS = """
    Boolean Integer Float String Node Relationship Path Map Point Duration Date Time LocalTime
    LocalDateTime DateTime List Number
"""
_NAMES: Final = _KINDS.split()


class Type(NamedTuple):
    """A set of kinds; `element` says what a list holds (None: anything).

    `entity` is the node or relationship that the value is, or that the list holds, if known.
    """

    kinds: int
    element: Type | None = None
    entity: Entity | None = None

    def __str__(self) -> str:
        return describe(self.kinds)


def describe(kinds: int) -> str:
    """`Float, Integer or String`."""
    names = sorted(name for i, name in enumerate(_NAMES) if kinds & (1 << i))
    if len(names) == len(_NAMES):
        return "Any"
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))


ANY: Final = Type(ALL)
BOOLEAN_TYPE: Final = Type(BOOLEAN)
INTEGER_TYPE: Final = Type(INTEGER)
FLOAT_TYPE: Final = Type(FLOAT)
STRING_TYPE: Final = Type(STRING)
MAP_TYPE: Final = Type(MAP)
PATH_TYPE: Final = Type(PATH)
NUMBER_TYPE: Final = Type(NUMERIC)
PROPERTY_TYPE: Final = Type(STORABLE | LIST, Type(STORABLE))
PATHS_TYPE: Final = Type(LIST, PATH_TYPE)


@dataclass(frozen=True, slots=True)
class Mismatch:
    """An operand that an operator cannot take."""

    operand: ast.Expression
    expected: int
    actual: Type


def list_of(element: Type) -> Type:
    """The type of a list."""
    return Type(LIST, element, element.entity)


def union(types: list[Type]) -> Type:
    """Either of several types."""
    if not types:
        return ANY
    first = types[0]
    if all(other == first for other in types):
        return first
    kinds = 0
    elements: list[Type] = []
    for each in types:
        kinds |= each.kinds
        if each.kinds & LIST:
            elements.append(each.element or ANY)
    return Type(kinds, union(elements) if elements else None)


def element_of(container: Type) -> Type:
    """What UNWIND, an index or a comprehension takes out of a value."""
    if container.kinds == LIST:
        return container.element or ANY
    if container.kinds & LIST:
        element = container.element or ANY
        return Type(element.kinds | (container.kinds & ~LIST), element.element)
    return container


def literal_type(value: str | int | float | bool | None) -> Type:
    """The type of a literal."""
    if value is None:
        return ANY
    if value is True or value is False:
        return BOOLEAN_TYPE
    if isinstance(value, str):
        return STRING_TYPE
    return INTEGER_TYPE if isinstance(value, int) else FLOAT_TYPE


def position(expression: ast.Expression, text: str) -> int:
    """Where Neo4j says that an expression is: at its operator, if that stands in the middle."""
    if isinstance(expression, ast.Binary):
        return expression.operator_span[0]
    if isinstance(expression, ast.Logical):
        return _last_operator(expression, text)
    if isinstance(expression, ast.ComparisonChain):
        return _behind(expression.operands[0], text, expression.operators[0])
    if isinstance(expression, ast.IsNull | ast.IsTyped | ast.IsNormalized):
        return _behind(expression.operand, text, "")
    if isinstance(expression, ast.Index):
        return expression.index.span[0]
    if isinstance(expression, ast.Slice):
        return _behind(expression.target, text, "[")
    if isinstance(expression, ast.MapProjection):
        return _behind(expression.variable, text, "{")
    return expression.span[0]


def _behind(operand: ast.Node, text: str, sign: str) -> int:
    index = operand.span[1]
    if sign:
        return max(text.find(sign, index), index)
    while text[index : index + 1] in (" ", "\n", "\t", "\r", ")"):
        index += 1
    return index


def _last_operator(expression: ast.Logical, text: str) -> int:
    before, after = expression.operands[-2:]
    between = text[before.span[1] : after.span[0]].upper()
    return before.span[1] + max(between.rfind(expression.operator), 0)


# What the right operand of `+`, `-`, ... may be, for each kind of the left one, and what comes out
# (openCypher "Operators"; the pairs are those of Neo4j 5's semantic check).
_SUM: Final = {
    INTEGER: (NUMERIC | STRING | LIST, {INTEGER: INTEGER, FLOAT: FLOAT, STRING: STRING}),
    FLOAT: (NUMERIC | STRING | LIST, {INTEGER: FLOAT, FLOAT: FLOAT, STRING: STRING}),
    STRING: (
        NUMERIC | STRING | LIST | BOOLEAN | TEMPORAL | DURATION | POINT,
        {INTEGER: STRING, FLOAT: STRING, STRING: STRING},
    ),
    DURATION: (DURATION | TEMPORAL | LIST, {DURATION: DURATION}),
    **{kind: (DURATION | LIST, {DURATION: kind}) for kind in (DATE, TIME, DATETIME)},
    LOCAL_TIME: (DURATION | LIST, {DURATION: LOCAL_TIME}),
    LOCAL_DATETIME: (DURATION | LIST, {DURATION: LOCAL_DATETIME}),
    **{kind: (LIST, {}) for kind in (BOOLEAN, NODE, RELATIONSHIP, PATH, MAP, POINT, NUMBER)},
}
_DIFFERENCE: Final = {
    INTEGER: (NUMERIC, {INTEGER: INTEGER, FLOAT: FLOAT}),
    FLOAT: (NUMERIC, {INTEGER: FLOAT, FLOAT: FLOAT}),
    DURATION: (DURATION, {DURATION: DURATION}),
    **{kind: (DURATION, {DURATION: kind}) for kind in (DATE, TIME, DATETIME)},
    LOCAL_TIME: (DURATION, {DURATION: LOCAL_TIME}),
    LOCAL_DATETIME: (DURATION, {DURATION: LOCAL_DATETIME}),
}
_PRODUCT: Final = {
    INTEGER: (NUMERIC | DURATION, {INTEGER: INTEGER, FLOAT: FLOAT, DURATION: DURATION}),
    FLOAT: (NUMERIC | DURATION, {INTEGER: FLOAT, FLOAT: FLOAT, DURATION: DURATION}),
    DURATION: (NUMERIC, {INTEGER: DURATION, FLOAT: DURATION}),
}
_QUOTIENT: Final = {
    INTEGER: (NUMERIC, {INTEGER: INTEGER, FLOAT: FLOAT}),
    FLOAT: (NUMERIC, {INTEGER: FLOAT, FLOAT: FLOAT}),
    DURATION: (NUMERIC, {INTEGER: DURATION, FLOAT: DURATION}),
}
_REMAINDER: Final = {
    INTEGER: (NUMERIC, {INTEGER: INTEGER, FLOAT: FLOAT}),
    FLOAT: (NUMERIC, {INTEGER: FLOAT, FLOAT: FLOAT}),
}
_POWER: Final = {kind: (NUMERIC, {INTEGER: FLOAT, FLOAT: FLOAT}) for kind in (INTEGER, FLOAT)}
_JOIN: Final = {STRING: (STRING, {STRING: STRING}), LIST: (LIST, {LIST: LIST})}
_ARITHMETIC: Final[dict[str, dict[int, tuple[int, dict[int, int]]]]] = {
    "+": _SUM,
    "-": _DIFFERENCE,
    "*": _PRODUCT,
    "/": _QUOTIENT,
    "%": _REMAINDER,
    "^": _POWER,
    "||": _JOIN,
}


def arithmetic(
    operator: str, node: ast.Binary, left: Type, right: Type
) -> tuple[Type, Mismatch | None]:
    """The type of `left operator right`, and the operand that does not fit, if one does not."""
    table = _ARITHMETIC[operator]
    if operator in ("+", "||") and (left.kinds | right.kinds) & LIST:
        return _joined(operator, node, left, right)
    allowed, result = 0, 0
    for kind, (others, outcome) in table.items():
        if left.kinds & kind:
            allowed |= others
            for other, value in outcome.items():
                if right.kinds & other:
                    result |= value
    if not allowed:
        expected = 0
        for kind in table:
            expected |= kind
        return ANY, Mismatch(node.left, expected, left)
    if not right.kinds & allowed:
        return ANY, Mismatch(node.right, allowed, right)
    return (Type(result) if result else ANY), None


def _joined(
    operator: str, node: ast.Binary, left: Type, right: Type
) -> tuple[Type, Mismatch | None]:
    """`+` where a list may be one of the operands: it takes the other in, or joins two lists."""
    if operator == "||":
        for operand, each in ((node.left, left), (node.right, right)):
            if not each.kinds & (LIST | STRING):
                return ANY, Mismatch(operand, LIST | STRING, each)
        if left.kinds == LIST and right.kinds & LIST == 0:
            return ANY, Mismatch(node.right, LIST, right)
        if left.kinds == STRING and right.kinds & STRING == 0:
            return ANY, Mismatch(node.right, STRING, right)
    if left.kinds == LIST or right.kinds == LIST:
        parts = [(each.element or ANY) if each.kinds == LIST else each for each in (left, right)]
        # Neo4j knows the elements of the sum only where both sides have the same.
        return (list_of(parts[0]) if parts[0] == parts[1] else Type(LIST)), None
    scalar, _ = arithmetic(operator, node, _scalar(left), _scalar(right))
    return (ANY if scalar is ANY else Type(scalar.kinds | LIST)), None


def _scalar(each: Type) -> Type:
    return Type(each.kinds & ~LIST)

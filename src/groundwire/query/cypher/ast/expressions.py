"""Expressions: everything that has a value (Neo4j Cypher manual, "Expressions")."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from groundwire.query.cypher.ast.base import Name, Node, Span

if TYPE_CHECKING:
    from groundwire.query.cypher.ast.clauses import RegularQuery
    from groundwire.query.cypher.ast.labels import LabelExpression
    from groundwire.query.cypher.ast.patterns import PathPattern

__all__ = [
    "AllProperties",
    "Binary",
    "Case",
    "ComparisonChain",
    "Expression",
    "FunctionCall",
    "Index",
    "IsNormalized",
    "IsNull",
    "IsTyped",
    "LabelTest",
    "ListComprehension",
    "ListLiteral",
    "ListPredicate",
    "Literal",
    "Logical",
    "MapEntry",
    "MapLiteral",
    "MapProjection",
    "Parameter",
    "PatternComprehension",
    "PatternExpression",
    "Property",
    "PropertySelector",
    "Reduce",
    "Slice",
    "SubqueryExpression",
    "Unary",
    "Variable",
    "When",
]


@dataclass(frozen=True, slots=True)
class Expression(Node):
    """Anything that has a value."""


@dataclass(frozen=True, slots=True)
class Variable(Expression):
    """A variable, where it is bound or used; `name` is without back-ticks."""

    name: str


@dataclass(frozen=True, slots=True)
class Literal(Expression):
    """A string, number, boolean or null; `value` is the Python value."""

    value: str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Parameter(Expression):
    """`$name`."""

    name: str


@dataclass(frozen=True, slots=True)
class ListLiteral(Expression):
    """`[a, b]`."""

    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class MapEntry(Node):
    """`key: value` of a map literal or a map projection."""

    key: Name
    value: Expression


@dataclass(frozen=True, slots=True)
class MapLiteral(Expression):
    """`{key: value, ...}`."""

    entries: tuple[MapEntry, ...]


@dataclass(frozen=True, slots=True)
class Property(Expression):
    """`target.key`."""

    target: Expression
    key: Name


@dataclass(frozen=True, slots=True)
class Index(Expression):
    """`target[index]`."""

    target: Expression
    index: Expression


@dataclass(frozen=True, slots=True)
class Slice(Expression):
    """`target[start..stop]`."""

    target: Expression
    start: Expression | None
    stop: Expression | None


@dataclass(frozen=True, slots=True)
class Unary(Expression):
    """`NOT`, `+` or `-` before an operand."""

    operator: str
    operand: Expression


@dataclass(frozen=True, slots=True)
class Binary(Expression):
    """Two operands of an operator, comparisons among them; the operator is in capitals.

    `STARTS WITH` and `ENDS WITH` have one space, whatever the text has.
    """

    operator: str
    operator_span: Span
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Logical(Expression):
    """`AND`, `OR` or `XOR` of two or more operands, flat: `a OR b OR c` is one node."""

    operator: str
    operands: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class ComparisonChain(Expression):
    """`a < b <= c`: every operator holds between its two neighbours."""

    operators: tuple[str, ...]
    operands: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class IsNull(Expression):
    """`operand IS NULL`, or `IS NOT NULL` when negated."""

    operand: Expression
    negated: bool


@dataclass(frozen=True, slots=True)
class IsTyped(Expression):
    """`operand IS :: TYPE`; `type_name` is the type's text."""

    operand: Expression
    type_name: str
    negated: bool


@dataclass(frozen=True, slots=True)
class IsNormalized(Expression):
    """`operand IS NFC NORMALIZED`."""

    operand: Expression
    form: str
    negated: bool


@dataclass(frozen=True, slots=True)
class LabelTest(Expression):
    """`operand:Label`, true or false."""

    operand: Expression
    labels: LabelExpression


@dataclass(frozen=True, slots=True)
class When(Node):
    """`WHEN test THEN result`; a simple CASE can have several tests."""

    tests: tuple[Expression, ...]
    result: Expression


@dataclass(frozen=True, slots=True)
class Case(Expression):
    """`CASE subject WHEN ... ELSE default END`."""

    subject: Expression | None
    branches: tuple[When, ...]
    default: Expression | None


@dataclass(frozen=True, slots=True)
class FunctionCall(Expression):
    """`name(arguments)`; `name` is as written, namespace included (`apoc.text.join`).

    `star` is `count(*)`. `name_span` covers the whole dotted name.
    """

    name: str
    name_span: Span
    arguments: tuple[Expression, ...]
    distinct: bool = False
    star: bool = False


@dataclass(frozen=True, slots=True)
class ListComprehension(Expression):
    """`[variable IN source WHERE where | result]`."""

    variable: Variable
    source: Expression
    where: Expression | None
    result: Expression | None


@dataclass(frozen=True, slots=True)
class PatternComprehension(Expression):
    """`[path = pattern WHERE where | result]`."""

    pattern: PathPattern
    where: Expression | None
    result: Expression


@dataclass(frozen=True, slots=True)
class ListPredicate(Expression):
    """`all|any|none|single(variable IN source WHERE where)`; `kind` is in small letters."""

    kind: str
    variable: Variable
    source: Expression
    where: Expression | None


@dataclass(frozen=True, slots=True)
class Reduce(Expression):
    """`reduce(accumulator = initial, variable IN source | step)`."""

    accumulator: Variable
    initial: Expression
    variable: Variable
    source: Expression
    step: Expression


@dataclass(frozen=True, slots=True)
class PropertySelector(Node):
    """`.key` of a map projection."""

    key: Name


@dataclass(frozen=True, slots=True)
class AllProperties(Node):
    """`.*` of a map projection."""


@dataclass(frozen=True, slots=True)
class MapProjection(Expression):
    """`variable {.key, .*, key: value, other}`."""

    variable: Variable
    items: tuple[PropertySelector | AllProperties | MapEntry | Variable, ...]


@dataclass(frozen=True, slots=True)
class PatternExpression(Expression):
    """A pattern used as a value, `(n)-->()` or `shortestPath(...)`."""

    pattern: PathPattern


@dataclass(frozen=True, slots=True)
class SubqueryExpression(Expression):
    """`EXISTS { ... }`, `COUNT { ... }` or `COLLECT { ... }`; a bare pattern is a `Match` in it."""

    kind: str
    query: RegularQuery

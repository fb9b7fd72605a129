"""The syntax tree of Cypher: immutable nodes, each with its place in the original text.

The names follow the Neo4j Cypher manual and openCypher. `span` is `(start, end)` in characters of
the text that was parsed, so `text[start:end]` is what was written and an edit needs nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import TypeAlias

Span: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Node:
    """A part of a query. `span` holds the start and the end of its text."""

    span: Span


@dataclass(frozen=True, slots=True)
class Name(Node):
    """A property key, map key or the like; `value` is without back-ticks."""

    value: str


# ---------------------------------------------------------------- expressions


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


# ---------------------------------------------------------- label expressions


@dataclass(frozen=True, slots=True)
class LabelExpression(Node):
    """What stands behind the colon of a node (labels) or of a relationship (types)."""


@dataclass(frozen=True, slots=True)
class LabelName(LabelExpression):
    """One label or relationship type; `name` is without back-ticks."""

    name: str


@dataclass(frozen=True, slots=True)
class LabelWildcard(LabelExpression):
    """`%`, any label."""


@dataclass(frozen=True, slots=True)
class DynamicLabel(LabelExpression):
    """`$(expression)`, `$all(...)` or `$any(...)`; `quantifier` is `ALL` or `ANY`."""

    quantifier: str
    expression: Expression


@dataclass(frozen=True, slots=True)
class LabelNot(LabelExpression):
    """`!operand`."""

    operand: LabelExpression


@dataclass(frozen=True, slots=True)
class LabelAnd(LabelExpression):
    """`A&B`, or `A:B` where `colon` is true."""

    operands: tuple[LabelExpression, ...]
    colon: bool


@dataclass(frozen=True, slots=True)
class LabelOr(LabelExpression):
    """`A|B`; `bars` are the spans of the separators (`|` or `|:`)."""

    operands: tuple[LabelExpression, ...]
    bars: tuple[Span, ...]


# -------------------------------------------------------------------- patterns


@dataclass(frozen=True, slots=True)
class Length(Node):
    """`*`, `*2`, `*1..3` of a variable-length relationship; None is an open end."""

    minimum: int | None
    maximum: int | None


@dataclass(frozen=True, slots=True)
class Quantifier(Node):
    """`{1,3}`, `+` or `*` of a quantified path; `maximum` None is an open end."""

    minimum: int
    maximum: int | None


@dataclass(frozen=True, slots=True)
class NodePattern(Node):
    """`(variable:Label {key: value} WHERE where)`."""

    variable: Variable | None
    labels: LabelExpression | None
    properties: MapLiteral | Parameter | None
    where: Expression | None


@dataclass(frozen=True, slots=True)
class RelationshipPattern(Node):
    """`<-[variable:TYPE*1..2 {key: value} WHERE where]->`, from the first dash or head to the last.

    `left_head` and `right_head` are the spans of `<` and `>`, None where there is no head: taking
    one away, or putting one in at `span[0]` or `span[1]`, turns the arrow.
    """

    left_head: Span | None
    right_head: Span | None
    variable: Variable | None
    types: LabelExpression | None
    length: Length | None
    properties: MapLiteral | Parameter | None
    where: Expression | None
    quantifier: Quantifier | None

    @property
    def direction(self) -> str:
        """`left`, `right`, or `both` (no arrow head, or two)."""
        if (self.left_head is None) == (self.right_head is None):
            return "both"
        return "left" if self.right_head is None else "right"


@dataclass(frozen=True, slots=True)
class ParenthesizedPath(Node):
    """`((a)-->(b) WHERE where){1,3}`."""

    path: PathPattern
    where: Expression | None
    quantifier: Quantifier | None


@dataclass(frozen=True, slots=True)
class PathPattern(Node):
    """`variable = selector elements`, one path of a pattern.

    `selector` is the text of `ANY SHORTEST`, `SHORTEST 2 GROUPS` and the like; `function` is
    `shortestPath` or `allShortestPaths`.
    """

    variable: Variable | None
    selector: str | None
    function: str | None
    elements: tuple[NodePattern | RelationshipPattern | ParenthesizedPath, ...]


# --------------------------------------------------------------------- clauses


@dataclass(frozen=True, slots=True)
class Clause(Node):
    """One clause of a query."""


@dataclass(frozen=True, slots=True)
class Hint(Node):
    """`USING INDEX n:Label(key)`, `USING SCAN n:Label`, `USING JOIN ON n`."""

    variables: tuple[Variable, ...]


@dataclass(frozen=True, slots=True)
class Match(Clause):
    """`OPTIONAL MATCH mode patterns hints WHERE where`."""

    optional: bool
    mode: str | None
    patterns: tuple[PathPattern, ...]
    hints: tuple[Hint, ...]
    where: Expression | None


@dataclass(frozen=True, slots=True)
class ProjectionItem(Node):
    """`expression AS alias`."""

    expression: Expression
    alias: Variable | None


@dataclass(frozen=True, slots=True)
class SortItem(Node):
    """`expression DESC`."""

    expression: Expression
    descending: bool


@dataclass(frozen=True, slots=True)
class Projection(Clause):
    """What `WITH` and `RETURN` have in common."""

    distinct: bool
    star: bool
    items: tuple[ProjectionItem, ...]
    order_by: tuple[SortItem, ...]
    skip: Expression | None
    limit: Expression | None


@dataclass(frozen=True, slots=True)
class Return(Projection):
    """`RETURN items ORDER BY ... SKIP ... LIMIT ...`."""


@dataclass(frozen=True, slots=True)
class With(Projection):
    """`WITH items ORDER BY ... SKIP ... LIMIT ... WHERE where`."""

    where: Expression | None


@dataclass(frozen=True, slots=True)
class OrderBy(Clause):
    """`ORDER BY`, `SKIP` or `LIMIT` as a clause of its own."""

    order_by: tuple[SortItem, ...]
    skip: Expression | None
    limit: Expression | None


@dataclass(frozen=True, slots=True)
class Filter(Clause):
    """`FILTER where`, of Cypher 25."""

    where: Expression


@dataclass(frozen=True, slots=True)
class Let(Clause):
    """`LET variable = expression, ...`, of Cypher 25."""

    items: tuple[ProjectionItem, ...]


@dataclass(frozen=True, slots=True)
class Unwind(Clause):
    """`UNWIND source AS variable`."""

    source: Expression
    variable: Variable


@dataclass(frozen=True, slots=True)
class YieldItem(Node):
    """`name AS alias` of a procedure call."""

    name: Name
    alias: Variable | None

    @property
    def variable(self) -> Variable:
        """The variable that the item binds."""
        return self.alias or Variable(self.name.span, self.name.value)


@dataclass(frozen=True, slots=True)
class CallProcedure(Clause):
    """`CALL name(arguments) YIELD items WHERE where`; no brackets: `arguments` is None."""

    optional: bool
    name: str
    name_span: Span
    arguments: tuple[Expression, ...] | None
    yields: tuple[YieldItem, ...] | None
    yield_star: bool
    where: Expression | None


@dataclass(frozen=True, slots=True)
class CallSubquery(Clause):
    """`CALL (imports) { query } IN TRANSACTIONS`.

    `imports` is None without brackets; `import_star` is `CALL (*)`.
    """

    optional: bool
    imports: tuple[Variable, ...] | None
    import_star: bool
    query: RegularQuery
    in_transactions: bool
    report: Variable | None


@dataclass(frozen=True, slots=True)
class Create(Clause):
    """`CREATE patterns`, or `INSERT`."""

    patterns: tuple[PathPattern, ...]


@dataclass(frozen=True, slots=True)
class SetItem(Node):
    """`target = value`, `target += value`, or `target:Label` (then `operator` is `:`)."""

    target: Expression
    operator: str
    value: Expression | None
    labels: LabelExpression | None


@dataclass(frozen=True, slots=True)
class Set(Clause):
    """`SET items`."""

    items: tuple[SetItem, ...]


@dataclass(frozen=True, slots=True)
class Merge(Clause):
    """`MERGE pattern ON CREATE SET ... ON MATCH SET ...`."""

    pattern: PathPattern
    actions: tuple[Set, ...]


@dataclass(frozen=True, slots=True)
class Delete(Clause):
    """`DETACH DELETE expressions`."""

    detach: bool
    expressions: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Remove(Clause):
    """`REMOVE n.key, n:Label`; an item with a label is a `LabelTest`."""

    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Foreach(Clause):
    """`FOREACH (variable IN source | clauses)`."""

    variable: Variable
    source: Expression
    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class LoadCsv(Clause):
    """`LOAD CSV WITH HEADERS FROM source AS variable`."""

    headers: bool
    source: Expression
    variable: Variable
    terminator: Expression | None


@dataclass(frozen=True, slots=True)
class Use(Clause):
    """`USE graph`; the graph is a dotted name or a function such as `graph.byName('x')`."""

    graph: Expression


@dataclass(frozen=True, slots=True)
class Finish(Clause):
    """`FINISH`."""


@dataclass(frozen=True, slots=True)
class Command(Clause):
    """A schema, administration, SHOW or TERMINATE command: named by its first words, not parsed."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Broken(Clause):
    """A clause with a syntax error; `parts` are the patterns and expressions that could be read."""

    keyword: str
    parts: tuple[Node, ...]


# ------------------------------------------------------------------ statements


@dataclass(frozen=True, slots=True)
class SingleQuery(Node):
    """Clauses in order."""

    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class RegularQuery(Node):
    """The branches of a UNION, or one branch. `union_all[i]` joins branches i and i + 1."""

    branches: tuple[SingleQuery, ...]
    union_all: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Statement(Node):
    """One statement; `prefix` has the words `EXPLAIN`, `PROFILE` or `CYPHER ...` before it."""

    prefix: tuple[str, ...]
    query: RegularQuery


# --------------------------------------------------------------------- walking

_FIELDS: dict[type[Node], tuple[str, ...]] = {}


def _field_names(node: Node) -> tuple[str, ...]:
    names = _FIELDS.get(type(node))
    if names is None:
        names = _FIELDS[type(node)] = tuple(field.name for field in fields(node))[1:]
    return names


def children(node: Node) -> Iterator[Node]:
    """The nodes directly below a node, in the order of their fields."""
    for name in _field_names(node):
        value = getattr(node, name)
        if isinstance(value, Node):
            yield value
        elif type(value) is tuple:
            for item in value:
                if isinstance(item, Node):
                    yield item


def walk(node: Node) -> Iterator[Node]:
    """The node and everything below it, parents first, in the order of the text.

    Keeps its own stack: a deep tree costs no Python recursion.
    """
    stack = [node]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(tuple(children(node))))


def label_names(labels: LabelExpression | None) -> tuple[LabelName, ...]:
    """Every label or type that a label expression names, negated ones too."""
    if labels is None:
        return ()
    return tuple(node for node in walk(labels) if isinstance(node, LabelName))


def shape(node: Node) -> tuple[object, ...]:
    """What a node says, without the places: equal for expressions that mean the same.

    White space, back-ticks and the case of function names make no difference.
    """
    parts: list[object] = [type(node)]
    for name in _field_names(node):
        value = getattr(node, name)
        if isinstance(value, Node):
            parts.append(shape(value))
        elif name == "name" and isinstance(node, FunctionCall):
            parts.append(node.name.lower())
        elif type(value) is tuple:
            if not name.endswith("span") and name != "bars":
                parts.append(
                    tuple(shape(item) if isinstance(item, Node) else item for item in value)
                )
        else:
            parts.append((type(value), value))
    return tuple(parts)

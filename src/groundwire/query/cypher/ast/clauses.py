"""Clauses, queries and statements (Neo4j Cypher manual, "Clauses")."""

from __future__ import annotations

from dataclasses import dataclass

from groundwire.query.cypher.ast.base import Name, Node, Span
from groundwire.query.cypher.ast.expressions import Expression, Variable
from groundwire.query.cypher.ast.labels import LabelExpression
from groundwire.query.cypher.ast.patterns import PathPattern

__all__ = [
    "Broken",
    "CallProcedure",
    "CallSubquery",
    "Clause",
    "Command",
    "Create",
    "Delete",
    "Filter",
    "Finish",
    "Foreach",
    "Hint",
    "Let",
    "LoadCsv",
    "Match",
    "Merge",
    "OrderBy",
    "Projection",
    "ProjectionItem",
    "RegularQuery",
    "Remove",
    "Return",
    "Set",
    "SetItem",
    "SingleQuery",
    "SortItem",
    "Statement",
    "Unwind",
    "Use",
    "With",
    "YieldItem",
]


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


@dataclass(frozen=True, slots=True)
class SingleQuery(Node):
    """Clauses in order."""

    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class RegularQuery(Node):
    """The branches of a UNION, or one branch.

    Branches i and i + 1 are joined by the word at `union_spans[i]`, UNION ALL if `union_all[i]`.
    """

    branches: tuple[SingleQuery, ...]
    union_all: tuple[bool, ...]
    union_spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Statement(Node):
    """One statement; `prefix` has the words `EXPLAIN`, `PROFILE` or `CYPHER ...` before it."""

    prefix: tuple[str, ...]
    query: RegularQuery

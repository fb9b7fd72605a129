"""What a query is made of, counted, so that two queries can be told apart part by part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from groundwire.bench.case import Language
from groundwire.bench.report.turns import Turns, names_of, turns

if TYPE_CHECKING:
    from sqlglot import exp

    from groundwire.query.cypher import ast

__all__ = ["Features", "features"]

COMPARED = ("=", "<>", "<", ">", "<=", ">=", "=~", "STARTS WITH", "ENDS WITH", "CONTAINS", "IN")


@dataclass(slots=True)
class Features:
    """Counts of parts.

    `sources` are tables or labels, `steps` joins or types of relationships, `turns` on which
    sides of a type a label stands (a label whose node is returned apart from one whose is not),
    `outer` optional steps, `constants` literals, `operators` comparisons,
    `tested` columns or properties compared, `aggregates` their names (`count distinct` apart),
    `grouping` the number of keys grouped by, `width` the columns returned. `order` holds the
    directions sorted by, `limit` the limits.
    """

    sources: Counter[str] = field(default_factory=Counter)
    steps: Counter[str] = field(default_factory=Counter)
    turns: Turns = field(default_factory=dict)
    outer: int = 0
    constants: Counter[str] = field(default_factory=Counter)
    operators: Counter[str] = field(default_factory=Counter)
    tested: Counter[str] = field(default_factory=Counter)
    aggregates: Counter[str] = field(default_factory=Counter)
    grouping: int = 0
    width: int = 0
    distinct: int = 0
    order: Counter[str] = field(default_factory=Counter)
    limit: Counter[str] = field(default_factory=Counter)


def features(query: str, language: Language, dialect: str = "") -> Features | None:
    """The parts of a query; None where it cannot be read."""
    return _of_cypher(query) if language == "cypher" else _of_sql(query, dialect)


def _of_sql(text: str, dialect: str) -> Features | None:
    from sqlglot import exp

    from groundwire.query.sql import parse

    parsed = parse(text, dialect)
    if not parsed.ok or len(parsed.statements) != 1:
        return None
    found, root = Features(), parsed.statements[0]
    for node in root.walk():
        _add_sql(found, node)
    if isinstance(root, exp.Query):
        found.width = len(root.selects)
    return found


def _add_sql(found: Features, node: exp.Expr) -> None:
    from sqlglot import exp

    if isinstance(node, exp.Table):
        found.sources[node.name.lower()] += 1
    elif isinstance(node, exp.Join):
        found.steps["join"] += 1
        found.outer += bool(node.side)
    elif isinstance(node, exp.Literal) and not isinstance(node.parent, exp.Limit | exp.Fetch):
        found.constants[node.this] += 1
    elif isinstance(node, exp.AggFunc):
        is_distinct = isinstance(node.this, exp.Distinct)
        found.aggregates[node.key + (" distinct" if is_distinct else "")] += 1
    elif isinstance(node, exp.Group):
        found.grouping += len(node.expressions)
    elif isinstance(node, exp.Select):
        found.distinct += node.args.get("distinct") is not None
    elif isinstance(node, exp.Ordered):
        found.order["desc" if node.args.get("desc") else "asc"] += 1
    elif isinstance(node, exp.Limit):
        found.limit[node.expression.sql()] += 1
    if isinstance(node, exp.Predicate) and not _is_join_condition(node):
        found.operators[node.key] += 1
        found.tested.update(column.name.lower() for column in _columns(node))


def _columns(node: exp.Expr) -> Iterator[exp.Column]:
    from sqlglot import exp

    return (child for child in node.iter_expressions() if isinstance(child, exp.Column))


def _is_join_condition(node: exp.Expr) -> bool:
    """Column against column: it joins, wherever it stands."""
    return sum(1 for _ in _columns(node)) > 1


def _of_cypher(text: str) -> Features | None:
    from groundwire.query.cypher import ast, parse

    parsed = parse(text)
    if not parsed.ok or len(parsed.statements) != 1:
        return None
    found = Features()
    nodes = list(ast.walk(parsed.statements[0]))
    for node in nodes:
        _add_cypher(found, node)
    returned: set[str] = set()
    last = parsed.statements[0].query.branches[0].clauses[-1]
    if isinstance(last, ast.Return):
        found.width = len(last.items)
        returned = {node.name for node in ast.walk(last) if isinstance(node, ast.Variable)}
    found.turns = turns(nodes, returned)
    return found


def _add_cypher(found: Features, node: ast.Node) -> None:
    from groundwire.query.cypher import ast

    if isinstance(node, ast.NodePattern):
        found.sources.update(names_of(node.labels))
        _add_map(found, node.properties)
    elif isinstance(node, ast.RelationshipPattern):
        found.steps.update(names_of(node.types) or ["(any)"])
        _add_map(found, node.properties)
    elif isinstance(node, ast.Match):
        found.outer += node.optional
    elif isinstance(node, ast.Literal):
        found.constants[str(node.value)] += 1
    elif isinstance(node, ast.FunctionCall):
        _add_call(found, node)
    elif isinstance(node, ast.Binary) and node.operator in COMPARED:
        found.operators[node.operator] += 1
        sides = (node.left, node.right)
        found.tested.update(side.key.value for side in sides if isinstance(side, ast.Property))
    elif isinstance(node, ast.Projection):
        found.distinct += node.distinct
        found.order.update("desc" if item.descending else "asc" for item in node.order_by)
        if isinstance(node.limit, ast.Literal):
            found.limit[str(node.limit.value)] += 1


def _add_map(found: Features, properties: ast.Node | None) -> None:
    from groundwire.query.cypher import ast

    if isinstance(properties, ast.MapLiteral):
        for entry in properties.entries:
            found.operators["="] += 1
            found.tested[entry.key.value] += 1


def _add_call(found: Features, call: ast.FunctionCall) -> None:
    name = call.name.lower()
    if name in ("count", "sum", "avg", "min", "max", "collect"):
        found.aggregates[name + (" distinct" if call.distinct else "")] += 1

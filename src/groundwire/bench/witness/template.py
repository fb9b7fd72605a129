"""What a query looks for: nodes, relationships between them, and conditions on both."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice, product

from groundwire.bench.witness.conditions import (
    MOST,
    TURNED,
    Alternative,
    Condition,
    alternatives,
    constant,
)
from groundwire.query.cypher import Query, ast

__all__ = ["Comparison", "Hop", "Key", "Template", "templates"]

Key = object
"""Tells the nodes and relationships of a template apart."""


@dataclass(frozen=True, slots=True)
class Hop:
    """A relationship of a template; `types` and labels may be left open."""

    key: Key
    types: tuple[str, ...]
    start: Key
    end: Key
    directed: bool = True
    length: int = 1
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two properties that a query compares: (node, key), operator, (node, key)."""

    left: tuple[Key, str]
    operator: str
    right: tuple[Key, str]


@dataclass
class Template:
    """One way to an answer: everything in it is there at once.

    `nodes` has the labels of each node, () = any; `names` the variables by their key; `ways` are
    the sets of conditions of which one has to hold; `absent` are relationships that its nodes must
    not have; `reads` are the properties that the query
    looks at, and `comparisons` those that it compares with each other.
    """

    nodes: dict[Key, tuple[str, ...]] = field(default_factory=dict)
    hops: list[Hop] = field(default_factory=list)
    names: dict[str, Key] = field(default_factory=dict)
    ways: list[Alternative] = field(default_factory=lambda: [()])
    absent: list[Hop] = field(default_factory=list)
    reads: tuple[tuple[Key, str], ...] = ()
    comparisons: tuple[Comparison, ...] = ()

    def joined(self, other: Template) -> Template:
        """Both at once; a variable of one name is one node."""
        return Template(
            {**self.nodes, **other.nodes},
            [*self.hops, *other.hops],
            {**self.names, **other.names},
            _both(self.ways, other.ways),
            [*self.absent, *other.absent],
        )

    def key_of(self, condition: Condition) -> Key | None:
        """The node or relationship that a condition is about."""
        return self.key(condition.entity, condition.owner)

    def key(self, entity: object, name: str) -> Key | None:
        """The node or relationship of an entity, or else of a variable's name."""
        known = {hop.key for hop in self.hops} | self.nodes.keys()
        for found in (entity, self.names.get(name)):
            if found in known:
                return found
        return None


def templates(query: Query) -> list[Template]:
    """The templates of a query, one for each combination of the branches of its UNIONs."""
    found: list[Template] = []
    for statement in query.statements:
        for branch in statement.query.branches:
            found += _Reader(query).branch(branch)
    for template in found:
        _look(query, template)
    return [template for template in found if template.nodes]


def _look(query: Query, template: Template) -> None:
    """Note what the query does with properties beside its conditions."""

    def place(node: ast.Node) -> tuple[Key, str] | None:
        if not (isinstance(node, ast.Property) and isinstance(node.target, ast.Variable)):
            return None
        symbol = query.symbol(node.target)
        key = template.key(symbol.entity if symbol else None, node.target.name)
        return (key, node.key.value) if key in template.nodes else None

    reads = (place(node) for node in query.find(ast.Property))
    template.reads = tuple(dict.fromkeys(read for read in reads if read is not None))
    template.comparisons = tuple(
        Comparison(left, node.operator, right)
        for node in query.find(ast.Binary)
        if node.operator in TURNED
        and (left := place(node.left)) is not None
        and (right := place(node.right)) is not None
        and left[0] != right[0]
    )


class _Reader:
    def __init__(self, query: Query) -> None:
        self.query = query

    def branch(self, single: ast.SingleQuery) -> list[Template]:
        found = [Template()]
        for clause in single.clauses:
            if isinstance(clause, ast.CallSubquery):
                inner = [t for branch in clause.query.branches for t in self.branch(branch)]
                found = [a.joined(b) for a, b in islice(product(found, inner), MOST)] or found
            elif isinstance(clause, ast.Match):
                added = self.match(clause)
                found = [template.joined(added) for template in found]
            elif isinstance(clause, ast.With) and clause.where is not None:
                added = self.where(clause.where)
                found = [template.joined(added) for template in found]
        return found

    def match(self, clause: ast.Match) -> Template:
        template = Template()
        for path in clause.patterns:
            self.path(path, template, clause.optional)
        if clause.where is None:
            return template
        return template.joined(self.where(clause.where))

    def where(self, where: ast.Expression) -> Template:
        """The conditions, and the patterns that must be there for them to hold."""
        template = Template(ways=alternatives(self.query, where))
        for part in where.operands if isinstance(where, ast.Logical) else (where,):
            if isinstance(part, ast.Unary) and part.operator == "NOT":
                template.absent += self.pattern(part.operand).hops
            else:
                template = template.joined(self.pattern(part))
        return template

    def pattern(self, part: ast.Expression) -> Template:
        """The pattern that a predicate looks for, if it looks for one."""
        template = Template()
        if isinstance(part, ast.PatternExpression):
            self.path(part.pattern, template, False)
        elif isinstance(part, ast.SubqueryExpression) and part.kind != "COLLECT":
            for inner in self.branch(part.query.branches[0])[:1]:
                template = template.joined(inner)
        return template

    def path(self, path: ast.PathPattern, template: Template, optional: bool) -> None:
        for left, step, right in _steps(path):
            start, end = self.node(left, template), self.node(right, template)
            if step is None:
                continue
            if step.direction == "left":
                start, end = end, start
            key = self.key(step, template)
            types = tuple(label.name for label in ast.label_names(step.types))
            length = max(1, step.length.minimum or 1) if step.length else 1
            directed = step.direction != "both"
            template.hops.append(Hop(key, types, start, end, directed, length, optional))
            self.properties(step, key, template)

    def node(self, pattern: ast.NodePattern, template: Template) -> Key:
        key = self.key(pattern, template)
        if key not in template.nodes:
            labels = dict.fromkeys(
                label.name
                for labels in self.query.labels_of(pattern)
                for label in ast.label_names(labels)
            )
            template.nodes[key] = tuple(labels)
            self.properties(pattern, key, template)
        elif isinstance(pattern.properties, ast.MapLiteral):
            self.properties(pattern, key, template)
        return key

    def key(self, pattern: ast.NodePattern | ast.RelationshipPattern, template: Template) -> Key:
        variable = pattern.variable
        symbol = self.query.symbol(variable) if variable else None
        key: Key = symbol.entity if symbol and symbol.entity else pattern
        if isinstance(key, ast.Node):  # equal patterns at two places are two
            key = (type(pattern), pattern.span)
        if variable is not None:
            template.names[variable.name] = key
        return key

    def properties(
        self,
        pattern: ast.NodePattern | ast.RelationshipPattern,
        key: Key,
        template: Template,
    ) -> None:
        found: list[Condition] = []
        if isinstance(pattern.properties, ast.MapLiteral):
            for entry in pattern.properties.entries:
                value = constant(entry.value)
                if value is not None:
                    found.append(Condition("", key, entry.key.value, "", "=", value))
        added: list[Alternative] = [tuple(found)]
        if pattern.where is not None:
            added = _both(added, alternatives(self.query, pattern.where))
        template.ways = _both(template.ways, added)


def _steps(
    path: ast.PathPattern,
) -> Iterator[tuple[ast.NodePattern, ast.RelationshipPattern | None, ast.NodePattern]]:
    elements = path.elements
    if len(elements) == 1 and isinstance(elements[0], ast.NodePattern):
        yield elements[0], None, elements[0]
    for left, step, right in zip(elements, elements[1:], elements[2:], strict=False):
        if (
            isinstance(left, ast.NodePattern)
            and isinstance(step, ast.RelationshipPattern)
            and isinstance(right, ast.NodePattern)
        ):
            yield left, step, right


def _both(left: list[Alternative], right: list[Alternative]) -> list[Alternative]:
    """Every way of one with every way of the other, without doubles."""
    joined = (tuple(dict.fromkeys((*a, *b))) for a, b in product(left, right))
    return list(islice(joined, MOST))

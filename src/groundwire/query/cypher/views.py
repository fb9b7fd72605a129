"""What a guard asks of a tree: literals compared with properties, groupings, writing clauses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from groundwire.query.cypher import ast
from groundwire.query.cypher.semantics.functions import is_aggregate
from groundwire.query.cypher.semantics.scope import Symbol

__all__ = ["Grouping", "PropertyLiteral", "grouping", "is_writing", "property_literals"]

_COMPARISONS: Final = frozenset(
    {"=", "<>", "<", ">", "<=", ">=", "IN", "CONTAINS", "STARTS WITH", "ENDS WITH", "=~"}
)
_FOLDS: Final = frozenset({"tolower", "toupper", "lower", "upper"})
_WRITES: Final = (
    ast.Create,
    ast.Merge,
    ast.Set,
    ast.Remove,
    ast.Delete,
    ast.Foreach,
    ast.LoadCsv,
    ast.Command,
)


@dataclass(frozen=True, slots=True)
class PropertyLiteral:
    """A literal that a query compares with a property.

    `span` is the whole comparison or map entry. `owner` is the symbol of the variable, None where
    the pattern has none; `element` is the pattern, for a literal in a pattern's property map.
    `operator` is as in the text, `=` for a map; each element of `IN [...]` comes on its own.
    `literal_first`: the literal stands left, `'x' IN n.names`. `folded`: the comparison does not
    mind upper and lower case (`toLower(n.name) = ...`).
    """

    span: ast.Span
    owner: Symbol | None
    element: ast.NodePattern | ast.RelationshipPattern | None
    key: ast.Name
    operator: str
    literal: ast.Literal
    literal_first: bool
    folded: bool


def property_literals(root: ast.Node, symbols: dict[int, Symbol]) -> Iterator[PropertyLiteral]:
    """Every comparison of a property with a literal, in the order of the text."""
    for node in ast.walk(root):
        if isinstance(node, ast.Binary):
            if node.operator in _COMPARISONS:
                yield from _compared(node, symbols)
        elif isinstance(node, ast.NodePattern | ast.RelationshipPattern) and isinstance(
            node.properties, ast.MapLiteral
        ):
            owner = None if node.variable is None else symbols.get(node.variable.span[0])
            for entry in node.properties.entries:
                if isinstance(entry.value, ast.Literal):
                    yield PropertyLiteral(
                        entry.span, owner, node, entry.key, "=", entry.value, False, False
                    )


def _compared(node: ast.Binary, symbols: dict[int, Symbol]) -> Iterator[PropertyLiteral]:
    for first, second, literal_first in (
        (node.left, node.right, False),
        (node.right, node.left, True),
    ):
        first, folded = _unfold(first)
        property_ = _property(first, symbols)
        if property_ is None or not isinstance(property_.target, ast.Variable):
            continue
        owner = symbols.get(property_.target.span[0])
        values = second.items if isinstance(second, ast.ListLiteral) else (second,)
        for value in values:
            value, folded_too = _unfold(value)
            if isinstance(value, ast.Literal):
                yield PropertyLiteral(
                    node.span,
                    owner,
                    None,
                    property_.key,
                    node.operator,
                    value,
                    literal_first,
                    folded or folded_too,
                )
        return


def _unfold(node: ast.Expression) -> tuple[ast.Expression, bool]:
    """What stands inside of `toLower(...)`, and whether it did."""
    if (
        isinstance(node, ast.FunctionCall)
        and node.name.lower() in _FOLDS
        and len(node.arguments) == 1
    ):
        return node.arguments[0], True
    return node, False


def _property(node: ast.Expression, symbols: dict[int, Symbol]) -> ast.Property | None:
    """The property that an expression is, be it through a name of a WITH."""
    for _ in range(10):
        if isinstance(node, ast.Property):
            return node
        symbol = symbols.get(node.span[0]) if isinstance(node, ast.Variable) else None
        if symbol is None or symbol.origin is None:
            return None
        node = symbol.origin
    return None


@dataclass(frozen=True, slots=True)
class Grouping:
    """The columns of a WITH or RETURN: those that group, and the aggregates in the others.

    Without an aggregate nothing groups, and `keys` has every column.
    """

    keys: tuple[ast.ProjectionItem, ...]
    aggregates: tuple[ast.FunctionCall, ...]


def grouping(projection: ast.Projection) -> Grouping:
    """What a WITH or RETURN groups by, and what it aggregates."""
    keys: list[ast.ProjectionItem] = []
    aggregates: list[ast.FunctionCall] = []
    for item in projection.items:
        found = [call for call in _calls(item.expression) if is_aggregate(call.name)]
        aggregates += found
        if not found:
            keys.append(item)
    return Grouping(tuple(keys), tuple(aggregates))


def _calls(root: ast.Expression) -> Iterator[ast.FunctionCall]:
    """The function calls of an expression, those of subqueries left out."""
    stack: list[ast.Node] = [root]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.FunctionCall):
            yield node
        if not isinstance(node, ast.SubqueryExpression):
            stack.extend(reversed(tuple(ast.children(node))))


def is_writing(clause: ast.Clause) -> bool:
    """Whether a clause changes data, schema or server, reads files, or commits on its own."""
    return isinstance(clause, _WRITES) or (
        isinstance(clause, ast.CallSubquery) and clause.in_transactions
    )

"""AGG4: a quotient of two integers, whose fraction is lost."""

from __future__ import annotations

from collections.abc import Iterator

from groundwire.guard.context import CypherContext
from groundwire.guard.findings import Evidence, Finding
from groundwire.guard.owners import known_names, property_of
from groundwire.guard.wording import asks_for_share
from groundwire.query.cypher import ast, grouping
from groundwire.query.edits import Edit

__all__ = ["integer_division"]

_INTEGER = frozenset({"count", "size", "length", "tointeger", "id"})
_AS_ITS_ARGUMENT = frozenset({"sum", "min", "max", "abs"})
_CUTS = frozenset({"tointeger", "floor", "ceil"})


def integer_division(context: CypherContext) -> list[Finding]:
    """`count(a) / count(b)` becomes `toFloat(count(a)) / count(b)`, as integers divide to integers.

    A repair needs a quotient of two counted or stored numbers, or a question for a share or an
    average; a division by a plain number may put into groups (`released / 10`) and is doubted.
    """
    findings = []
    for division in _divisions(context):
        share = context.question is not None and asks_for_share(context.question)
        plain = isinstance(division.right, ast.Literal)
        sure = share or (context.question is None and not plain)
        findings.append(_finding(context, division, sure))
    return findings


def _divisions(context: CypherContext) -> Iterator[ast.Binary]:
    """Divisions of integers in columns and orders whose quotient is itself a value."""
    for projection in context.query.find(ast.Projection):
        grouped = bool(grouping(projection).aggregates) or projection.distinct
        for part in (*projection.items, *projection.order_by):
            meant = {id(node) for node in _cut_on_purpose(part)}
            for node in ast.walk(part):
                if not isinstance(node, ast.Binary) or node.operator != "/" or id(node) in meant:
                    continue
                integers = all(_is_integer(context, side) for side in (node.left, node.right))
                if integers and not _is_bucket(node, grouped) and not _is_half_of_pairs(node):
                    yield node


def _cut_on_purpose(root: ast.Node) -> Iterator[ast.Node]:
    """What stands in `toInteger(…)`, in `n / 10 * 10`, in `%` or as a place in a list."""
    for node in ast.walk(root):
        inside: tuple[ast.Node, ...] = ()
        if isinstance(node, ast.FunctionCall) and node.name.lower() in _CUTS:
            inside = node.arguments
        elif isinstance(node, ast.Binary) and isinstance(node.left, ast.Binary):
            inside = (node.left,) if _is_step(node, node.left) else ()
        elif isinstance(node, ast.Index):
            inside = (node.index,)
        elif isinstance(node, ast.Slice):
            inside = tuple(part for part in (node.start, node.stop) if part is not None)
        elif isinstance(node, ast.SubqueryExpression):
            inside = (node,)
        for part in inside:
            yield from ast.walk(part)


def _is_step(outer: ast.Binary, division: ast.Binary) -> bool:
    """`n / 10 * 10`, down to the step below, or `n / 10 % 10`, a digit."""
    if division.operator != "/" or not isinstance(outer.right, ast.Literal):
        return False
    again = isinstance(division.right, ast.Literal) and division.right.value == outer.right.value
    return outer.operator == "%" or (outer.operator == "*" and again)


def _is_bucket(division: ast.Binary, grouped: bool) -> bool:
    """`m.released / 10` beside an aggregate puts into groups."""
    holds = any(isinstance(node, ast.FunctionCall) for node in ast.walk(division.left))
    return grouped and isinstance(division.right, ast.Literal) and not holds


def _is_half_of_pairs(division: ast.Binary) -> bool:
    """`count(*) / 2`: each pair was met twice."""
    left, right = division.left, division.right
    counted = isinstance(left, ast.FunctionCall) and left.name.lower() == "count"
    return counted and isinstance(right, ast.Literal) and right.value == 2


def _is_integer(context: CypherContext, node: ast.Expression) -> bool:
    """Its value is an integer, whatever the row."""
    if isinstance(node, ast.Literal):
        return type(node.value) is int
    if isinstance(node, ast.Binary):
        operands = (node.left, node.right)
        return node.operator in "+-*/%" and all(_is_integer(context, part) for part in operands)
    if isinstance(node, ast.Unary):
        return node.operator != "NOT" and _is_integer(context, node.operand)
    if isinstance(node, ast.SubqueryExpression):
        return node.kind.upper() == "COUNT"
    if isinstance(node, ast.FunctionCall):
        name = node.name.lower()
        if name in _AS_ITS_ARGUMENT and len(node.arguments) == 1:
            return _is_integer(context, node.arguments[0])
        return name in _INTEGER
    if isinstance(node, ast.Variable):
        symbol = context.query.symbol(node)
        origin = symbol.origin if symbol is not None else None
        return origin is not None and origin is not node and _is_integer(context, origin)
    return isinstance(node, ast.Property) and _holds_integers(context, node)


def _holds_integers(context: CypherContext, node: ast.Property) -> bool:
    symbol = context.query.symbol(node.target) if isinstance(node.target, ast.Variable) else None
    if symbol is None or symbol.kind not in ("node", "relationship"):
        return False
    names = known_names(symbol, context.catalog)
    stored = [property_of(context.catalog, symbol.kind, name, node.key.value) for name in names]
    types = {kind for item in stored if item is not None for kind in item.types}
    return types == {"INTEGER"}


def _finding(context: CypherContext, division: ast.Binary, sure: bool) -> Finding:
    text = context.query.text[division.span[0] : division.span[1]]
    start, end = division.left.span
    return Finding(
        code="AGG4",
        check="integer_division",
        severity="fault" if sure else "doubt",
        span=division.span,
        message=f"{text} divides two integers, so that its fraction is lost"
        + ("; it is divided as decimals." if sure else "."),
        evidence=(Evidence("Both sides are integers, and Cypher divides those to an integer."),),
        edits=(Edit(start, start, "toFloat("), Edit(end, end, ")")) if sure else (),
        action="repaired" if sure else "reported",
    )

"""AGG4: a share of two integers, whose fraction is lost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from groundwire.counted import counted
from groundwire.guard.context import SqlContext
from groundwire.guard.findings import Finding
from groundwire.guard.origins import origin
from groundwire.guard.selects import Select, Stored, selects
from groundwire.guard.wording import asks_for_share, names_a_share
from groundwire.query.edits import Edit
from groundwire.query.sql import extent

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["integer_division"]

_INTEGER_TYPES = (
    "int",
    "integer",
    "bigint",
    "smallint",
    "tinyint",
    "mediumint",
    "int2",
    "int4",
    "int8",
)


def integer_division(context: SqlContext) -> list[Finding]:
    """`count(a) / count(b)` becomes `count(a) * 1.0 / count(b)` where integers divide to integers.

    PostgreSQL ("Mathematical Functions") and SQLite drop the fraction, DuckDB does not (sqlglot
    calls it typed division). Where a share is meant: the question asks for one, the column is
    named so, `100 *` stands before it, or two aggregates are divided. A quotient that is cut on
    purpose (FLOOR, a cast to integer, `/ 10 * 10`, a group key) is left alone. One statement for
    each division: some fraction is lost in the rows or groups of the draft.
    """
    findings = []
    for select in selects(context):
        for division, output in _divisions(select):
            if _is_share(context, division, output):
                finding = _finding(context, select, division)
                findings += [finding] if finding else []
    return findings


def _divisions(select: Select) -> Iterator[tuple[exp.Div, exp.Expr]]:
    """Divisions of integers, each with the item of the SELECT list or ORDER BY that it is in."""
    from sqlglot import exp

    having, order = select.node.args.get("having"), select.node.args.get("order")
    for root in (*select.node.expressions, having, order):
        for node in select.walk(root) if root is not None else ():
            if isinstance(node, exp.Div) and node.args.get("typed"):
                sides = (node.left, node.right)
                if all(_is_integer(select, side) for side in sides) and not _is_cut(select, node):
                    yield node, root


def _is_integer(select: Select, node: exp.Expr) -> bool:
    """Its value is an integer, whatever the row; a division in it is judged by itself."""
    from sqlglot import exp

    node = node.unnest()
    if isinstance(node, exp.Count):
        return True
    if isinstance(node, exp.Literal):
        return bool(node.is_int)
    if isinstance(node, exp.Column):
        found = origin(select, node)
        if found is None:
            return False
        inner, part = found
        if isinstance(part, Stored):
            return part.column.type.lower() in _INTEGER_TYPES
        return _is_integer(inner, part)
    if isinstance(node, exp.Cast):
        return bool(node.to.is_type(*exp.DataType.INTEGER_TYPES))
    if isinstance(node, exp.Sum):
        # PostgreSQL adds bigint up as numeric, which keeps the fraction.
        inner = node.this.expressions[0] if isinstance(node.this, exp.Distinct) else node.this
        return _is_integer(select, inner) and not _holds_bigint(select, inner)
    if isinstance(node, exp.Case):
        values = [branch.args["true"] for branch in node.args["ifs"]]
        values += [node.args["default"]] if node.args.get("default") is not None else []
        return all(_is_integer(select, value) or isinstance(value, exp.Null) for value in values)
    if isinstance(node, exp.Select):
        return len(node.selects) == 1 and isinstance(node.selects[0].unalias(), exp.Count)
    if isinstance(node, exp.Coalesce | exp.Nullif | exp.Add | exp.Sub | exp.Mul | exp.Mod):
        parts = [node.this, *node.expressions]
        parts += [node.expression] if node.args.get("expression") is not None else []
        return all(_is_integer(select, part) for part in parts)
    as_its_argument = exp.Min | exp.Max | exp.Abs | exp.Neg | exp.Window | exp.Filter
    return isinstance(node, as_its_argument) and _is_integer(select, node.this)


def _holds_bigint(select: Select, node: exp.Expr) -> bool:
    """A part of it is wider than an integer, as counts and sums are."""
    from sqlglot import exp

    if not select.context.database.sums_bigints_exactly:
        return False
    casts = node.find_all(exp.Cast)
    if node.find(exp.Count, exp.Sum) or any(cast.is_type("bigint") for cast in casts):
        return True
    found = [origin(select, column) for column in node.find_all(exp.Column)]
    return any(
        part.column.type.lower() in ("bigint", "int8")
        if isinstance(part, Stored)
        else _holds_bigint(inner, part)
        for inner, part in filter(None, found)
    )


def _is_cut(select: Select, division: exp.Div) -> bool:
    """The whole part is wanted."""
    from sqlglot import exp

    node: exp.Expr = division
    while isinstance(node.parent, exp.Paren):
        node = node.parent
    parent = node.parent
    if any(division == key.unnest() for key in select.group_keys):
        return True
    if isinstance(parent, exp.Floor | exp.Ceil | exp.Trunc | exp.Mod):
        return True
    if isinstance(parent, exp.Cast):
        return bool(parent.to.is_type(*exp.DataType.INTEGER_TYPES))
    if isinstance(parent, exp.Mul):
        other = parent.right if parent.left is node else parent.left
        return bool(other == division.right)
    is_half = isinstance(division.left.unnest(), exp.Count) and division.right.name == "2"
    return is_half and isinstance(division.right, exp.Literal)


def _is_share(context: SqlContext, division: exp.Div, output: exp.Expr) -> bool:
    from sqlglot import exp

    if context.question is not None and asks_for_share(context.question):
        return True
    if isinstance(output, exp.Alias) and names_a_share(output.alias):
        return True
    hundreds = [part for part in output.find_all(exp.Literal) if part.name in ("100", "100.0")]
    if any(isinstance(part.parent, exp.Mul) for part in hundreds):
        return True
    aggregated = all(side.find(exp.AggFunc) for side in (division.left, division.right))
    return context.question is None and aggregated


def _finding(context: SqlContext, select: Select, division: exp.Div) -> Finding | None:
    place, left = extent(context.query, division), extent(context.query, division.left)
    if place is None or left is None:
        return None
    quotient = "extra_0 / NULLIF(extra_1, 0)"
    exact = "extra_0 * 1.0 / NULLIF(extra_1, 0)"
    statement = select.over_groups(
        f"count(CASE WHEN {quotient} <> {exact} THEN 1 END)",
        f"count({quotient})",
        extra=(division.left, division.right),
    )
    measured = context.measure(statement)
    if measured is None or not measured.row[0]:
        return None
    lost, total = measured.row
    written = context.query.text[place[0] : place[1]]
    sentence = f"{written} loses its fraction in {lost:,} of {counted(total, 'quotient')}."
    return Finding(
        code="AGG4",
        check="integer_division",
        severity="fault",
        span=place,
        message=f"Two integers are divided, and {sentence} The fraction is kept.",
        evidence=(measured.evidence(sentence, [lost, total]),),
        edits=(Edit(left[1], left[1], " * 1.0"),),
        action="repaired",
    )

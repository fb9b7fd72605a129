"""DIR3: each pair of rows of one table is met twice."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from groundwire.counted import counted
from groundwire.guard.context import SqlContext
from groundwire.guard.findings import Finding
from groundwire.guard.selects import Select, Stored, conjuncts, selects
from groundwire.query.edits import Edit
from groundwire.query.sql import words

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["self_join_pairs"]

_PAIRS = re.compile(r"\b(pairs?|couples?|duos?|combinations? of two|any two|two different)\b", re.I)
_ORDERED = re.compile(r"\bordered pairs?\b", re.I)


def self_join_pairs(context: SqlContext) -> list[Finding]:
    """`a.id <> b.id` over one table twice becomes `a.id < b.id` where the question asks for pairs.

    Both rows of a pair meet the other one, so (Ann, Bob) and (Bob, Ann) both stand in the rows.
    Only where a key is compared, both sides are returned alike or only rows are counted, and the
    rest of the draft treats both sides alike. One statement: each pair is met both ways.
    """
    if context.question is None or not _PAIRS.search(context.question):
        return []
    if _ORDERED.search(context.question):
        return []
    found = (_finding(context, select) for select in selects(context))
    return [finding for finding in found if finding is not None]


def _finding(context: SqlContext, select: Select) -> Finding | None:
    apart = _apart(select)
    place = _operator(context, apart[0]) if apart is not None and _is_even(select) else None
    if apart is None or place is None:
        return None
    node, left, right = apart
    one, other = (part.sql(context.query.dialect) for part in (node.left, node.right))
    statement = select.over_rows(
        f"count(CASE WHEN {one} < {other} THEN 1 END)",
        f"count(CASE WHEN {one} > {other} THEN 1 END)",
    )
    measured = context.measure(statement)
    if measured is None:
        return None
    forth, back = measured.row
    if not forth or forth != back:
        return None
    sentence = f"{forth + back:,} rows hold {counted(forth, 'pair')}, each in both orders."
    return Finding(
        code="DIR3",
        check="self_join_pairs",
        severity="fault",
        span=context.query.span(node),
        message=f"{left.name} <> {right.name} lets each pair in twice. {sentence} "
        "Each is taken once.",
        evidence=(measured.evidence(sentence, [forth, back]),),
        edits=(Edit(*place, "<"),),
        action="repaired",
    )


def _apart(select: Select) -> tuple[exp.NEQ, Stored, Stored] | None:
    """The one condition that the keys of the two sources differ."""
    from sqlglot import exp

    if len(select.sources) != 2:
        return None
    where = select.node.args.get("where")
    roots = [join.condition for join in select.joins] + [where.this if where is not None else None]
    found = []
    for root in roots:
        for part in conjuncts(root) if root is not None else ():
            node = part.unnest()
            if not isinstance(node, exp.NEQ):
                continue
            left, right = select.stored(node.left), select.stored(node.right)
            if left is not None and right is not None and _is_same_key(left, right):
                found.append((node, left, right))
    return found[0] if len(found) == 1 else None


def _is_same_key(left: Stored, right: Stored) -> bool:
    same = left.table is right.table and left.column.name == right.column.name
    key = (left.column.name,)
    is_key = key == left.table.primary_key or key in left.table.unique_keys
    return same and is_key and left.source is not right.source


def _is_even(select: Select) -> bool:
    """Both sides are returned alike, or nothing but the number of rows is."""
    from sqlglot import exp

    if any(join.kind not in ("inner", "cross") for join in select.joins) or select.group_keys:
        return False
    outputs = [output.unalias() for output in select.node.expressions]
    if len(outputs) == 1 and isinstance(outputs[0], exp.Count):
        return isinstance(outputs[0].this, exp.Star | exp.Literal)
    stored = [select.stored(output) for output in outputs]
    if select.aggregates or any(one is None for one in stored):
        return False
    by_side = [
        sorted(one.column.name for one in stored if one is not None and one.source is source)
        for source in select.sources
    ]
    return by_side[0] == by_side[1]


def _operator(context: SqlContext, node: exp.NEQ) -> tuple[int, int] | None:
    """The characters of `<>` or `!=`."""
    start = context.query.span(node.left)[1]
    end = context.query.span(node.right)[0]
    between = [word for word in words(context.query) if start <= word.start < end]
    found = [word for word in between if word.text in ("<>", "!=")]
    return (found[0].start, found[0].end) if len(found) == 1 else None

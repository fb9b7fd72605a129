"""PAT4: a condition or a later inner join that throws away what an outer join kept."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from groundwire.guard.context import SqlContext
from groundwire.guard.findings import Finding
from groundwire.guard.joins import item_of
from groundwire.guard.outer_joins import Undone, undone_joins
from groundwire.guard.selects import Select, conjuncts, selects
from groundwire.query.edits import Edit
from groundwire.query.sql import after_blanks, comments, extent, words

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["outer_join_undone"]

_NONE = r"without|none|nobody|nothing|no|not|never|\w+n't|zero|0|null|lack\w*|missing|empty"
_KEEPS_ALL = re.compile(
    rf"\binclud\w+(?:\W+[\w']+){{0,6}}?\W+(?:{_NONE})\b"
    r"|\b(?:as|or|show|be|is) (?:a )?(?:zero|0)\b|\bzero(?: \w+)? (?:too|also|as well|included)\b"
    r"|\b(?:even (?:if|when|those|though)|with or without|whether or not|if any|no matter"
    r"|also those|as well as those|regardless)\b",
    re.IGNORECASE,
)
_OF_EACH = re.compile(
    r"\b(?:each|every|all)\b(?! (?:of )?(?:the )?(?:\w+ ){1,2}(?:who|that|which|whose|having)\b)",
    re.IGNORECASE,
)


def outer_join_undone(context: SqlContext) -> list[Finding]:
    """`LEFT JOIN orders o … WHERE o.status = 'paid'` loses the customers without a paid order.

    Any comparison with a column of the nullable side is never true where that side is missing, so
    the join is an inner one (PostgreSQL's planner calls it a strict qual); and so does an inner
    join behind it that meets its columns (`JOIN payments p ON p.order_id = o.id`). `IS NULL`,
    COALESCE, CASE and OR are not touched, nor is a condition on the one partner that a row has (a
    look-up), except for rows without that partner. The condition moves to ON, and the inner join
    becomes an outer one, where the question keeps those without (`including those with none`);
    where it asks for each, or there is no question, it is a doubt. One statement: how many rows
    are lost.
    """
    question = context.question
    if question is not None and not (_KEEPS_ALL.search(question) or _OF_EACH.search(question)):
        return []
    findings = []
    for select in selects(context):
        undone = undone_joins(select)
        finding = _finding(context, select, undone) if undone is not None else None
        findings += [finding] if finding else []
    return findings


def _finding(context: SqlContext, select: Select, undone: Undone) -> Finding | None:
    measured = context.measure(undone.statement())
    if measured is None or not measured.row[0]:
        return None
    lost = measured.row[0]
    lacking = " and ".join(source.name for source in undone.sources)
    passing = " that pass" if undone.conditions else ""
    names = " and ".join(source.name for source in undone.kept)
    rows = f"{lost:,} rows of {names}" if lost != 1 else f"One row of {names}"
    sentence = f"{rows} without {lacking}{passing} {'are' if lost != 1 else 'is'} lost."
    keeps = context.question is not None and _KEEPS_ALL.search(context.question)
    edits = _edits(context, select, undone) if keeps and undone.is_read_one_way else ()
    return Finding(
        code="PAT4",
        check="outer_join_undone",
        severity="fault" if edits else "doubt",
        span=_span(context, select, undone),
        message=f"{_cause(context, undone)} undoes the outer join: {sentence}"
        + (" They are kept." if edits else ""),
        evidence=(measured.evidence(sentence, lost),),
        edits=edits,
        action="repaired" if edits else "reported",
    )


def _cause(context: SqlContext, undone: Undone) -> str:
    if undone.conditions:
        return f"{context.query.written(undone.conditions[0])} in WHERE"
    (source,) = undone.tightened[0].added
    return f"The inner join of {source.name}"


def _span(context: SqlContext, select: Select, undone: Undone) -> tuple[int, int]:
    if undone.conditions:
        return context.query.span(undone.conditions[0])
    item = item_of(select, undone.tightened[0].added[0])
    return context.query.span(item if item is not None else select.node)


# -- edits -------------------------------------------------------------------------------


def _edits(context: SqlContext, select: Select, undone: Undone) -> tuple[Edit, ...]:
    """Each condition goes to the ON of its join, each inner join becomes a LEFT JOIN."""
    loosened = [_loosened(context, join.node) for join in undone.tightened]
    moved = _moved(context, select, undone) if undone.conditions else ()
    if moved is None or any(edit is None for edit in loosened):
        return ()
    return (*(edit for edit in loosened if edit is not None), *moved)


def _loosened(context: SqlContext, node: exp.Join) -> Edit | None:
    from sqlglot import exp

    if not isinstance(node.this, exp.Table):
        return None
    start = context.query.span(node.this)[0]
    before = [word for word in words(context.query) if word.end <= start][-2:]
    if [word.text for word in before] == ["INNER", "JOIN"]:
        return Edit(before[0].start, before[0].end, "LEFT")
    if before[-1].text == "JOIN" and before[0].text not in ("CROSS", "NATURAL"):
        return Edit(before[-1].start, before[-1].start, "LEFT ")
    return None


def _moved(context: SqlContext, select: Select, undone: Undone) -> tuple[Edit, ...] | None:
    query, where = context.query, select.node.args["where"]
    body = extent(query, where.this)
    parts = [(part, extent(query, part)) for part in conjuncts(where.this)]
    places = {id(part): place for part, place in parts if place is not None}
    if body is None or len(places) < len(parts):
        return None
    texts = {key: query.text[start:end] for key, (start, end) in places.items()}
    edits = []
    for join in undone.joins:
        own = [texts[id(part)] for part in undone.conditions_of(join)]
        on = extent(query, join.condition) if own and join.condition is not None else None
        if own and (on is None or _is_or(join.condition)):
            return None
        edits += [Edit(on[1], on[1], f" AND {' AND '.join(own)}")] if on is not None else []
    kept = [texts[id(part)] for part, _ in parts if part not in undone.conditions]
    left = comments(query, body, places.values())
    if kept:
        return *edits, Edit(*body, " AND ".join(kept) + left)
    before = [word for word in words(query) if word.end <= body[0]]
    if not before or before[-1].text != "WHERE":
        return None
    start = after_blanks(query, before[-1].start)
    left = comments(query, (before[-1].end, body[0])) + left
    if edits[-1].end == start:
        last = edits.pop()
        return *edits, Edit(start, body[1], last.text + left)
    return *edits, Edit(start, body[1], left)


def _is_or(condition: exp.Expr | None) -> bool:
    from sqlglot import exp

    return isinstance(condition, exp.Or)

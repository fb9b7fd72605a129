"""PAT4: a condition in WHERE that throws away what an outer join kept."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from groundwire.guard.context import SqlContext
from groundwire.guard.findings import Finding
from groundwire.guard.joins import links, read_by
from groundwire.guard.selects import Join, Select, conjuncts, selects
from groundwire.query.edits import Edit
from groundwire.query.sql import extent, words

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["outer_join_undone"]

_KEEPS_ALL = re.compile(
    r"\b(includ\w+|even (if|when|those|though)|zero|with or without|whether or not|if any|no matter"
    r"|also those|as well as those|regardless)\b",
    re.IGNORECASE,
)
_OF_EACH = re.compile(r"\b(each|every|all)\b", re.IGNORECASE)


def outer_join_undone(context: SqlContext) -> list[Finding]:
    """`LEFT JOIN orders o … WHERE o.status = 'paid'` loses the customers without orders.

    Any comparison with a column of the nullable side is never true where that side is missing, so
    the join is an inner one (PostgreSQL's planner calls it a strict qual). `IS NULL`, COALESCE,
    CASE and OR are not touched. The condition moves to ON where the question keeps those without
    (`including`, `zero`); where it asks for each, or there is no question, it is a doubt. One
    statement: how many rows are lost.
    """
    question = context.question
    if question is not None and not (_KEEPS_ALL.search(question) or _OF_EACH.search(question)):
        return []
    findings = []
    for select in selects(context):
        for join in select.joins:
            finding = _finding(context, select, join)
            findings += [finding] if finding else []
    return findings


def _finding(context: SqlContext, select: Select, join: Join) -> Finding | None:
    strict = _strict(select, join) if join.kind == "left" and len(join.added) == 1 else []
    statement = _statement(select, join, strict) if strict else None
    measured = context.measure(statement)
    if measured is None or not measured.row[0]:
        return None
    lost = measured.row[0]
    source = join.added[0]
    sentence = f"{lost:,} rows without {source.name} are lost."
    keeps = context.question is not None and _KEEPS_ALL.search(context.question)
    edits = _edits(context, select, join, strict) if keeps else ()
    text = context.query.written(strict[0])
    return Finding(
        code="PAT4",
        check="outer_join_undone",
        severity="fault" if edits else "doubt",
        span=context.query.span(strict[0]),
        message=f"{text} in WHERE undoes the outer join: {sentence}"
        + (" It is moved to the join." if edits else ""),
        evidence=(measured.evidence(sentence, lost),),
        edits=edits,
        action="repaired" if edits else "reported",
    )


def _strict(select: Select, join: Join) -> list[exp.Expr]:
    """The conditions of WHERE that read only the added source and are never true without it."""
    from sqlglot import exp

    where = select.node.args.get("where")
    compared = exp.EQ | exp.NEQ | exp.GT | exp.GTE | exp.LT | exp.LTE | exp.Like | exp.ILike
    found: list[exp.Expr] = []
    for part in conjuncts(where.this) if where is not None else ():
        bare = part.unnest()
        if isinstance(bare, exp.Is) and isinstance(bare.expression, exp.Null):
            return []
        holds = isinstance(bare, compared | exp.In | exp.Between)
        if holds and not bare.find(exp.Coalesce, exp.Case, exp.Or, exp.Query):
            read = read_by(select, bare)
            if read == {join.added[0]} and isinstance(bare.this.unnest(), exp.Column):
                found.append(part)
    return found


def _statement(select: Select, join: Join, strict: list[exp.Expr]) -> str | None:
    """How many rows that pass all other conditions have nothing of the added source."""
    from sqlglot import exp

    own = [
        end
        for link in links(select)
        if link.node.find_ancestor(exp.Join) is join.node
        for end in link.ends
        if end.source is join.added[0]
    ]
    if not own or select.is_correlated:
        return None
    key = exp.column(
        exp.to_identifier(own[0].column, quoted=True),
        exp.to_identifier(own[0].source.name, quoted=True),
    )
    where = select.node.args["where"]
    kept = [part for part in conjuncts(where.this) if part not in strict]
    kept.append(exp.Is(this=key, expression=exp.Null()))
    rows = select.over_rows("count(*)", where=False)
    return f"{rows} WHERE {exp.and_(*kept).sql(select.context.query.dialect)}" if rows else None


def _edits(
    context: SqlContext, select: Select, join: Join, strict: list[exp.Expr]
) -> tuple[Edit, ...]:
    from sqlglot import exp

    where = select.node.args["where"]
    body = extent(context.query, where.this)
    on = extent(context.query, join.condition) if join.condition is not None else None
    parts = [(part, extent(context.query, part)) for part in conjuncts(where.this)]
    if body is None or on is None or isinstance(join.condition, exp.Or):
        return ()
    if any(place is None for _, place in parts):
        return ()
    text = context.query.text
    texts = [(part, text[place[0] : place[1]]) for part, place in parts if place is not None]
    moved = " AND ".join(written for part, written in texts if part in strict)
    kept = " AND ".join(written for part, written in texts if part not in strict)
    to_join = Edit(on[1], on[1], f" AND {moved}")
    if kept:
        return to_join, Edit(*body, kept)
    before = [word for word in words(context.query) if word.end <= body[0]]
    if not before or before[-1].text != "WHERE":
        return ()
    start = len(text[: before[-1].start].rstrip())
    if start == on[1]:
        return (Edit(start, body[1], f" AND {moved}"),)
    return to_join, Edit(start, body[1], "")

"""AGG4: SUM(DISTINCT x) drops equal values of different rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.counted import counted
from groundwire.guard.context import SqlContext
from groundwire.guard.findings import Finding
from groundwire.guard.joins import inner_body, key_columns, read_by
from groundwire.guard.probes import Measured
from groundwire.guard.repeats import has_plain_groups, met_once
from groundwire.guard.selects import Select, selects
from groundwire.guard.semi_join import as_exists
from groundwire.guard.wording import asks_for_different
from groundwire.query.edits import Edit
from groundwire.query.sql import Source, comments, words

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["sum_distinct"]


def sum_distinct(context: SqlContext) -> list[Finding]:
    """`SUM(DISTINCT o.total)` counts two orders of one total once.

    Written against rows that a join repeats, which is the wrong cure: DISTINCT tells values apart,
    not rows. Decided by the keys in the draft's own rows: some group holds different rows with one
    value. A question that does not ask for different values makes it a fault, repaired where
    nothing is repeated or the joins that repeat only filter. A sum over a subquery or CTE that is
    nothing but those values, made different by UNION or SELECT DISTINCT, is the same and a doubt.
    One statement for each, one for each branch of a UNION.
    """
    if context.question is not None and asks_for_different(context.question):
        return []
    findings = []
    for select in selects(context):
        for call in select.aggregates if has_plain_groups(select) else ():
            if _is_added_once(call):
                finding = _finding(context, select, call)
            else:
                finding = _merged(context, select, call)
            findings += [finding] if finding else []
    return findings


def _is_added_once(call: exp.AggFunc) -> bool:
    from sqlglot import exp

    return (
        isinstance(call, exp.Sum | exp.Avg)
        and isinstance(call.this, exp.Distinct)
        and len(call.this.expressions) == 1
        and not isinstance(call.parent, exp.Filter)
    )


def _finding(context: SqlContext, select: Select, call: exp.AggFunc) -> Finding | None:
    found = _equal_values(select, call.this.expressions[0])
    if found is None:
        return None
    source, measured = found
    rows, values, met = measured.row
    edits: tuple[Edit, ...] = ()
    if context.question is not None:
        exists = as_exists(select, source)
        edits = (*_without_distinct(context, call), *exists) if met == rows or exists else ()
    place = "In one group, " if select.group_keys else ""
    sentence = f"{place}{rows:,} rows of {source.name} have {counted(values, 'different value')}."
    asked = context.question is not None
    return Finding(
        code="AGG4",
        check="sum_distinct",
        severity="fault" if asked else "doubt",
        span=context.query.span(call),
        message=f"DISTINCT drops equal values of different rows. {sentence}",
        evidence=(measured.evidence(sentence, [rows, values]),),
        edits=edits,
        action="repaired" if edits else "refused" if asked else "reported",
    )


def _equal_values(select: Select, value: exp.Expr) -> tuple[Source, Measured] | None:
    """The one source of a value, and (rows, different values, times met) of the group in which most
    of its rows share a value; None where no two do, or nobody can say."""
    read = read_by(select, value)
    if read is None or len(read) != 1:
        return None
    (source,) = read
    keys = key_columns(select, source)
    once = met_once(select, keys, value) if keys else None
    if once is None:
        return None
    statement = (
        f"SELECT count(*), count(DISTINCT v), sum(n) FROM ({once.text}) AS e{once.by_group} "
        "HAVING count(*) > count(DISTINCT v) ORDER BY count(*) - count(DISTINCT v) DESC LIMIT 1"
    )
    measured = select.context.measure(statement)
    return (source, measured) if measured is not None else None


def _sentence(select: Select, source: Source, measured: Measured) -> str:
    rows, values = measured.row[:2]
    place = "In one group, " if select.group_keys else ""
    return f"{place}{rows:,} rows of {source.name} have {values:,} different values."


# -- values that a subquery makes different ----------------------------------------------


def _merged(context: SqlContext, select: Select, call: exp.AggFunc) -> Finding | None:
    """A sum over `SELECT a FROM … UNION SELECT b FROM …` or over `SELECT DISTINCT a FROM …`."""
    from sqlglot import exp

    source = select.source_of(call.this) if isinstance(call, exp.Sum | exp.Avg) else None
    body = inner_body(select, source) if source is not None else None
    for branch in _branches(context, body) if body is not None else ():
        value = branch.node.expressions[0].unalias()
        found = _equal_values(branch, value) if not branch.group_keys else None
        if found is None:
            continue
        sentence = _sentence(branch, *found)
        how = "DISTINCT" if isinstance(body, exp.Select) else "UNION"
        return Finding(
            code="AGG4",
            check="sum_distinct",
            severity="doubt",
            span=context.query.span(call),
            message=f"{how} drops equal values of different rows before they are added. {sentence}",
            evidence=(found[1].evidence(sentence, list(found[1].row)),),
        )
    return None


def _branches(context: SqlContext, body: exp.Expr) -> list[Select]:
    """The SELECTs of one column whose rows are made different; [] where they are not all that."""
    from sqlglot import exp

    nodes, rest = [], [body]
    while rest:
        node = rest.pop()
        if isinstance(node, exp.Subquery):
            rest.append(node.this)
        elif isinstance(node, exp.Union) and node.args.get("distinct"):
            rest += [node.right, node.left]
        else:
            nodes.append(node)
    if body in nodes and not body.args.get("distinct"):
        return []
    if any(
        not isinstance(node, exp.Select) or len(node.expressions) != 1 or node.args.get("limit")
        for node in nodes
    ):
        return []
    return [one for node in nodes for one in context.selects if one.node is node]


def _without_distinct(context: SqlContext, call: exp.AggFunc) -> tuple[Edit, ...]:
    start = context.query.span(call.this.expressions[0])[0]
    before = [word for word in words(context.query) if word.end <= start]
    if not before or before[-1].text != "DISTINCT":
        return ()
    place = before[-1].start, start
    return (Edit(*place, comments(context.query, place).lstrip(" ")),)

"""AGG2, AGG1: rows are counted or added up where one entity stands in several of them."""

from __future__ import annotations

from dataclasses import dataclass

from groundwire.guard.context import CypherContext
from groundwire.guard.findings import Evidence, Finding
from groundwire.guard.owners import known_names
from groundwire.guard.quoting import quoted
from groundwire.guard.stages import Stage, stages
from groundwire.guard.wording import asks_for_entities
from groundwire.query.cypher import ast, grouping
from groundwire.query.edits import Edit

__all__ = ["count_of_rows"]

_ADDED = frozenset({"sum", "avg"})


@dataclass(frozen=True, slots=True)
class _Counted:
    """An aggregate over the rows of a node; `labels` are what the node may be."""

    call: ast.FunctionCall
    variable: str
    labels: tuple[str, ...]


def count_of_rows(context: CypherContext) -> list[Finding]:
    """`count(p)` where the rows hold the same p again: `count(DISTINCT p)` is another number.

    Repaired where the question asks how many (different) entities of p's label there are, else a
    doubt that names both numbers. `count(*)` is only looked at with such a question. One probe for
    each aggregate, on the draft's own clauses and groups.
    """
    findings = []
    for stage in stages(context.query):
        if not _multiplies(stage) or stage.projection.star:
            continue
        for call in grouping(stage.projection).aggregates:
            counted = _counted(context, stage, call)
            finding = counted and _finding(context, stage, counted)
            if finding:
                findings.append(finding)
    return findings


def _multiplies(stage: Stage) -> bool:
    """Something before the aggregate can repeat a node: a hop, or a second source of rows."""
    sources = [clause for clause in stage.clauses if not isinstance(clause, ast.With)]
    hop = any(
        isinstance(node, ast.RelationshipPattern) for clause in sources for node in ast.walk(clause)
    )
    return hop or len(sources) > 1


def _counted(context: CypherContext, stage: Stage, call: ast.FunctionCall) -> _Counted | None:
    name = call.name.lower()
    if call.distinct:
        return None
    if call.star:
        return _asked_for(context, stage, call)
    argument = call.arguments[0] if len(call.arguments) == 1 else None
    if name in _ADDED and isinstance(argument, ast.Property):
        argument = argument.target
    elif name != "count":
        return None
    symbol = context.query.symbol(argument) if isinstance(argument, ast.Variable) else None
    if symbol is None or symbol.kind != "node":
        return None
    return _Counted(call, symbol.name, known_names(symbol, context.catalog))


def _asked_for(context: CypherContext, stage: Stage, call: ast.FunctionCall) -> _Counted | None:
    """The one node whose label the question counts."""
    if context.question is None:
        return None
    found = []
    for symbol in context.query.scope_at(stage.projection.span[0] - 1).values():
        labels = known_names(symbol, context.catalog) if symbol.kind == "node" else ()
        if any(asks_for_entities(context.question, label) for label in labels):
            found.append(_Counted(call, symbol.name, labels))
    return found[0] if len(found) == 1 else None


def _finding(context: CypherContext, stage: Stage, counted: _Counted) -> Finding | None:
    name = counted.call.name.lower()
    variable = quoted(counted.variable)
    keys = [
        f"{stage.text(item.expression)} AS key_{number}"
        for number, item in enumerate(grouping(stage.projection).keys)
    ]
    rows = f"count({stage.text(counted.call.arguments[0])})" if name in _ADDED else "count(*)"
    if name == "count" and not counted.call.star:
        rows = f"count({variable})"
    columns = ", ".join([*keys, f"{rows} AS rows", f"count(DISTINCT {variable}) AS entities"])
    statement = (
        f"{stage.before}WITH {columns} WHERE rows > entities "
        "RETURN rows, entities ORDER BY rows - entities DESC LIMIT 1"
    )
    result = context.probes.ask(statement, context.parameters, rows=1)
    if result is None or not result.rows:
        return None
    of_rows, of_entities = result.rows[0]
    what = " or ".join(counted.labels) or "nodes"
    place = "In one group, " if keys else ""
    sentence = f"{place}{of_rows:,} rows hold {of_entities:,} different {what}."
    edits = _edits(context, counted)
    return Finding(
        code="AGG1" if name in _ADDED else "AGG2",
        check="count_of_rows",
        severity="fault" if edits else "doubt",
        span=counted.call.span,
        message=f"{stage.text(counted.call)} takes {counted.variable} once a row. {sentence}"
        + (" The different ones are counted." if edits else ""),
        evidence=(Evidence(sentence, statement, [of_rows, of_entities], result.elapsed),),
        edits=edits,
        action="repaired" if edits else "reported",
    )


def _edits(context: CypherContext, counted: _Counted) -> tuple[Edit, ...]:
    question, call = context.question, counted.call
    if question is None or call.name.lower() != "count":
        return ()
    if not any(asks_for_entities(question, label) for label in counted.labels):
        return ()
    end = call.span[1]
    if call.star:
        start = call.name_span[1]
        return (Edit(start, end, f"(DISTINCT {quoted(counted.variable)})"),)
    start = call.arguments[0].span[0]
    return (Edit(start, start, "DISTINCT "),)

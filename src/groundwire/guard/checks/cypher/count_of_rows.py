"""AGG2, AGG1: rows are counted or added up where one entity stands in several of them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from groundwire.guard.context import CypherContext
from groundwire.guard.findings import Evidence, Finding
from groundwire.guard.owners import known_names
from groundwire.guard.quoting import quoted
from groundwire.guard.stages import Stage, stages, variables
from groundwire.guard.wording import asks_for_entities
from groundwire.query.cypher import ast, grouping
from groundwire.query.edits import Edit

__all__ = ["count_of_rows"]

_ADDED = frozenset({"sum", "avg"})
_AS_NUMBER = frozenset({"tofloat", "tointeger"})


@dataclass(frozen=True, slots=True)
class _Counted:
    """An aggregate over rows; `labels` are what the nodes that it may be meant for may be."""

    call: ast.FunctionCall
    variables: tuple[str, ...]
    labels: tuple[str, ...]


def count_of_rows(context: CypherContext) -> list[Finding]:
    """`count(p)` where the rows hold the same p again: `count(DISTINCT p)` is another number.

    Repaired where the question asks how many (different) entities of p's label there are, else a
    doubt that names both numbers. `count(*)` is only looked at with such a question; where several
    nodes have the label that is asked for, it is no number of any of them. One probe for each
    aggregate, on the draft's own clauses and groups.
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
    if name in _ADDED:
        argument = _owner(argument)
    elif name != "count":
        return None
    symbol = context.query.symbol(argument) if isinstance(argument, ast.Variable) else None
    if symbol is None or symbol.kind != "node":
        return None
    return _Counted(call, (symbol.name,), known_names(symbol, context.catalog))


def _owner(argument: ast.Expression | None) -> ast.Expression | None:
    """`p` of `p.born`, also where that is read as a number."""
    if isinstance(argument, ast.FunctionCall) and argument.name.lower() in _AS_NUMBER:
        argument = argument.arguments[0] if len(argument.arguments) == 1 else None
    return argument.target if isinstance(argument, ast.Property) else None


def _asked_for(context: CypherContext, stage: Stage, call: ast.FunctionCall) -> _Counted | None:
    """The nodes whose label the question counts, and that do not make the groups."""
    grouped = frozenset[str]().union(*map(variables, grouping(stage.projection).keys))
    found: list[str] = []
    known: list[str] = []
    for symbol in context.query.scope_at(stage.projection.span[0] - 1).values():
        labels = known_names(symbol, context.catalog) if symbol.kind == "node" else ()
        if symbol.name not in grouped and _is_asked_for(context, labels):
            found.append(symbol.name)
            known += labels
    return _Counted(call, tuple(found), tuple(dict.fromkeys(known))) if found else None


def _is_asked_for(context: CypherContext, labels: tuple[str, ...]) -> bool:
    """The question counts entities of one of the labels, by its name or by its own last word.

    `how many calls` means PhoneCall where no other label ends so.
    """
    if context.question is None:
        return False
    names = set(labels)
    for label in labels:
        word = _last_word(label)
        if [other.name for other in context.catalog.labels if _last_word(other.name) == word] == [
            label
        ]:
            names.add(word)
    return any(asks_for_entities(context.question, name) for name in names)


def _last_word(label: str) -> str:
    return re.findall(r"[A-Z]?[^A-Z_ ]+|[A-Z]+", label)[-1].lower() if label.strip("_ ") else label


def _finding(context: CypherContext, stage: Stage, counted: _Counted) -> Finding | None:
    name = counted.call.name.lower()
    written = [quoted(variable) for variable in counted.variables]
    keys = [
        f"{stage.text(item.expression)} AS key_{number}"
        for number, item in enumerate(grouping(stage.projection).keys)
    ]
    rows = f"count({stage.text(counted.call.arguments[0])})" if name in _ADDED else "count(*)"
    if name == "count" and not counted.call.star:
        rows = f"count({written[0]})"
    entities = [f"count(DISTINCT {each}) AS entities_{n}" for n, each in enumerate(written)]
    more = " AND ".join(f"rows > entities_{n}" for n in range(len(written)))
    statement = (
        f"{stage.before}WITH {', '.join([*keys, f'{rows} AS rows', *entities])} WHERE {more} "
        f"RETURN rows, {', '.join(f'entities_{n}' for n in range(len(written)))} "
        "ORDER BY rows - entities_0 DESC LIMIT 1"
    )
    result = context.probes.ask(statement, context.parameters, rows=1)
    if result is None or not result.rows:
        return None
    of_rows, *of_entities = result.rows[0]
    what = " or ".join(counted.labels) or "nodes"
    place = "In one group, " if keys else ""
    numbers = " or ".join(f"{number:,}" for number in of_entities)
    sentence = f"{place}{of_rows:,} rows hold {numbers} different {what}."
    edits = _edits(context, stage, counted)
    return Finding(
        code="AGG1" if name in _ADDED else "AGG2",
        check="count_of_rows",
        severity="fault" if edits else "doubt",
        span=counted.call.span,
        message=f"{stage.text(counted.call)} takes {' and '.join(counted.variables)} once a row. "
        f"{sentence}" + (" The different ones are counted." if edits else ""),
        evidence=(Evidence(sentence, statement, list(result.rows[0]), result.elapsed),),
        edits=edits,
        action="repaired" if edits else "reported",
    )


def _edits(context: CypherContext, stage: Stage, counted: _Counted) -> tuple[Edit, ...]:
    call = counted.call
    if call.name.lower() != "count" or len(counted.variables) != 1:
        return ()
    grouped = frozenset[str]().union(*map(variables, grouping(stage.projection).keys))
    if counted.variables[0] in grouped or not _is_asked_for(context, counted.labels):
        return ()
    end = call.span[1]
    if call.star:
        start = call.name_span[1]
        return (Edit(start, end, f"(DISTINCT {quoted(counted.variables[0])})"),)
    start = call.arguments[0].span[0]
    return (Edit(start, start, "DISTINCT "),)

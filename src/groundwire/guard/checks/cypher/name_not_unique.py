"""AGG3: grouped by a name that several nodes share."""

from __future__ import annotations

from groundwire.counted import counted
from groundwire.guard.context import CypherContext
from groundwire.guard.findings import Evidence, Finding
from groundwire.guard.owners import known_names
from groundwire.guard.stages import Stage, stages
from groundwire.query.cypher import ast, grouping

__all__ = ["name_not_unique"]

_TELLS = 0.8
"""Share of the nodes that a property tells apart from which it serves as their name."""


def name_not_unique(context: CypherContext) -> list[Finding]:
    """`RETURN p.name, count(m)` adds up the numbers of two persons with one name.

    Only where the property tells most of the matched nodes apart: one that does not, such as a
    kind or a year, makes groups on purpose. No probe where a constraint makes it unique.
    """
    findings = []
    for stage in stages(context.query):
        grouped = grouping(stage.projection)
        if not grouped.aggregates or stage.projection.star:
            continue
        for item in grouped.keys:
            key = item.expression
            if not isinstance(key, ast.Property) or _is_aggregated(key, grouped.aggregates):
                continue
            if _stands_alone(context, key, grouped.keys):
                findings += _findings(context, stage, key, grouped.keys)
    return findings


def _stands_alone(
    context: CypherContext, key: ast.Property, keys: tuple[ast.ProjectionItem, ...]
) -> bool:
    """It is the only key that speaks of its node, and nothing declares it unique."""
    if not isinstance(key.target, ast.Variable):
        return False
    symbol = context.query.symbol(key.target)
    if symbol is None or symbol.kind != "node":
        return False
    name = key.target.name
    others = [item for item in keys if item.expression is not key]
    if any(name == node.name for item in others for node in _variables(item)):
        return False
    labels = known_names(symbol, context.catalog)
    return bool(labels) and not any(context.catalog.is_unique(x, [key.key.value]) for x in labels)


def _is_aggregated(key: ast.Property, aggregates: tuple[ast.FunctionCall, ...]) -> bool:
    """The node itself is what is counted or added up, so that its groups are wanted."""
    names = {node.name for node in _variables(key)}
    return any(node.name in names for call in aggregates for node in _variables(call))


def _variables(root: ast.Node) -> list[ast.Variable]:
    return [node for node in ast.walk(root) if isinstance(node, ast.Variable)]


def _findings(
    context: CypherContext,
    stage: Stage,
    key: ast.Property,
    keys: tuple[ast.ProjectionItem, ...],
) -> list[Finding]:
    others = [
        f"{stage.text(item.expression)} AS key_{number}"
        for number, item in enumerate(keys)
        if item.expression is not key
    ]
    node = stage.text(key.target)
    columns = [f"{stage.text(key)} AS value", *others, f"count(DISTINCT {node}) AS nodes"]
    statement = (
        f"{stage.before}WITH {', '.join(columns)} WHERE value IS NOT NULL "
        "RETURN count(*) AS names, sum(nodes) AS nodes, max(nodes) AS most, "
        "min(CASE WHEN nodes > 1 THEN value END) AS example"
    )
    result = context.probes.ask(statement, context.parameters, rows=1)
    if result is None or not result.rows or result.rows[0][2] in (None, 0, 1):
        return []
    names, nodes, most, example = result.rows[0]
    if names < _TELLS * nodes:
        return []
    sentence = f"{nodes:,} different nodes have {counted(names, 'value')} of {stage.text(key)}; "
    sentence += f"{example!r} is one of those that several share (up to {most:,})."
    finding = Finding(
        code="AGG3",
        check="name_not_unique",
        severity="doubt",
        span=key.span,
        message=f"The groups are made by {stage.text(key)}, which is not unique: {sentence}",
        evidence=(Evidence(sentence, statement, [names, nodes, most], result.elapsed),),
    )
    return [finding]

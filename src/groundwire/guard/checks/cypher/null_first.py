"""FIL4: a descending order with a LIMIT over a property that some rows do not have."""

from __future__ import annotations

from groundwire.counted import counted
from groundwire.guard.context import CypherContext
from groundwire.guard.findings import Evidence, Finding
from groundwire.guard.stages import Stage, stages
from groundwire.query.cypher import ast, grouping
from groundwire.query.edits import Edit

__all__ = ["null_first"]


def null_first(context: CypherContext) -> list[Finding]:
    """`ORDER BY p.born DESC LIMIT 1` gets `WHERE p.born IS NOT NULL` where a NULL would come first.

    Cypher sorts NULL as the largest value (openCypher 9, ORDER BY). Rows are only left out where
    the LIMIT cuts rows off anyway and some row has a value.
    """
    findings = []
    for stage in stages(context.query):
        finding = _finding(context, stage)
        if finding is not None:
            findings.append(finding)
    return findings


def _finding(context: CypherContext, stage: Stage) -> Finding | None:
    order, limit, skip = stage.projection.order_by, stage.limit, stage.skip
    if not order or not order[0].descending or limit is None or skip is None:
        return None
    sorted_by = stage.behind(order[0].expression)
    if not _is_stored(context, sorted_by):
        return None
    text = stage.text(sorted_by)
    grouped = bool(grouping(stage.projection).aggregates) or stage.projection.distinct
    total = f"count(DISTINCT {text}) + 1" if grouped else "count(*)"
    statement = (
        f"{stage.before}RETURN count(CASE WHEN {text} IS NULL THEN 1 END) AS missing, "
        f"count({text}) AS present, {total} AS total"
    )
    result = context.probes.ask(statement, context.parameters, rows=1)
    if result is None or not result.rows:
        return None
    missing, present, total_rows = result.rows[0]
    if not missing or not present or total_rows <= skip + limit:
        return None
    edits = _edits(context, stage, sorted_by)
    sentence = f"{text} is NULL in {missing:,} of {counted(missing + present, 'matched row')}."
    return Finding(
        code="FIL4",
        check="null_first",
        severity="fault" if edits else "doubt",
        span=order[0].span,
        message=f"NULL comes first in a descending order, and {sentence}"
        + (" These rows are left out." if edits else ""),
        evidence=(Evidence(sentence, statement, [missing, present], result.elapsed),),
        edits=edits,
        action="repaired" if edits else "reported",
    )


def _is_stored(context: CypherContext, expression: ast.Expression) -> bool:
    """A stored property, or an expression of one without an aggregate or a subquery."""
    if isinstance(expression, ast.Variable):
        symbol = context.query.symbol(expression)
        behind = symbol.origin if symbol is not None else None
        return behind is not None and _is_stored(context, behind)
    parts = list(ast.walk(expression))
    item = ast.ProjectionItem(expression.span, expression, None)
    projection = ast.Return(expression.span, False, False, (item,), (), None, None)
    if grouping(projection).aggregates or any(isinstance(x, ast.SubqueryExpression) for x in parts):
        return False
    return any(_is_property(context, part) for part in parts)


def _is_property(context: CypherContext, node: ast.Node) -> bool:
    if not isinstance(node, ast.Property) or not isinstance(node.target, ast.Variable):
        return False
    symbol = context.query.symbol(node.target)
    return symbol is not None and symbol.kind in ("node", "relationship")


def _edits(context: CypherContext, stage: Stage, expression: ast.Expression) -> tuple[Edit, ...]:
    """`… IS NOT NULL` in the MATCH that binds what is sorted by; () where none can take it."""
    while isinstance(expression, ast.Variable):
        symbol = context.query.symbol(expression)
        if symbol is None or symbol.origin is None:
            return ()
        expression = symbol.origin
    used = [node for node in ast.walk(expression) if isinstance(node, ast.Variable)]
    symbols = [context.query.symbol(variable) for variable in used]
    places = [symbol.declared[0] for symbol in symbols if symbol is not None]
    if len(places) < len(used) or not places:
        return ()
    for clause in stage.clauses:
        if isinstance(clause, ast.Match) and clause.span[0] <= max(places) < clause.span[1]:
            return () if clause.optional else _narrowed(context, clause, expression)
    return ()


def _narrowed(
    context: CypherContext, match: ast.Match, expression: ast.Expression
) -> tuple[Edit, ...]:
    text = context.query.text[expression.span[0] : expression.span[1]]
    if not isinstance(expression, ast.Property | ast.FunctionCall):
        text = f"({text})"
    end = match.span[1]
    if match.where is None:
        return (Edit(end, end, f" WHERE {text} IS NOT NULL"),)
    added = Edit(end, end, f" AND {text} IS NOT NULL")
    loose = isinstance(match.where, ast.Logical) and match.where.operator != "AND"
    if not loose or ")" in context.query.text[match.where.span[1] : end]:
        return (added,)
    start, stop = match.where.span
    return (Edit(start, start, "("), Edit(stop, end, f") AND {text} IS NOT NULL"))

"""SCH1: a node label that the graph does not have."""

from __future__ import annotations

from groundwire.guard.context import CypherContext
from groundwire.guard.findings import Evidence, Finding
from groundwire.guard.nearest import nearest, standing_out
from groundwire.guard.quoting import quoted
from groundwire.query.cypher import Query, ast
from groundwire.query.edits import Edit

__all__ = ["dispensable_tests", "unknown_label"]


def unknown_label(context: CypherContext) -> list[Finding]:
    """Every label must be in the graph; one that stands out as meant is put there.

    An unknown label beside a known alternative (`Person|Actor`, `n:Person OR n:Actor`) is left
    alone: the pattern still means what it says. So is a negated one, which excludes nothing.
    """
    return [
        _finding(context, name, spare)
        for name, spare in _labels(context.query)
        if context.catalog.label(name.name) is None
        and not (spare and any(context.catalog.label(other) for other in spare))
    ]


def _labels(query: Query) -> list[tuple[ast.LabelName, tuple[str, ...]]]:
    """Each label that must hold, with the alternatives beside it."""
    found: list[tuple[ast.LabelName, tuple[str, ...]]] = []
    dispensable = {test.span for test in dispensable_tests(query)}
    for node in query.find(ast.Node):
        labels = node.labels if isinstance(node, ast.NodePattern | ast.LabelTest) else None
        if labels is not None and node.span not in dispensable:
            _collect(labels, (), found)
    return found


def dispensable_tests(query: Query) -> list[ast.LabelTest]:
    """The `n:Label` that need not hold: under a NOT, or one side of an OR."""
    around = [node.span for node in query.find(ast.Unary) if node.operator == "NOT"]
    around += [node.span for node in query.find(ast.Logical) if node.operator != "AND"]
    return [
        test
        for test in query.find(ast.LabelTest)
        if any(start <= test.span[0] and test.span[1] <= end for start, end in around)
    ]


def _collect(
    labels: ast.LabelExpression,
    spare: tuple[str, ...],
    found: list[tuple[ast.LabelName, tuple[str, ...]]],
) -> None:
    if isinstance(labels, ast.LabelName):
        found.append((labels, spare))
    elif isinstance(labels, ast.LabelAnd):
        for operand in labels.operands:
            _collect(operand, spare, found)
    elif isinstance(labels, ast.LabelOr):
        names = [name.name for name in ast.label_names(labels)]
        for operand in labels.operands:
            _collect(operand, (*spare, *names), found)


def _finding(context: CypherContext, name: ast.LabelName, spare: tuple[str, ...]) -> Finding:
    known = sorted(label.name for label in context.catalog.labels)
    evidence = Evidence(f"No node of the graph has the label {name.name}.", answer=known[:50])
    meant = standing_out(name.name, known)
    if meant is not None:
        return Finding(
            code="SCH1",
            check="unknown_label",
            severity="fault",
            span=name.span,
            message=f"There is no label {name.name}; only {meant} can be meant.",
            evidence=(evidence,),
            edits=(Edit(*name.span, quoted(meant)),),
            action="repaired",
        )
    near = nearest(name.name, known)
    hint = "The graph has no labels."
    if known:
        hint = f"Near it: {', '.join(near)}." if near else f"Labels: {', '.join(known[:20])}."
    return Finding(
        code="SCH1",
        check="unknown_label",
        severity="fault",
        span=name.span,
        message=f"There is no label {name.name}. {hint}",
        evidence=(evidence,),
        action="refused",
    )

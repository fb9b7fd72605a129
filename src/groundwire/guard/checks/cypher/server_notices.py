"""SCH1, SCH2, SCH3: names of which the engine itself says that it does not know them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from groundwire.database.graph import CanNotify, Notification
from groundwire.errors import QueryError
from groundwire.guard.checks.cypher.unknown_label import dispensable_tests
from groundwire.guard.context import CypherContext
from groundwire.guard.findings import Evidence, Finding
from groundwire.query import cypher
from groundwire.query.cypher import ast

__all__ = ["server_notices"]

_CODES = {"01N50": "SCH1", "01N51": "SCH2", "01N52": "SCH3"}
_QUOTED = re.compile(r"[`'\"]([^`'\"]+)[`'\"]")


def server_notices(context: CypherContext) -> list[Finding]:
    """A remark of the engine on an unknown name is a doubt, where no check has spoken of it.

    The engine plans without running, so it knows all names that are stored, also those that the
    catalog's samples have missed; but not whether the draft can do without: a name beside a known
    alternative (`Person|Actor`) or under a negation changes nothing.
    """
    if not isinstance(context.database, CanNotify):
        return []
    try:
        notices = context.database.notifications(context.query.text, context.parameters)
    except QueryError:  # the planner says why, in its own finding
        return []
    findings = []
    for notice in notices:
        name = _place(context.query, notice)
        if name is not None:
            findings.append(_finding(name, notice))
    return findings


def _place(query: cypher.Query, notice: Notification) -> ast.Name | ast.LabelName | None:
    """The name in the text that a remark means, unless the draft can do without it."""
    code = _CODES.get(notice.code)
    spare = {name.span for name in _spare(query)}
    for node in query.nodes:
        if isinstance(node, ast.LabelName) and code in ("SCH1", "SCH2"):
            name: ast.Name | ast.LabelName = node
            written = node.name
        elif isinstance(node, ast.Property) and code == "SCH3" and _may_be_stored(query, node):
            name, written = node.key, node.key.value
        else:
            continue
        if written in _QUOTED.findall(notice.message) and name.span not in spare:
            return name
    return None


def _spare(query: cypher.Query) -> Iterator[ast.LabelName]:
    for node in query.find(ast.LabelExpression):
        if isinstance(node, ast.LabelOr | ast.LabelNot):
            yield from ast.label_names(node)
    for test in dispensable_tests(query):
        yield from ast.label_names(test.labels)


def _may_be_stored(query: cypher.Query, node: ast.Property) -> bool:
    """The key may be read from a node or relationship, not from what is a map or a date."""
    if isinstance(node.target, ast.Variable):
        symbol = query.symbol(node.target)
        return symbol is not None and symbol.kind in ("node", "relationship")
    return isinstance(node.target, ast.FunctionCall | ast.Index)


def _finding(name: ast.Name | ast.LabelName, notice: Notification) -> Finding:
    written = name.name if isinstance(name, ast.LabelName) else name.value
    return Finding(
        code=_CODES[notice.code],
        check="server_notices",
        severity="doubt",
        span=name.span,
        message=f"The database does not know the name {written}; nothing can match it.",
        evidence=(Evidence(f"The database remarks: {notice.message}", answer=notice.code),),
    )

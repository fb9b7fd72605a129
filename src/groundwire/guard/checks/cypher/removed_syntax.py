"""SYN2: syntax that this version of Cypher no longer has, or that another language has."""

from __future__ import annotations

from collections.abc import Iterator

from groundwire.guard.findings import Evidence, Finding
from groundwire.query.cypher import Query, ast
from groundwire.query.edits import Edit

__all__ = ["removed_syntax"]

_RENAMED = {"toint": "toInteger", "rels": "relationships"}
"""Removed in version 5 (Neo4j Cypher manual, "Deprecations, additions, and compatibility")."""
_FOREIGN = {"!=": "<>", "==": "="}
"""Comparison signs of other languages."""


def removed_syntax(query: Query) -> list[Finding]:
    """What a query with errors has that is written otherwise today.

    `size((n)--())` counts with `COUNT { (n)--() }`, `exists(n.key)` is `n.key IS NOT NULL`.
    """
    repairs = {**dict(_calls(query)), **dict(_signs(query))}
    return [_finding(query, span, text) for span, text in sorted(repairs.items())]


def _calls(query: Query) -> Iterator[tuple[ast.Span, str]]:
    for call in query.find(ast.FunctionCall):
        name = call.name.lower()
        if name in _RENAMED:
            yield call.name_span, _RENAMED[name]
        if len(call.arguments) != 1:
            continue
        argument = call.arguments[0]
        inside = query.text[argument.span[0] : argument.span[1]]
        if name in ("size", "length") and isinstance(argument, ast.PatternExpression):
            yield call.span, f"COUNT {{ {inside} }}"
        elif name == "exists" and isinstance(argument, ast.Property | ast.Index):
            yield call.span, f"({inside} IS NOT NULL)"


def _signs(query: Query) -> Iterator[tuple[ast.Span, str]]:
    for problem in query.errors:
        for start in (problem.offset, problem.offset - 1):
            sign = query.text[max(start, 0) : start + 2]
            if sign in _FOREIGN:
                yield (start, start + 2), _FOREIGN[sign]


def _finding(query: Query, span: ast.Span, written: str) -> Finding:
    old = query.text[span[0] : span[1]]
    return Finding(
        code="SYN2",
        check="removed_syntax",
        severity="fault",
        span=span,
        message=f"Cypher has no {old} any more; it is written {written}.",
        evidence=tuple(Evidence(problem.sentence) for problem in query.errors[:1]),
        edits=(Edit(*span, written),),
        action="repaired",
    )

"""What the text of a gold query says about its order, and about chance in what it returns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.bench.case import Language
from groundwire.bench.ties import sort_by_outputs

if TYPE_CHECKING:
    from groundwire.query.cypher.ast import Projection

__all__ = ["chance_of_limit", "has_order"]


def has_order(query: str, language: Language, dialect: str) -> bool:
    """Whether there is an ORDER BY anywhere in it; True for what cannot be read."""
    if language == "cypher":
        from groundwire.query.cypher import ast, parse

        statements = parse(query).statements
        sorted_by = (ast.Projection, ast.OrderBy)
        return not statements or any(
            isinstance(node, sorted_by) and node.order_by
            for statement in statements
            for node in ast.walk(statement)
        )
    from sqlglot import exp

    from groundwire.query.sql import parse as parse_sql

    found = parse_sql(query, dialect).statements
    return not found or any(statement.find(exp.Order) for statement in found)


def chance_of_limit(query: str, language: Language, dialect: str) -> tuple[str, ...]:
    """Two forms of a query with a LIMIT: equal rows sorted by what is returned, up and down.

    Where the two (or the query itself and one of them) have different rows, the LIMIT cuts through
    rows that sort alike, and which of them come is chance. None for a query without a LIMIT, with
    `*` beside one in Cypher, or that cannot be read.
    """
    forms = _of_cypher(query) if language == "cypher" else _of_sql(query, dialect)
    return tuple(form for form in forms if form != query)


def _of_sql(query: str, dialect: str) -> list[str]:
    from sqlglot import exp

    from groundwire.query.sql import parse

    parsed = parse(query, dialect)
    if not parsed.ok or len(parsed.statements) != 1 or not parsed.statements[0].find(exp.Limit):
        return []
    forms = []
    for descending in (False, True):
        statement = parsed.statements[0].copy()
        for part in statement.find_all(exp.Query):
            if part.args.get("limit"):
                sort_by_outputs(part, descending)
        forms.append(statement.sql(dialect=dialect or None))
    return forms


def _of_cypher(query: str) -> list[str]:
    from groundwire.query.cypher import ast, parse

    parsed = parse(query)
    limited = [
        node
        for statement in parsed.statements
        for node in ast.walk(statement)
        if isinstance(node, ast.Projection) and node.limit is not None
    ]
    if not parsed.ok or not limited or any(node.star or not node.items for node in limited):
        return []
    forms = []
    for direction in ("ASC", "DESC"):
        text = query
        for node in sorted(limited, key=lambda node: -node.span[0]):
            place, keys = _keys(query, node, direction)
            text = text[:place] + keys + text[place:]
        forms.append(text)
    return forms


def _keys(query: str, node: Projection, direction: str) -> tuple[int, str]:
    """Where further sort keys of a projection stand, and their text."""
    names = (
        query[slice(*(item.alias or item.expression).span)] + f" {direction}" for item in node.items
    )
    last = node.order_by[-1] if node.order_by else node.items[-1]
    return last.span[1], (", " if node.order_by else " ORDER BY ") + ", ".join(names)

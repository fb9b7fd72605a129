"""The rule `column_names`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.query.cypher import ast

if TYPE_CHECKING:
    from groundwire.query.cypher.semantics.checker import Checker

__all__ = ["column_names"]


def column_names(clause: ast.Projection, checker: Checker) -> None:
    """A WITH names its expressions, no two columns share a name, and `*` stands for something.

    Cypher manual, "WITH" and "RETURN".
    """
    word = "WITH" if isinstance(clause, ast.With) else "RETURN"
    if clause.star and word == "RETURN" and not checker.names:
        checker.report(clause.span[0], "RETURN * has no variable to return.")
    seen: dict[str, int] = {}
    for item in clause.items:
        alias, expression = item.alias, item.expression
        if alias is not None:
            name = alias.name
        elif isinstance(expression, ast.Variable):
            name = expression.name
        elif isinstance(expression, ast.MapProjection):
            name = expression.variable.name
        else:
            if word == "WITH":
                checker.report(item.span[0], "An expression in a WITH needs a name: use AS.")
            name = checker.text[item.span[0] : item.span[1]]
        if name in seen:
            checker.report(seen[name], f"Two columns have the name `{name}`.")
        seen.setdefault(name, item.span[0])

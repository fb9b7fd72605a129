"""Names and types: the checks that Neo4j makes after the grammar, in its order.

One walk over the tree resolves every variable, follows the types as far as the text tells them, and
asks the rules of `rules/` about each node. The first problem is the one that Neo4j reports.
"""

from __future__ import annotations

from collections.abc import Collection

from groundwire.query.cypher import ast
from groundwire.query.cypher.semantics import types as t
from groundwire.query.cypher.semantics.phases import SEMANTIC, TEMPORAL
from groundwire.query.cypher.semantics.scope import Entity, Scope, Symbol

__all__ = ["Checker"]


class Checker:
    """The state of the walk, and what the rules may ask of it."""

    def __init__(self, text: str, functions: Collection[str]) -> None:
        self.text = text
        self.known_functions = functions
        self.found: list[tuple[int, int, str]] = []
        self.symbols: dict[int, Symbol] = {}
        self.scopes: list[Scope] = []
        self.names: dict[str, Symbol] = {}
        self.outer: dict[str, Symbol] = {}
        self.hidden: dict[str, Symbol] = {}
        self.projected: dict[tuple[object, ...], t.Type] = {}
        self.certain = False
        self.level = 0
        self.doubt = 0
        self.aggregates_allowed = False
        self.in_list = False
        self.in_aggregate = False
        self.saw_aggregate = False

    def report(self, offset: int, sentence: str, phase: int = SEMANTIC) -> None:
        """Note a problem."""
        self.found.append((phase, offset, sentence))

    def visit(self, node: ast.Expression) -> t.Type:
        """Check an expression; its type."""
        raise NotImplementedError

    def bind_expression_pattern(self, pattern: ast.PathPattern, introduces: bool) -> None:
        raise NotImplementedError

    def subquery(self, node: ast.SubqueryExpression) -> None:
        raise NotImplementedError

    def require(self, entity: Entity, labels: ast.LabelExpression | None) -> None:
        """Note labels that must hold, unless a subquery that may fail says so of what is outside.

        `level` counts the subqueries around this place, `doubt` is the level of the outermost one
        that need not succeed.
        """
        if labels is not None and entity.level >= self.doubt:
            entity.labels.append(labels)

    def new_entity(self, labels: ast.LabelExpression | None) -> Entity:
        """A node or relationship that is bound here."""
        return Entity(self.level, [] if labels is None else [labels])

    def resolve(self, variable: ast.Variable) -> Symbol | None:
        """The symbol that a variable refers to; a problem where there is none."""
        name = variable.name
        symbol = self.names.get(name)
        if symbol is not None:
            self.symbols[variable.span[0]] = symbol
            return symbol
        if name in self.hidden:
            self.report(
                variable.span[0],
                f"After a WITH or RETURN with DISTINCT or an aggregate, `{name}` can no longer be "
                "used here unless it is one of its columns.",
            )
        else:
            self.report(variable.span[0], f"Variable `{name}` is not defined.")
        return None

    def declare(self, variable: ast.Variable, type_: t.Type) -> Symbol:
        """Bind a variable in the present scope."""
        symbol = Symbol(variable.name, variable.span, type_)
        self.names[variable.name] = symbol
        self.symbols[variable.span[0]] = symbol
        return symbol

    def declare_new(self, variable: ast.Variable, type_: t.Type) -> None:
        """Bind a variable that must not be bound yet."""
        if variable.name in self.names:
            self.report(variable.span[0], f"Variable `{variable.name}` is already declared.")
        self.declare(variable, type_)

    def expect_integer(self, expression: ast.Expression) -> None:
        """A problem where an expression without variables cannot be an integer."""
        self.expect(expression, self.visit(expression), t.INTEGER)

    def expect(
        self, expression: ast.Expression, actual: t.Type, expected: int, late: bool = False
    ) -> None:
        """A problem where the expression can be none of the expected kinds.

        `late`: it is known only from a function that Neo4j looks up late, as temporal types are.
        """
        if not actual.kinds & expected:
            late = late or not actual.kinds & ~t.FROM_TEMPORAL or not expected & ~t.FROM_TEMPORAL
            self.report(
                t.position(expression, self.text),
                f"Type mismatch: {t.describe(expected)} is needed, this is {actual}.",
                TEMPORAL if late else SEMANTIC,
            )

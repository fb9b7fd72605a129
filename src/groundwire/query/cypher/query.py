"""What a Cypher text says: its tree, its variables, its errors."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from groundwire.query.cypher import ast, views
from groundwire.query.cypher.semantics.clause_checker import ClauseChecker
from groundwire.query.cypher.semantics.phases import FUNCTION
from groundwire.query.cypher.semantics.scope import Scope, Symbol
from groundwire.query.cypher.syntax.parser import parse_statements
from groundwire.query.problem import Problem

__all__ = ["Query", "parse"]

_MAX_PROBLEMS = 20
NodeType = TypeVar("NodeType", bound=ast.Node)


@dataclass(frozen=True)
class Query:
    """A Cypher text as a tree with places.

    `statements` holds what could be read, also of a broken text. `errors` are in the order in which
    Neo4j would report them: syntax errors by place, or else the problems that its checks find.
    `symbols` has the variable for the offset of each of its uses; `scopes` what can be used where.
    """

    text: str
    statements: tuple[ast.Statement, ...]
    errors: tuple[Problem, ...]
    scopes: tuple[Scope, ...] = field(repr=False, compare=False)
    symbols: dict[int, Symbol] = field(repr=False, compare=False)

    @property
    def ok(self) -> bool:
        """Whether Neo4j would take the text."""
        return not self.errors

    @cached_property
    def nodes(self) -> tuple[ast.Node, ...]:
        """Every node of every statement, parents first."""
        return tuple(node for statement in self.statements for node in ast.walk(statement))

    def find(self, kind: type[NodeType]) -> tuple[NodeType, ...]:
        """The nodes of a class and its subclasses, wherever they stand."""
        return tuple(node for node in self.nodes if isinstance(node, kind))

    @cached_property
    def writes(self) -> tuple[ast.Clause, ...]:
        """The clauses that do more than read the graph, in subqueries too."""
        return tuple(clause for clause in self.find(ast.Clause) if views.is_writing(clause))

    @cached_property
    def property_literals(self) -> tuple[views.PropertyLiteral, ...]:
        """Every literal that is compared with a property."""
        return tuple(
            found
            for statement in self.statements
            for found in views.property_literals(statement, self.symbols)
        )

    def symbol(self, variable: ast.Variable) -> Symbol | None:
        """What a variable stands for, at this place."""
        return self.symbols.get(variable.span[0])

    def scope_at(self, offset: int) -> dict[str, Symbol]:
        """The variables that can be used at a place of the text."""
        around = [scope for scope in self.scopes if scope.span[0] <= offset <= scope.span[1]]
        if not around:
            return {}
        return max(around, key=lambda scope: (scope.span[0], -scope.span[1])).symbols

    def labels_of(
        self, pattern: ast.NodePattern | ast.RelationshipPattern
    ) -> tuple[ast.LabelExpression, ...]:
        """All label expressions (types, for a relationship) that must hold for a pattern.

        They come from the pattern itself and from every other place that speaks of its variable:
        other patterns, `WHERE n:Label`, `'Label' IN labels(n)`, EXISTS, through WITH.
        """
        own = pattern.labels if isinstance(pattern, ast.NodePattern) else pattern.types
        found = [] if own is None else [own]
        symbol = None if pattern.variable is None else self.symbol(pattern.variable)
        if symbol is not None and symbol.entity is not None:
            found += [labels for labels in symbol.entity.labels if labels is not own]
        return tuple(found)


def _order(problem: tuple[int, int, str]) -> tuple[int, int]:
    """Pass by pass; functions are looked up from left to right, the rest as it was found."""
    phase, offset, _ = problem
    return phase, offset if phase == FUNCTION else 0


def parse(text: str, functions: Collection[str] = ()) -> Query:
    """Read a Cypher text; never raises, what is wrong with it stands in `.errors`.

    Args:
        text: one or more statements of Cypher 5, with the clauses that Cypher 25 added.
        functions: names, in small letters, of functions that the server has beyond the built-in
            ones (`apoc.text.join`); any other unknown function is an error, as on a server without
            plugins.
    """
    try:
        statements, problems = parse_statements(text)
        checker = ClauseChecker(text, functions)
        for statement in statements:
            checker.statement(statement)
    except RecursionError:  # the caller left less of the stack than MAX_DEPTH levels need
        problem = Problem.at(text, 0, "The query nests too deeply to be read here.")
        return Query(text, (), (problem,), (), {})
    if not problems:
        found = sorted(checker.found, key=_order)[:_MAX_PROBLEMS]
        problems = [Problem.at(text, offset, sentence) for _, offset, sentence in found]
    return Query(text, statements, tuple(problems), tuple(checker.scopes), checker.symbols)

"""What a Cypher text says: its tree, its variables, its errors."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from groundwire.query.cypher import ast
from groundwire.query.cypher.check_clauses import ClauseChecker
from groundwire.query.cypher.parser import parse_statements
from groundwire.query.cypher.scope import Scope, Symbol
from groundwire.query.problem import Problem


@dataclass(frozen=True)
class Query:
    text: str
    statements: tuple[ast.Statement, ...]
    errors: tuple[Problem, ...]
    scopes: tuple[Scope, ...]
    symbols: dict[int, Symbol]


def parse(text: str, functions: Collection[str] = ()) -> Query:
    statements, problems = parse_statements(text)
    checker = ClauseChecker(text, functions)
    for statement in statements:
        checker.names = {}
        checker.query(statement.query, "statement")
    if not problems:
        found = sorted(checker.found, key=lambda problem: problem[0])
        problems = [Problem.at(text, offset, sentence) for _, offset, sentence in found]
    return Query(text, statements, tuple(problems), tuple(checker.scopes), checker.symbols)

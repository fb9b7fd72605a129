"""The projections of a Cypher draft with the clauses before them, to ask the graph with.

A statistics check counts on the draft's own rows: the text of the clauses before a WITH or RETURN,
with another RETURN behind it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from groundwire.query import cypher
from groundwire.query.cypher import ast
from groundwire.query.edits import Edit, apply

__all__ = ["Stage", "final_stages", "stages", "variables"]


@dataclass(frozen=True, slots=True)
class Stage:
    """A WITH or RETURN outside all subqueries, in one branch of a draft."""

    query: cypher.Query
    branch: ast.SingleQuery
    projection: ast.Projection

    @property
    def before(self) -> str:
        """The text of the clauses before it, with a blank or line end behind."""
        return self.query.text[self.branch.clauses[0].span[0] : self.projection.span[0]] + " "

    @property
    def clauses(self) -> tuple[ast.Clause, ...]:
        """The clauses before it."""
        start = self.projection.span[0]
        return tuple(clause for clause in self.branch.clauses if clause.span[0] < start)

    @property
    def limit(self) -> int | None:
        """The number of its LIMIT, None where there is none or it is no plain number."""
        return _number(self.projection.limit)

    @property
    def skip(self) -> int | None:
        """The number of its SKIP, 0 where there is none, None where it is no plain number."""
        return 0 if self.projection.skip is None else _number(self.projection.skip)

    def text(self, node: ast.Node) -> str:
        """What is written for a part of it."""
        return self.query.text[node.span[0] : node.span[1]]

    def column(self, expression: ast.Expression) -> int | None:
        """The place among its columns that an expression of its ORDER BY means."""
        wanted = ast.shape(expression)
        for index, item in enumerate(self.projection.items):
            alias = item.alias.name if item.alias else None
            if isinstance(expression, ast.Variable) and expression.name == alias:
                return index
            if ast.shape(item.expression) == wanted:
                return index
        return None

    def behind(self, expression: ast.Expression) -> ast.Expression:
        """The expression that an ORDER BY sorts by, be it through a column's name."""
        column = self.column(expression)
        return expression if column is None else self.projection.items[column].expression

    def limited(self, rows: int, extra: tuple[ast.Expression, ...] = ()) -> str | None:
        """The draft up to here as a statement of its own, with another LIMIT and more columns.

        None where more columns cannot be written behind its own.
        """
        projection, text = self.projection, self.query.text
        if projection.limit is None or (extra and (projection.star or not projection.items)):
            return None
        start, end = self.branch.clauses[0].span[0], projection.limit.span[1]
        word = len("RETURN" if isinstance(projection, ast.Return) else "WITH")
        edits = [
            Edit(projection.span[0], projection.span[0] + word, "RETURN"),
            Edit(*projection.limit.span, str(rows)),
        ]
        if extra:
            columns = [f", {self.text(node)} AS sort_key_{i}" for i, node in enumerate(extra)]
            last = projection.items[-1].span[1]
            edits.append(Edit(last, last, "".join(columns)))
        closing = text[end:].lstrip()[:1] == ")"
        if closing:
            return None
        moved = [Edit(edit.start - start, edit.end - start, edit.text) for edit in edits]
        return apply(text[start:end], moved)


def stages(query: cypher.Query) -> Iterator[Stage]:
    """Every WITH and RETURN outside subqueries, in the order of the text."""
    for statement in query.statements:
        for branch in statement.query.branches:
            for clause in branch.clauses:
                if isinstance(clause, ast.Projection) and clause is not branch.clauses[0]:
                    yield Stage(query, branch, clause)


def final_stages(query: cypher.Query) -> Iterator[Stage]:
    """The RETURN of a draft without UNION."""
    for stage in stages(query):
        alone = all(len(statement.query.branches) == 1 for statement in query.statements)
        if alone and isinstance(stage.projection, ast.Return):
            yield stage


def variables(root: ast.Node) -> frozenset[str]:
    """The names of the variables in a part of a query."""
    return frozenset(node.name for node in ast.walk(root) if isinstance(node, ast.Variable))


def _number(expression: ast.Expression | None) -> int | None:
    if isinstance(expression, ast.Literal) and type(expression.value) is int:
        return expression.value
    return None

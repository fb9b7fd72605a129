"""Clauses: how each one changes which variables there are."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, Final, TypeAlias

from groundwire.query.cypher import ast
from groundwire.query.cypher.semantics import types as t
from groundwire.query.cypher.semantics.pattern_checker import PatternChecker
from groundwire.query.cypher.semantics.phases import SEMANTIC
from groundwire.query.cypher.semantics.rules.clause_order import clause_order
from groundwire.query.cypher.semantics.rules.column_names import column_names
from groundwire.query.cypher.semantics.rules.created_pattern import created_pattern
from groundwire.query.cypher.semantics.rules.implicit_grouping import implicit_grouping
from groundwire.query.cypher.semantics.rules.importing_with import importing_with
from groundwire.query.cypher.semantics.rules.match_patterns import match_patterns
from groundwire.query.cypher.semantics.rules.page_size import page_size
from groundwire.query.cypher.semantics.rules.procedure_call import procedure_call
from groundwire.query.cypher.semantics.rules.query_end import query_end
from groundwire.query.cypher.semantics.rules.union_columns import union_columns
from groundwire.query.cypher.semantics.rules.updates_in_expression import updates_in_expression
from groundwire.query.cypher.semantics.scope import Entity, Scope, Symbol

__all__ = ["ClauseChecker"]

Columns: TypeAlias = dict[str, Symbol] | None
"""The columns of a query by name; None if it returns nothing."""


class ClauseChecker(PatternChecker):
    """Checks whole queries."""

    def __init__(self, text: str, functions: Collection[str]) -> None:
        super().__init__(text, functions)
        # What stands outside of the CALL { ... } that is being checked.
        self.importable: dict[str, Symbol] = {}

    def statement(self, statement: ast.Statement) -> None:
        """Check one statement; nothing is bound before it."""
        self.names = {}
        self.query(statement.query, "statement")

    def query(self, query: ast.RegularQuery, kind: str) -> Columns:
        """Check the branches of a query; the columns of the first.

        `kind` is `statement`, `call` or the kind of a subquery expression.
        """
        start = self.names
        first: Columns = None
        for i, branch in enumerate(query.branches):
            self.names = dict(start)
            columns = self.branch(branch, kind)
            if first is None or columns is None:
                first = columns if i == 0 else first
            else:
                for name in first.keys() & columns.keys():
                    either = t.union([first[name].type, columns[name].type])
                    first[name] = Symbol(name, first[name].declared, either)
            if i > 0:
                union_columns(query, i, set(first or ()), set(columns or ()), self)
        self.names = start
        return first

    def branch(self, branch: ast.SingleQuery, kind: str) -> Columns:
        clauses = branch.clauses
        columns: Columns = None
        for i, clause in enumerate(clauses):
            if i == 0 and kind == "call" and isinstance(clause, ast.With):
                self.import_variables(clause)
            elif isinstance(clause, ast.Return):
                self.names = columns = self.return_clause(clause, kind)
            else:
                _CLAUSES[type(clause)](self, clause)
            self.scopes.append(Scope(clause.span, self.names))
        clause_order(branch, self)
        if kind not in ("EXISTS", "COUNT"):
            query_end(branch, kind, self)
        return columns

    # -------------------------------------------------------------- reading

    def match(self, clause: ast.Match) -> None:
        self.names = dict(self.names)
        self.bind_patterns(clause.patterns, clause.optional)
        match_patterns(clause, self)
        for hint in clause.hints:
            self.visit_all(*hint.variables)
        if clause.where is not None:
            self.test(clause.where, certain=True)

    def unwind(self, clause: ast.Unwind) -> None:
        self.saw_aggregate, self.aggregates_allowed = False, True
        source = self.visit(clause.source)
        self.aggregates_allowed = False
        if self.saw_aggregate:
            self.report(clause.source.span[0], "UNWIND cannot take an aggregate: put a WITH first.")
        self.names = dict(self.names)
        element = t.element_of(source)
        if element.entity is not None:  # what is learnt of one element holds not for all
            element = element._replace(entity=Entity(self.level, list(element.entity.labels)))
        self.introduce(clause.variable, element)

    def introduce(self, variable: ast.Variable, type_: t.Type) -> None:
        """A variable that may neither be bound yet nor shadow one around a subquery."""
        if variable.name in self.outer:
            self.shadows(variable)
            self.declare(variable, type_)
        else:
            self.declare_new(variable, type_)

    def shadows(self, variable: ast.Variable) -> None:
        self.report(
            variable.span[0],
            f"Variable `{variable.name}` has the name of one outside of the subquery.",
        )

    def call_procedure(self, clause: ast.CallProcedure) -> None:
        self.saw_aggregate, self.aggregates_allowed = False, True
        self.visit_all(*(clause.arguments or ()))
        self.aggregates_allowed = False
        if self.saw_aggregate:
            self.report(clause.span[0], "A procedure cannot take an aggregate: put a WITH first.")
        self.names = dict(self.names)
        for item in clause.yields or ():
            self.introduce(item.variable, t.ANY)
        if clause.where is not None:
            self.test(clause.where, certain=True)
        procedure_call(clause, self)

    def call_subquery(self, clause: ast.CallSubquery) -> None:
        names, outer = self.names, self.outer
        importable, self.importable = self.importable, names
        if clause.imports is None and not clause.import_star:
            self.names, self.outer = {}, {}
        else:
            self.names = dict(names) if clause.import_star else {}
            for variable in clause.imports or ():
                symbol = names.get(variable.name)
                if symbol is None:
                    self.report(variable.span[0], f"Variable `{variable.name}` is not defined.")
                else:
                    self.symbols[variable.span[0]] = self.names[variable.name] = symbol
            self.outer = dict(self.names)
        self.scopes.append(Scope(clause.query.span, self.names))
        columns = self.query(clause.query, "call")
        self.outer, self.importable = outer, importable
        self.names = {**names, **{n: s for n, s in (columns or {}).items() if n not in names}}
        if clause.report is not None:
            self.declare(clause.report, t.MAP_TYPE)

    def import_variables(self, clause: ast.With) -> None:
        """The first WITH of `CALL { ... }` brings in variables from outside."""
        names, self.names = self.names, self.importable
        if not clause.star and not any(has_variable(item.expression) for item in clause.items):
            self.names = names  # nothing from outside: an ordinary WITH
            self.with_clause(clause)
            return
        importing_with(clause, self)
        for item in clause.items:
            self.visit(item.expression)
        kept = dict(self.importable) if clause.star else dict(names)
        for item in clause.items:
            name = column_name(item, self.text)
            if name in self.importable:
                kept[name] = self.importable[name]
        self.names = kept

    def subquery(self, node: ast.SubqueryExpression) -> None:
        names, outer, hidden, projected = self.names, self.outer, self.hidden, self.projected
        certain, allowed, saw = self.certain, self.aggregates_allowed, self.saw_aggregate
        in_list = self.in_list
        inside, self.in_aggregate = self.in_aggregate, False
        doubt = self.doubt
        self.level += 1
        if not (certain and node.kind == "EXISTS"):
            self.doubt = doubt or self.level
        self.aggregates_allowed, self.in_list = False, False
        self.outer = dict(names)
        self.scopes.append(Scope(node.query.span, names))
        columns = self.query(node.query, node.kind)
        self.level -= 1
        self.doubt = doubt
        updates_in_expression(node, self)
        if node.kind == "COLLECT" and columns is not None and len(columns) != 1:
            self.report(node.span[0], "COLLECT { ... } must return one column.")
        self.names, self.outer, self.hidden, self.projected = names, outer, hidden, projected
        self.certain, self.aggregates_allowed, self.saw_aggregate = certain, allowed, saw
        self.in_aggregate, self.in_list = inside, in_list

    def load_csv(self, clause: ast.LoadCsv) -> None:
        self.visit(clause.source)
        self.names = dict(self.names)
        row = t.MAP_TYPE if clause.headers else t.Type(t.LIST, t.STRING_TYPE)
        self.introduce(clause.variable, row)

    def use(self, clause: ast.Use) -> None:
        if isinstance(clause.graph, ast.FunctionCall):
            self.visit_all(*clause.graph.arguments)

    def nothing(self, clause: ast.Clause) -> None:
        """A clause with nothing in it to check."""

    def filter(self, clause: ast.Filter) -> None:
        self.test(clause.where, certain=True)

    def let(self, clause: ast.Let) -> None:
        self.names = dict(self.names)
        for item in clause.items:
            value = self.visit(item.expression)
            if item.alias is not None:
                self.introduce(item.alias, value)

    # ---------------------------------------------------------- projections

    def with_clause(self, clause: ast.With) -> None:
        before = self.names
        columns, types, aggregated = self.project(clause)
        after = {**self.outer, **columns}
        self.order_and_filter(clause, before, after, types, aggregated)
        self.names = after

    def return_clause(self, clause: ast.Return, kind: str) -> dict[str, Symbol]:
        before = self.names
        columns, types, aggregated = self.project(clause)
        if kind in ("call", "COLLECT", "EXISTS", "COUNT"):
            self.return_from_subquery(clause, kind)
        self.order_and_filter(clause, before, columns, types, aggregated)
        return columns

    def return_from_subquery(self, clause: ast.Return, kind: str) -> None:
        for item in clause.items:
            if item.alias is None and not isinstance(
                item.expression, ast.Variable | ast.MapProjection
            ):
                if kind == "call":
                    self.report(
                        item.span[0], "A column that CALL { ... } returns needs a name: use AS."
                    )
            elif kind == "call":
                place = item.expression if item.alias is None else item.alias
                if column_name(item, self.text) in self.importable:
                    self.report(
                        place.span[0],
                        f"Variable `{column_name(item, self.text)}` is already declared outside "
                        "of the subquery.",
                    )
            elif item.alias is not None and item.alias.name in self.outer:
                self.shadows(item.alias)

    def project(self, clause: ast.Projection) -> tuple[dict[str, Symbol], list[t.Type], set[int]]:
        """The columns, the types of the items, and the indexes of those with an aggregate."""
        aggregated: set[int] = set()
        columns: dict[str, Symbol] = dict(self.names) if clause.star else {}
        types: list[t.Type] = []
        self.aggregates_allowed = True
        for i, item in enumerate(clause.items):
            self.saw_aggregate = False
            types.append(self.visit(item.expression))
            if self.saw_aggregate:
                aggregated.add(i)
        self.saw_aggregate = self.aggregates_allowed = False
        for item, type_ in zip(clause.items, types, strict=True):
            name = column_name(item, self.text)
            expression = item.expression
            if isinstance(expression, ast.Variable) and name == expression.name:
                symbol = self.names.get(name) or Symbol(name, expression.span, type_)
            else:
                place = item.expression.span if item.alias is None else item.alias.span
                symbol = Symbol(name, place, type_, expression)
                if item.alias is not None:
                    self.symbols[place[0]] = symbol
                    if isinstance(clause, ast.With) and name in self.outer:
                        self.shadows(item.alias)
            columns[name] = symbol
        column_names(clause, self)
        if aggregated:
            implicit_grouping(clause, aggregated, self)
        return columns, types, aggregated

    def order_and_filter(
        self,
        clause: ast.Projection,
        before: dict[str, Symbol],
        columns: dict[str, Symbol],
        types: list[t.Type],
        aggregated: set[int],
    ) -> None:
        """ORDER BY, SKIP, LIMIT and WHERE, which see the columns, and what was there before."""
        where = clause.where if isinstance(clause, ast.With) else None
        if not clause.order_by and where is None:
            page_size(clause, self)
            return
        if clause.distinct or aggregated:
            self.names, self.hidden = {**self.outer, **columns}, before
            self.projected = {
                ast.shape(item.expression): type_
                for item, type_ in zip(clause.items, types, strict=True)
            }
        else:
            self.names = {**before, **columns}
        self.scopes.append(Scope(self.tail_span(clause, where), self.names))
        if clause.order_by:
            self.sort(clause, bool(aggregated))
        page_size(clause, self)
        if where is not None:
            self.test(where, certain=True)
        self.hidden, self.projected = {}, {}

    def tail_span(self, clause: ast.Projection, where: ast.Expression | None) -> ast.Span:
        first = clause.order_by[0] if clause.order_by else where
        assert first is not None
        return (first.span[0], clause.span[1])

    def sort(self, clause: ast.Projection | ast.OrderBy, aggregated: bool) -> None:
        self.aggregates_allowed = True
        for item in clause.order_by:
            self.saw_aggregate = False
            before = len(self.found)
            self.visit(item.expression)
            if self.saw_aggregate:
                place = item.expression.span[0] if aggregated else clause.span[0]
                sentence = "ORDER BY can only use an aggregate that is also a column."
                # Neo4j looks at a clause without aggregates first, at its parts then.
                where = len(self.found) if aggregated else before
                self.found.insert(where, (SEMANTIC, place, sentence))
        self.saw_aggregate = self.aggregates_allowed = False

    def order_by(self, clause: ast.OrderBy) -> None:
        self.sort(clause, aggregated=False)
        page_size(clause, self)

    # -------------------------------------------------------------- writing

    def create(self, clause: ast.Create) -> None:
        self.names = dict(self.names)
        created_pattern(clause.patterns, "CREATE", self)
        self.bind_patterns(clause.patterns, optional=False)

    def merge(self, clause: ast.Merge) -> None:
        self.names = dict(self.names)
        created_pattern((clause.pattern,), "MERGE", self)
        self.bind_patterns((clause.pattern,), optional=False)
        for action in clause.actions:
            self.set(action)

    def set(self, clause: ast.Set) -> None:
        for item in clause.items:
            self.visit(item.target)
            if item.value is not None:
                self.visit(item.value)

    def remove(self, clause: ast.Remove) -> None:
        self.visit_all(*clause.items)

    def delete(self, clause: ast.Delete) -> None:
        for expression in clause.expressions:
            actual = self.visit(expression)
            self.expect(expression, actual, t.NODE | t.RELATIONSHIP | t.PATH)

    def foreach(self, clause: ast.Foreach) -> None:
        source = self.visit(clause.source)
        names, self.names = self.names, dict(self.names)
        self.declare(clause.variable, t.element_of(source))
        for inner in clause.clauses:
            if isinstance(inner, ast.Create | ast.Merge | ast.Set | ast.Remove | ast.Delete):
                _CLAUSES[type(inner)](self, inner)
            elif isinstance(inner, ast.Foreach):
                self.foreach(inner)
            else:
                self.report(inner.span[0], "FOREACH can only hold clauses that write.")
        self.names = names


def column_name(item: ast.ProjectionItem, text: str) -> str:
    """The name of a column: its alias, or its text."""
    if item.alias is not None:
        return item.alias.name
    if isinstance(item.expression, ast.Variable):
        return item.expression.name
    if isinstance(item.expression, ast.MapProjection):
        return item.expression.variable.name
    return text[item.span[0] : item.span[1]]


def has_variable(node: ast.Node) -> bool:
    """Whether a variable stands anywhere in an expression."""
    return any(isinstance(each, ast.Variable) for each in ast.walk(node))


_CLAUSES: Final[dict[type[ast.Clause], Callable[[ClauseChecker, Any], None]]] = {
    ast.Match: ClauseChecker.match,
    ast.With: ClauseChecker.with_clause,
    ast.Unwind: ClauseChecker.unwind,
    ast.CallProcedure: ClauseChecker.call_procedure,
    ast.CallSubquery: ClauseChecker.call_subquery,
    ast.LoadCsv: ClauseChecker.load_csv,
    ast.Use: ClauseChecker.use,
    ast.Filter: ClauseChecker.filter,
    ast.Let: ClauseChecker.let,
    ast.OrderBy: ClauseChecker.order_by,
    ast.Create: ClauseChecker.create,
    ast.Merge: ClauseChecker.merge,
    ast.Set: ClauseChecker.set,
    ast.Remove: ClauseChecker.remove,
    ast.Delete: ClauseChecker.delete,
    ast.Foreach: ClauseChecker.foreach,
    ast.Finish: ClauseChecker.nothing,
    ast.Command: ClauseChecker.nothing,
    ast.Broken: ClauseChecker.nothing,
}

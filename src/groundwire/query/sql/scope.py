"""Which table or alias each name of a statement means, by SQL's scope rules.

Follows ISO/IEC 9075-2 (query expressions, joined tables, correlated subqueries) with the
deviations of the three engines: output aliases in GROUP BY and ORDER BY (all), and anywhere
(DuckDB, SQLite); whole-row references (PostgreSQL, DuckDB); double-quoted strings (SQLite).
Where the text alone cannot tell, a source is `open` and its columns are left to the database.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from groundwire.query.sql.level import (
    Columns,
    Level,
    alias_of,
    children,
    named_by,
    renamed,
    visible_from,
)
from groundwire.query.sql.names import Block, ColumnUse, Meaning, Source, TableUse, Uses
from groundwire.query.sql.resolve import Resolver
from groundwire.query.sql.tree import walk

if TYPE_CHECKING:
    from sqlglot import exp

    from groundwire.query.sql.parse import Query

__all__ = ["ColumnUse", "Columns", "Lookup", "Source", "TableUse", "Uses", "uses"]

Lookup = Callable[[str, str, bool, bool], Columns | None]
"""(name, schema, name quoted, schema quoted) → the columns of a stored table, None = unknown."""

_Ctes = dict[str, Source]


def uses(query: Query, lookup: Lookup) -> Uses:
    """All tables and columns that the first statement of a query names, with their meaning.

    Args:
        query: a text that parsed (`query.ok`).
        lookup: gives the columns of a stored table.
    """
    finder = _Finder(query, lookup)
    finder.query_expression(query.statements[0], None, {})
    order = {id(node): place for place, node in enumerate(walk(query.statements[0]))}
    finder.uses.blocks.sort(key=lambda block: order.get(id(block.node), 0))
    return finder.uses


class _Finder(Resolver):
    def __init__(self, query: Query, lookup: Lookup) -> None:
        super().__init__(query)
        self.lookup = lookup

    # -- query expressions ---------------------------------------------------------------

    def query_expression(self, node: exp.Expr, outer: Level | None, ctes: _Ctes) -> Columns:
        """Visit a SELECT, a set operation, VALUES or a bracketed one: (columns, open)."""
        exp = self.exp
        ctes = self.with_clause(node, outer, ctes)
        if isinstance(node, exp.Subquery | exp.Paren):
            columns, is_open = self.query_expression(node.this, outer, ctes)
            self.modifiers(node, outer, ctes, columns, is_open)
            return columns, is_open
        if isinstance(node, exp.SetOperation):
            columns, is_open = self.query_expression(node.left, outer, ctes)
            right, right_open = self.query_expression(node.right, outer, ctes)
            if node.args.get("by_name"):
                columns = tuple(dict.fromkeys((*columns, *right)))
                is_open |= right_open
            self.modifiers(node, outer, ctes, columns, is_open)
            return columns, is_open
        if isinstance(node, exp.Select):
            return self.select(node, outer, ctes)
        if isinstance(node, exp.Pivot):
            # Which columns a pivot takes and gives depends on the data.
            self.from_item(node.this, Level(outer), ctes)
            return (), True
        scope = Level(outer)
        self.expression(node, scope, ctes, skip_root=True)
        return (), True

    def with_clause(self, node: exp.Expr, outer: Level | None, ctes: _Ctes) -> _Ctes:
        clause = node.args.get("with_") or node.args.get("with")
        if clause is None:
            return ctes
        ctes = dict(ctes)
        for cte in clause.expressions:
            name = self.fold(cte.args["alias"].this)
            given = tuple(self.fold(column) for column in cte.args["alias"].columns)
            body = cte.this
            # SQLite takes a CTE as recursive without being told.
            recursive = clause.args.get("recursive") or self.dialect == "sqlite"
            if recursive and isinstance(body, self.exp.SetOperation):
                anchor = _Finder.__new__(_Finder)
                anchor.__dict__.update(self.__dict__)
                anchor.uses = Uses()
                columns, is_open = anchor.query_expression(body.left, outer, ctes)
                ctes[name] = Source(name, *renamed(columns, is_open, given))
            columns, is_open = self.query_expression(body, outer, ctes)
            columns, is_open = renamed(columns, is_open, given)
            if cte is clause.expressions[-1]:
                columns = (*columns, *self.marks(clause))
            ctes[name] = Source(name, columns, is_open)
        return ctes

    def marks(self, clause: exp.Expr) -> Iterator[str]:
        """The columns that SEARCH and CYCLE add to the last CTE (PostgreSQL)."""
        for mark in (clause.args.get("search"), clause.args.get("cycle")):
            for key in ("expression", "using"):
                if mark is not None and mark.args.get(key):
                    yield self.fold(mark.args[key])

    def modifiers(
        self,
        node: exp.Expr,
        outer: Level | None,
        ctes: _Ctes,
        columns: tuple[str, ...],
        is_open: bool,
    ) -> None:
        """ORDER BY, LIMIT and OFFSET behind a set operation or brackets see only its output."""
        scope = Level(outer, [Source("", columns, is_open)])
        for key in ("order", "limit", "offset"):
            if node.args.get(key) is not None:
                self.expression(node.args[key], scope, ctes)

    def select(self, node: exp.Select, outer: Level | None, ctes: _Ctes) -> Columns:
        exp = self.exp
        scope = Level(outer)
        clause = node.args.get("from_") or node.args.get("from")
        joins = list(node.args.get("joins") or ())
        laterals = list(node.args.get("laterals") or ())
        if clause is not None:
            self.from_item(clause.this, scope, ctes)
        for join in joins:
            self.join(join, scope, ctes)
        for lateral in laterals:
            self.from_item(lateral, scope, ctes)
        self.uses.blocks.append(Block(node, tuple(scope.sources), tuple(scope.joined)))
        columns, is_open = self.output(node, scope)
        scope.aliases = {
            self.fold(p.args["alias"]) for p in node.selects if isinstance(p, exp.Alias)
        }
        everywhere = self.dialect != "postgres"
        hidden, scope.aliases = scope.aliases, scope.aliases if everywhere else set()
        done = {"with", "with_", "from", "from_", "joins", "laterals"}
        for key, value in node.args.items():
            if key in done or key in ("order", "group"):
                continue
            for part in value if isinstance(value, list) else [value]:
                if isinstance(part, exp.Expr):
                    self.expression(part, scope, ctes)
        scope.aliases = hidden
        for key in ("group", "order"):
            if node.args.get(key) is not None:
                self.expression(node.args[key], scope, ctes)
        return columns, is_open

    # -- FROM ----------------------------------------------------------------------------

    def join(self, join: exp.Expr, scope: Level, ctes: _Ctes) -> None:
        before = list(scope.sources)
        self.from_item(join.this, scope, ctes)
        added = [source for source in scope.sources if source not in before]
        if isinstance(join, self.exp.Join):
            scope.joined.append((join, tuple(added)))
        if join.args.get("on") is not None:
            self.expression(join.args["on"], scope, ctes)
        named: dict[str, tuple[Source, ...]] = {}
        for identifier in join.args.get("using") or ():
            name = self.fold(identifier)
            scope.merged.add(name)
            for side in (before, added):
                found = tuple(s for s in side if name in s.columns)
                is_open = any(s.open for s in side)
                meaning: Meaning = "column" if found else "open" if is_open else "unknown"
                self.record(identifier, meaning, found, tuple(side))
                named[name] = (*named.get(name, ()), *found)
        if alias_of(join) is not None:
            scope.named[self.fold(alias_of(join))] = named
        if str(join.args.get("method") or "").upper() == "NATURAL":
            left = {name for source in before for name in source.columns}
            scope.merged |= left & {name for source in added for name in source.columns}

    def from_item(self, item: exp.Expr, scope: Level, ctes: _Ctes) -> None:
        exp = self.exp
        if isinstance(item, exp.Table):
            scope.sources.append(self.table(item, scope, ctes))
        elif isinstance(item, exp.Subquery | exp.Paren) and isinstance(item.this, exp.Table):
            if alias_of(item) is None:
                self.from_item(item.this, scope, ctes)
            else:
                scope.sources.append(self.named_join(item, scope, ctes))
        elif isinstance(item, exp.Subquery):
            visible = scope if self.dialect == "duckdb" else scope.outer
            columns, is_open = self.query_expression(item, visible, ctes)
            scope.sources.append(self.derived(item, columns, is_open))
        elif isinstance(item, exp.Lateral) and isinstance(item.this, exp.Subquery):
            columns, is_open = self.query_expression(item.this, scope, ctes)
            scope.sources.append(self.derived(item, columns, is_open))
        else:
            self.expression(item, scope, ctes, skip_root=True)
            scope.sources.append(self.derived(item, (), True))
        for join in item.args.get("joins") or ():
            self.join(join, scope, ctes)
        for lateral in item.args.get("laterals") or ():
            self.from_item(lateral, scope, ctes)

    def named_join(self, item: exp.Expr, scope: Level, ctes: _Ctes) -> Source:
        """`(a JOIN b USING (x)) AS j`: outside, only `j` is known, with the columns of both."""
        inner = Level(scope)
        self.from_item(item.this, inner, ctes)
        columns = dict.fromkeys(name for source in inner.sources for name in source.columns)
        return self.derived(item, tuple(columns), any(source.open for source in inner.sources))

    def table(self, node: exp.Table, scope: Level, ctes: _Ctes) -> Source:
        exp = self.exp
        alias = self.fold(alias_of(node))
        if not isinstance(node.this, exp.Identifier):
            self.expression(node, scope, ctes, skip_root=True)
            return self.derived(node, (), True)
        name, schema = node.this, node.args.get("db")
        if schema is None and self.fold(name) in ctes:
            source = ctes[self.fold(name)]
            columns, is_open = source.columns, source.open
            table = None
        else:
            known = self.lookup(
                name.name,
                schema.name if schema is not None else "",
                bool(name.args.get("quoted")),
                bool(schema is not None and schema.args.get("quoted")),
            )
            table = TableUse(
                name.name,
                schema.name if schema is not None else "",
                bool(name.args.get("quoted")),
                bool(schema is not None and schema.args.get("quoted")),
                node,
                known is not None,
            )
            self.uses.tables.append(table)
            columns, is_open = known or ((), True)
        given = self.alias_columns(node)
        columns, is_open = renamed(columns, is_open or bool(node.args.get("pivots")), given)
        return Source(alias or self.fold(name), columns, is_open, table, bool(given))

    def derived(self, item: exp.Expr, columns: tuple[str, ...], is_open: bool) -> Source:
        name = self.fold(alias_of(item))
        columns, is_open = renamed(columns, is_open, self.alias_columns(item))
        return Source(name, columns, is_open or bool(item.args.get("pivots")))

    def alias_columns(self, item: exp.Expr) -> tuple[str, ...]:
        alias = item.args.get("alias")
        columns = alias.args.get("columns") or () if alias is not None else ()
        return tuple(self.fold(c.this if isinstance(c, self.exp.ColumnDef) else c) for c in columns)

    # -- SELECT list ---------------------------------------------------------------------

    def output(self, node: exp.Select, scope: Level) -> Columns:
        """The names of the columns that a SELECT gives, and whether there may be others."""
        columns: list[str] = []
        is_open = False
        for projection in node.selects:
            spread = self.star(projection, scope)
            if spread is not None:
                names, more = spread
                columns += names
                is_open |= more
            elif isinstance(projection, self.exp.Alias):
                columns.append(self.fold(projection.args["alias"]))
            elif isinstance(projection, self.exp.Column):
                columns.append(self.fold(projection.this))
            else:
                is_open = True
        return tuple(columns), is_open

    def star(self, projection: exp.Expr, scope: Level) -> tuple[list[str], bool] | None:
        """What `*` or `alias.*` spreads out; None for anything else."""
        exp = self.exp
        if isinstance(projection, exp.Star):
            star, sources = projection, scope.sources
        elif isinstance(projection, exp.Column) and isinstance(projection.this, exp.Star):
            wanted = self.fold(projection.args.get("table"))
            if (columns := named_by(scope, wanted)) is not None:
                return list(columns), False
            # In a LATERAL or correlated subquery it may be a source of the SELECT around.
            named = [source for source in visible_from(scope) if source.name == wanted]
            star, sources = projection.this, named[:1]
        else:
            return None
        self.uses.stars += [(projection, source) for source in sources]
        changed = any(star.args.get(key) for key in ("except_", "except", "replace", "rename"))
        names = [name for source in sources for name in source.columns]
        return names, changed or not sources or any(source.open for source in sources)

    # -- expressions ---------------------------------------------------------------------

    def expression(
        self, node: exp.Expr, scope: Level, ctes: _Ctes, *, skip_root: bool = False
    ) -> None:
        exp = self.exp
        if not skip_root:
            if isinstance(node, exp.Query) or (
                isinstance(node, exp.Paren) and isinstance(node.this, exp.Query)
            ):
                self.query_expression(node, scope, ctes)
                return
            if isinstance(node, exp.Column):
                self.column(node, scope)
                return
            if isinstance(node, exp.Dot) and self.dialect == "duckdb":
                self.method_owner(node, scope)
            if isinstance(node, exp.Table) and not isinstance(node.parent, exp.Table):
                # A table in an expression: `x IN some_table` (SQLite, DuckDB).
                self.table(node, scope, ctes)
                return
            if isinstance(node, exp.Comprehension):
                scope = Level(scope, [Source("", self.bound(node))])
        for child in children(node, exp.Expr):
            self.expression(child, scope, ctes)

    def bound(self, node: exp.Comprehension) -> tuple[str, ...]:
        """The loop variables of a list comprehension (DuckDB)."""
        loops = [node.args.get("expression"), node.args.get("position")]
        return tuple(self.fold(loop) for loop in loops if loop is not None)

"""Which table or alias each name of a statement means, by SQL's scope rules.

Follows ISO/IEC 9075-2 (query expressions, joined tables, correlated subqueries) with the
deviations of the three engines: output aliases in GROUP BY and ORDER BY (all), and anywhere
(DuckDB, SQLite); whole-row references (PostgreSQL, DuckDB); double-quoted strings (SQLite).
Where the text alone cannot tell, a source is `open` and its columns are left to the database.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from groundwire.query.sql.level import (
    Columns,
    Level,
    alias_of,
    children,
    renamed,
    visible_from,
)
from groundwire.query.sql.names import Block, ColumnUse, Meaning, Source, TableUse, Uses

if TYPE_CHECKING:
    from sqlglot import exp

    from groundwire.query.sql.parse import Query

__all__ = ["ColumnUse", "Columns", "Lookup", "Source", "TableUse", "Uses", "uses"]

Lookup = Callable[[str, str, bool, bool], Columns | None]
"""(name, schema, name quoted, schema quoted) → the columns of a stored table, None = unknown."""

_SYSTEM_COLUMNS = {
    "postgres": {"ctid", "xmin", "xmax", "cmin", "cmax", "tableoid"},
    "duckdb": {"rowid"},
    "sqlite": {"rowid", "_rowid_", "oid", "rank"},
}
_DUCKDB_SCHEMAS = {"main", "pg_catalog", "system", "temp"}
"""What may stand before a function's name and is no column: `main.upper(x)`."""
_NILADIC = {
    "user",
    "current_user",
    "session_user",
    "current_role",
    "current_catalog",
    "current_schema",
    "localtime",
    "localtimestamp",
}


_Ctes = dict[str, Source]


def uses(query: Query, lookup: Lookup) -> Uses:
    """All tables and columns that the first statement of a query names, with their meaning.

    Args:
        query: a text that parsed (`query.ok`).
        lookup: gives the columns of a stored table.
    """
    finder = _Finder(query, lookup)
    finder.query_expression(query.statements[0], None, {})
    order = {id(node): place for place, node in enumerate(query.statements[0].walk())}
    finder.uses.blocks.sort(key=lambda block: order.get(id(block.node), 0))
    return finder.uses


class _Finder:
    def __init__(self, query: Query, lookup: Lookup) -> None:
        from sqlglot import exp
        from sqlglot.dialects.dialect import Dialect

        self.exp = exp
        self.dialect = query.dialect
        self._normalise = Dialect.get_or_raise(query.dialect).normalize_identifier
        self.lookup = lookup
        self.uses = Uses()

    def fold(self, identifier: exp.Expr | None) -> str:
        if identifier is None:
            return ""
        if not isinstance(identifier, self.exp.Identifier):
            return identifier.name.lower()
        return str(self._normalise(identifier.copy()).name)

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
            ctes[name] = Source(name, *renamed(columns, is_open, given))
        return ctes

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
        for identifier in join.args.get("using") or ():
            name = self.fold(identifier)
            scope.merged.add(name)
            for side in (before, added):
                found = tuple(s for s in side if name in s.columns)
                is_open = any(s.open for s in side)
                meaning: Meaning = "column" if found else "open" if is_open else "unknown"
                self.record(identifier, meaning, found, tuple(side))
        if str(join.args.get("method") or "").upper() == "NATURAL":
            left = {name for source in before for name in source.columns}
            scope.merged |= left & {name for source in added for name in source.columns}

    def from_item(self, item: exp.Expr, scope: Level, ctes: _Ctes) -> None:
        exp = self.exp
        if isinstance(item, exp.Table):
            scope.sources.append(self.table(item, scope, ctes))
        elif isinstance(item, exp.Subquery | exp.Paren) and isinstance(item.this, exp.Table):
            self.from_item(item.this, scope, ctes)
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
            star, sources = projection.this, [s for s in scope.sources if s.name == wanted]
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

    def method_owner(self, node: exp.Dot, scope: Level) -> None:
        """The column of a call in method form, `email.upper()` or `p.email.upper()` (DuckDB)."""
        names: list[exp.Expr] = []
        first: exp.Expr = node
        while isinstance(first, exp_dot := self.exp.Dot):
            names.insert(0, first.expression)
            first = first.this
        if isinstance(node.parent, exp_dot) or not isinstance(first, self.exp.Identifier):
            return
        names.insert(0, first)
        if self.fold(first) in _DUCKDB_SCHEMAS:
            return
        is_source = any(source.name == self.fold(first) for source in visible_from(scope))
        second = names[1] if is_source and isinstance(names[1], self.exp.Identifier) else None
        column = self.exp.Column(this=(second or first).copy())
        if second is not None:
            column.set("table", first.copy())
        self.column(column, scope)

    def column(self, node: exp.Column, scope: Level) -> None:
        visible = tuple(visible_from(scope))
        qualifier = node.args.get("table")
        if isinstance(node.this, self.exp.Star):
            if not isinstance(node.parent, self.exp.Select):
                # `to_json(t.*)` hands over a whole row; a star of the SELECT list is `star`'s.
                rows = tuple(s for s in visible if s.name == self.fold(qualifier))
                self.record(node, "row", rows, visible)
            return
        if qualifier is not None:
            self.qualified(node, scope, visible)
            return
        name = self.fold(node.this)
        orders = isinstance(node.find_ancestor(self.exp.Order, self.exp.Query), self.exp.Order)
        if orders and name in scope.aliases:
            self.record(node, "alias", (), visible)
        else:
            self.record(node, *self.unqualified(node, name, scope), visible)

    def unqualified(
        self, node: exp.Column, name: str, scope: Level
    ) -> tuple[Meaning, tuple[Source, ...]]:
        level: Level | None = scope
        while level is not None:
            found = tuple(source for source in level.sources if name in source.columns)
            if len(found) == 1 or (found and name in level.merged):
                return "column", found
            if found:
                return "ambiguous", found
            if name in level.aliases:
                return "alias", ()
            opened = tuple(source for source in level.sources if source.open)
            if opened:
                return "open", opened
            rows = tuple(source for source in level.sources if source.name == name)
            if rows:
                # In SQLite only a full-text table may stand for all its columns (`ft MATCH …`).
                return "row", rows
            level = level.outer
        quoted = bool(node.this.args.get("quoted"))
        if name in _SYSTEM_COLUMNS.get(self.dialect, ()) or (name in _NILADIC and not quoted):
            return "system", ()
        if self.dialect == "sqlite" and quoted and self.is_compared(node):
            return "literal", ()
        return "unknown", ()

    def is_compared(self, node: exp.Column) -> bool:
        """SQLite reads an unknown double-quoted name as a string; compared, it is meant as one."""
        return isinstance(node.parent, self.exp.Predicate | self.exp.In)

    def qualified(self, node: exp.Column, scope: Level, visible: tuple[Source, ...]) -> None:
        qualifier, name = self.fold(node.args["table"]), self.fold(node.this)
        source = next((s for s in visible if s.name == qualifier), None)
        if source is None:
            # `a.b.c` may be a field of a field: what counts is the name in front (DuckDB).
            front = self.fold(node.parts[0])
            field_of = tuple(s for s in visible if front in (*s.columns, s.name))
            opened = tuple(s for s in visible if s.open)
            meaning: Meaning = "column" if field_of else "open" if opened else "unknown"
            if self.dialect == "postgres":
                meaning, field_of = "unknown", ()
            self.record(node, meaning, field_of, visible, qualifier_known=bool(field_of))
        elif name in source.columns:
            self.record(node, "column", (source,), visible)
        elif name in _SYSTEM_COLUMNS.get(self.dialect, ()):
            self.record(node, "system", (source,), visible)
        else:
            self.record(node, "open" if source.open else "unknown", (source,), visible)

    def record(
        self,
        node: exp.Column | exp.Identifier,
        meaning: Meaning,
        sources: tuple[Source, ...],
        visible: tuple[Source, ...],
        *,
        qualifier_known: bool = True,
    ) -> None:
        identifier = node.this if isinstance(node, self.exp.Column) else node
        qualifier = node.args.get("table") if isinstance(node, self.exp.Column) else None
        self.uses.add_column(
            ColumnUse(
                name=identifier.name,
                quoted=bool(identifier.args.get("quoted")),
                qualified=qualifier.name if qualifier is not None else "",
                qualifier_known=qualifier_known,
                node=node,
                meaning=meaning,
                sources=sources,
                visible=visible,
            )
        )

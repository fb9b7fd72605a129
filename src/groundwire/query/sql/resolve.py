"""What a column name means at one level of scope."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.query.sql.level import Level, named_by, visible_from
from groundwire.query.sql.names import ColumnUse, Meaning, Source, Uses

if TYPE_CHECKING:
    from sqlglot import exp

    from groundwire.query.sql.parse import Query

__all__ = ["Resolver"]

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


class Resolver:
    """Notes in `uses` what each column name of a query means."""

    def __init__(self, query: Query) -> None:
        from sqlglot import exp
        from sqlglot.dialects.dialect import Dialect

        self.exp = exp
        self.dialect = query.dialect
        self._normalise = Dialect.get_or_raise(query.dialect).normalize_identifier
        self._folded: dict[tuple[str, bool], str] = {}
        self.uses = Uses()

    def fold(self, identifier: exp.Expr | None) -> str:
        """A name as the dialect compares it."""
        if identifier is None:
            return ""
        if not isinstance(identifier, self.exp.Identifier):
            return identifier.name.lower()
        written = identifier.name, bool(identifier.args.get("quoted"))
        if written not in self._folded:
            self._folded[written] = str(self._normalise(identifier.copy()).name)
        return self._folded[written]

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
        """Note what a name in an expression means, or a star that is not of a SELECT list."""
        visible = tuple(visible_from(scope))
        qualifier = node.args.get("table")
        if isinstance(node.this, self.exp.Star):
            if not isinstance(node.parent, self.exp.Select):
                # `to_json(t.*)` hands over a whole row; a star of the SELECT list is `star`'s.
                rows = tuple(s for s in visible if s.name == self.fold(qualifier))
                self.record(node, "row", rows, visible)
            return
        if qualifier is not None:
            self._qualified(node, scope, visible)
            return
        name = self.fold(node.this)
        orders = isinstance(node.find_ancestor(self.exp.Order, self.exp.Query), self.exp.Order)
        if orders and name in scope.aliases:
            self.record(node, "alias", (), visible)
        else:
            self.record(node, *self._unqualified(node, name, scope), visible)

    def _unqualified(
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
            if rows or name in level.named:
                # In SQLite only a full-text table may stand for all its columns (`ft MATCH …`).
                return "row", rows
            level = level.outer
        quoted = bool(node.this.args.get("quoted"))
        if name in _SYSTEM_COLUMNS.get(self.dialect, ()) or (name in _NILADIC and not quoted):
            return "system", ()
        if self.dialect == "sqlite" and quoted and self._is_compared(node):
            return "literal", ()
        return "unknown", ()

    def _is_compared(self, node: exp.Column) -> bool:
        """SQLite reads an unknown double-quoted name as a string; compared, it is meant as one."""
        return isinstance(node.parent, self.exp.Predicate | self.exp.In)

    def _qualified(self, node: exp.Column, scope: Level, visible: tuple[Source, ...]) -> None:
        qualifier, name = self.fold(node.args["table"]), self.fold(node.this)
        named = named_by(scope, qualifier)
        if named is not None:
            of_join = named.get(name) or (Source(qualifier, tuple(named)),)
            self.record(node, "column" if name in named else "unknown", of_join, visible)
            return
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
        """Note one name with its meaning."""
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

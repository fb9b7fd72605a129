"""The SELECTs of a SQL draft as the statistics checks see them.

Each `Select` knows what its columns mean in the catalog, how its sources are joined, what it
groups, orders and cuts, and writes the small statements that count on the draft's own rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from groundwire.database.catalog import Column, Table
from groundwire.query.sql import Block, ColumnUse, Source
from groundwire.query.sql.tree import walk

if TYPE_CHECKING:
    from sqlglot import exp

    from groundwire.guard.context import SqlContext

__all__ = ["Join", "JoinKind", "Select", "Stored", "conjuncts", "outermost", "selects"]

JoinKind = Literal["inner", "left", "right", "full", "cross", "other"]


@dataclass(frozen=True, slots=True)
class Stored:
    """The stored column that a column of a draft reads, through the source that holds it."""

    table: Table
    column: Column
    source: Source

    @property
    def name(self) -> str:
        """`table.column`, for a sentence."""
        return f"{self.table.name}.{self.column.name}"


@dataclass(frozen=True, slots=True)
class Join:
    """One JOIN (or comma) of a FROM clause and the sources that it adds.

    `other`: SEMI, ANTI, ASOF, LATERAL and the like. `condition` is its ON, None where there is
    none; `using` the folded column names of a USING or NATURAL join.
    """

    node: exp.Join
    kind: JoinKind
    added: tuple[Source, ...]
    condition: exp.Expr | None
    using: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Select:
    """One SELECT of a draft. What the checks ask of it is worked out once."""

    context: SqlContext
    block: Block

    @property
    def node(self) -> exp.Select:
        """sqlglot's tree of it."""
        return self.block.node

    @property
    def sources(self) -> tuple[Source, ...]:
        """What its FROM clause reads, in order."""
        return self.block.sources

    # -- names ---------------------------------------------------------------------------

    def use(self, node: exp.Expr) -> ColumnUse | None:
        """What a column of the draft means."""
        return self.context.uses.of(node)

    def source_of(self, node: exp.Expr) -> Source | None:
        """The one source that a column is read from, None where there is not exactly one."""
        use = self.use(node)
        if use is None or use.meaning != "column" or len(use.sources) != 1:
            return None
        return use.sources[0]

    def stored(self, node: exp.Expr) -> Stored | None:
        """The stored column behind a column node; None for what is computed, open or not known."""
        source, use = self.source_of(node), self.use(node)
        if source is None or use is None or source.table is None or source.renamed:
            return None
        table = self.context.names.of(source.table)
        if table is None:
            return None
        wanted = self.context.catalog.fold(use.name) if not use.quoted else use.name
        column = self.context.catalog.find_column(table, wanted, quoted=use.quoted)
        return Stored(table, column, source) if column is not None else None

    def table_of(self, source: Source) -> Table | None:
        """The stored table that a source reads whole."""
        return self.context.names.of(source.table) if source.table is not None else None

    # -- parts ---------------------------------------------------------------------------

    @cached_property
    def joins(self) -> tuple[Join, ...]:
        """Its joins in order."""
        return tuple(_join(node, added, self) for node, added in self.block.joined)

    def walk(self, root: exp.Expr | None = None) -> Iterator[exp.Expr]:
        """Every node of it (or below `root`), without those of subqueries and CTEs."""
        from sqlglot import exp

        return iter(self._nodes if root is None else walk(root, without=exp.Query))

    def find(self, *kinds: type[exp.Expr]) -> Iterator[exp.Expr]:
        """The nodes of some kinds, as `walk` has them."""
        return (node for node in self._nodes if isinstance(node, kinds))

    @cached_property
    def _nodes(self) -> tuple[exp.Expr, ...]:
        from sqlglot import exp

        return walk(self.node, without=exp.Query)

    @cached_property
    def conditions(self) -> tuple[exp.Expr, ...]:
        """The conditions of WHERE and of the ONs of inner joins that all must hold."""
        where = self.node.args.get("where")
        roots = [where.this] if where is not None else []
        inner = [join.condition for join in self.joins if join.kind in ("inner", "cross")]
        roots += [condition for condition in inner if condition is not None]
        return tuple(part for root in roots for part in conjuncts(root))

    @cached_property
    def aggregates(self) -> tuple[exp.AggFunc, ...]:
        """The aggregate calls of its SELECT list, HAVING and ORDER BY; no window functions."""
        from sqlglot import exp

        roots = [*self.node.expressions, self.node.args.get("having"), self.node.args.get("order")]
        return tuple(
            node
            for root in roots
            if root is not None
            for node in self.walk(root)
            if isinstance(node, exp.AggFunc)
            and not isinstance(node.parent, exp.Window)
            and not (isinstance(node.parent, exp.Filter) and _is_windowed(node.parent))
        )

    @cached_property
    def group_keys(self) -> tuple[exp.Expr, ...]:
        """What it groups by, with aliases and positions of the SELECT list resolved."""
        group = self.node.args.get("group")
        return tuple(self.resolve(key) for key in group.expressions) if group is not None else ()

    @cached_property
    def order(self) -> tuple[tuple[exp.Ordered, exp.Expr], ...]:
        """Each item of its ORDER BY with the expression it sorts by, aliases resolved."""
        order = self.node.args.get("order")
        items = order.expressions if order is not None else []
        return tuple((item, self.resolve(item.this)) for item in items)

    def resolve(self, key: exp.Expr) -> exp.Expr:
        """The expression of the SELECT list behind an alias or a position, else itself."""
        from sqlglot import exp

        outputs = self.node.selects
        if isinstance(key, exp.Literal) and key.is_int and 0 < int(key.name) <= len(outputs):
            found: exp.Expr = outputs[int(key.name) - 1].unalias()
            return found
        use = self.use(key)
        if use is not None and use.meaning == "alias":
            for output in outputs:
                if isinstance(output, exp.Alias) and output.alias.casefold() == use.name.casefold():
                    named: exp.Expr = output.this
                    return named
        return key

    @property
    def limit(self) -> int | None:
        """The number of its LIMIT or FETCH, None where there is none or it is no plain number."""
        from sqlglot import exp

        limit = self.node.args.get("limit")
        value = limit.args.get("expression") or limit.args.get("count") if limit else None
        return int(value.name) if isinstance(value, exp.Literal) and value.is_int else None

    @property
    def offset(self) -> int | None:
        """The number of its OFFSET, 0 where there is none, None where it is no plain number."""
        from sqlglot import exp

        offset = self.node.args.get("offset")
        if offset is None:
            return 0
        value = offset.expression
        return int(value.name) if isinstance(value, exp.Literal) and value.is_int else None

    @property
    def is_outermost(self) -> bool:
        """Its rows are the answer."""
        return self.node is self.context.query.statements[0]

    @cached_property
    def is_correlated(self) -> bool:
        """It reads columns of a SELECT around it, so it cannot be asked alone."""
        nodes = {id(node) for node in walk(self.node)}
        own = {
            id(source)
            for block in self.context.uses.blocks
            if id(block.node) in nodes
            for source in block.sources
        }
        return any(
            id(source) not in own
            for use in self.context.uses.below(self.node)
            for source in use.sources
        )

    # -- statements ----------------------------------------------------------------------

    def over_rows(
        self,
        *outputs: str | exp.Expr,
        where: bool = True,
        change: Callable[[exp.Select], None] | None = None,
    ) -> str | None:
        """`SELECT outputs` over its FROM and WHERE, to be asked of the database.

        Without its grouping, HAVING, DISTINCT, order and limit. None where it cannot be asked
        alone. Parameters of the draft stay in it. `change` may change the copy that is asked.
        """
        probe = self._alone()
        if probe is None:
            return None
        for key in (
            "group",
            "having",
            "distinct",
            "order",
            "limit",
            "offset",
            "qualify",
            "windows",
        ):
            probe.set(key, None)
        if not where:
            probe.set("where", None)
        if change is not None:
            change(probe)
        probe.set("expressions", [])
        dialect = self.context.query.dialect
        return str(probe.select(*outputs, dialect=dialect, copy=False).sql(dialect))

    def over_result(self, *outputs: str, extra: tuple[exp.Expr, ...] = ()) -> str | None:
        """`SELECT outputs` over its result (as `answer`) without order and limit; None as above.

        `extra` are expressions of it that become its columns `extra_0`, `extra_1`, … too.
        """
        probe = self._with_columns(extra)
        if probe is None:
            return None
        for key in ("order", "limit", "offset"):
            probe.set(key, None)
        return self._selected(outputs, probe)

    def _selected(self, outputs: tuple[str, ...], probe: exp.Select) -> str:
        from sqlglot import exp

        dialect = self.context.query.dialect
        named = probe.args.pop("with_", None)
        whole = exp.select(*outputs, dialect=dialect).from_(probe.subquery("answer"))
        whole.set("with_", named)
        return str(whole.sql(dialect))

    def over_groups(self, *outputs: str, extra: tuple[exp.Expr, ...]) -> str | None:
        """`SELECT outputs` over its groups, of which only the `extra` columns; None as above."""
        from sqlglot import exp

        probe = self._alone()
        if probe is None:
            return None
        if probe.args.get("group") is not None:
            keys = [key.copy() for key in self.group_keys]
            probe.set("group", type(probe.args["group"])(expressions=keys))
        for key in ("distinct", "order", "limit", "offset", "qualify"):
            probe.set(key, None)
        columns = [exp.alias_(part.copy(), f"extra_{index}") for index, part in enumerate(extra)]
        probe.set("expressions", columns)
        return self._selected(outputs, probe)

    def limited(self, rows: int, extra: tuple[exp.Expr, ...] = ()) -> str | None:
        """It with another LIMIT, and with more columns behind its own. None as above."""
        probe = self._with_columns(extra)
        if probe is None:
            return None
        probe.set("limit", None)
        return str(probe.limit(rows, copy=False).sql(self.context.query.dialect))

    def _with_columns(self, extra: tuple[exp.Expr, ...]) -> exp.Select | None:
        from sqlglot import exp

        probe = self._alone()
        if probe is None or (extra and probe.args.get("distinct")):
            return None
        for index, expression in enumerate(extra):
            probe.append("expressions", exp.alias_(expression.copy(), f"extra_{index}"))
        return probe

    def _alone(self) -> exp.Select | None:
        """A copy with the CTEs of the statement before it; None where it cannot stand alone."""
        from sqlglot import exp

        if self.is_correlated:
            return None
        root, ancestor = self.context.query.statements[0], self.node.parent
        while ancestor is not None:
            named = isinstance(ancestor, exp.Query) and ancestor.args.get("with_")
            if ancestor is not root and named:
                return None
            ancestor = ancestor.parent
        probe = self.node.copy()
        if self.node is not root and root.args.get("with_") is not None:
            if probe.args.get("with_") is not None:
                return None
            if any(part is self.node for part in root.args["with_"].walk()):
                return _with_earlier(probe, root.args["with_"], self.node)
            probe.set("with_", root.args["with_"].copy())
        return probe


def selects(context: SqlContext) -> tuple[Select, ...]:
    """The SELECTs of a draft, subqueries and CTEs included, those around before those inside."""
    return context.selects


def outermost(context: SqlContext) -> Select | None:
    """The SELECT whose rows are the answer; None where that is no plain SELECT."""
    return next((select for select in selects(context) if select.is_outermost), None)


def conjuncts(condition: exp.Expr) -> Iterator[exp.Expr]:
    """The parts of a condition that all must hold."""
    from sqlglot import exp

    if isinstance(condition, exp.And):
        yield from conjuncts(condition.left)
        yield from conjuncts(condition.right)
    elif isinstance(condition, exp.Paren) and isinstance(condition.this, exp.And):
        yield from conjuncts(condition.this)
    else:
        yield condition


def _is_windowed(node: exp.Expr) -> bool:
    from sqlglot import exp

    return isinstance(node.parent, exp.Window)


def _join(node: exp.Join, added: tuple[Source, ...], select: Select) -> Join:
    side, kind = str(node.side or "").upper(), str(node.kind or "").upper()
    method = str(node.method or "").upper()
    using = tuple(
        select.context.catalog.fold(identifier.name) for identifier in node.args.get("using") or ()
    )
    if method == "NATURAL":
        before = select.sources[: select.sources.index(added[0])] if added else ()
        left = {name for source in before for name in source.columns}
        using = tuple(name for source in added for name in source.columns if name in left)
    means: JoinKind = "inner"
    if kind in ("SEMI", "ANTI") or method == "ASOF" or _is_lateral(node):
        means = "other"
    elif side in ("LEFT", "RIGHT", "FULL"):
        means = side.lower()  # type: ignore[assignment]
    elif node.args.get("on") is None and not using:
        means = "cross"
    return Join(node, means, added, node.args.get("on"), using)


def _is_lateral(node: exp.Join) -> bool:
    from sqlglot import exp

    return isinstance(node.this, exp.Lateral | exp.Unnest)


def _with_earlier(probe: exp.Select, clause: exp.With, node: exp.Select) -> exp.Select | None:
    """The CTEs before the one that a SELECT stands in; None in a recursive clause."""
    if clause.args.get("recursive"):
        return None
    earlier = []
    for cte in clause.expressions:
        if any(part is node for part in cte.walk()):
            break
        earlier.append(cte.copy())
    if earlier:
        probe.set("with_", type(clause)(expressions=earlier))
    return probe

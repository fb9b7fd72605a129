"""A plan as SQL text in the dialect of the database."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from groundwire.database.catalog import Table
from groundwire.draft.offline.filter_sql import FilterWriter, all_of
from groundwire.draft.offline.identifiers import identifier
from groundwire.draft.offline.lexicon import Field
from groundwire.draft.offline.naming import plural, words_of
from groundwire.draft.offline.plan import (
    Aggregate,
    AnyOf,
    Expression,
    Filter,
    HasRows,
    IsNull,
    OutputColumn,
    Plan,
    RowCount,
    Share,
    TimePart,
    filter_tables,
    table_key,
)
from groundwire.draft.offline.resolve import Context

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["write_sql"]


def write_sql(plan: Plan, context: Context, dialect: str) -> str:
    """One readable SELECT statement.

    Raises:
        Unlinked: the dialect cannot say it.
    """
    query = _Writer(context, dialect).query(plan)
    return query.sql(dialect=dialect, pretty=True)


@dataclass
class _Writer(FilterWriter):
    context: Context
    dialect: str
    names: dict[tuple[str, str], str] = field(default_factory=dict)

    def query(self, plan: Plan) -> exp.Expr:
        plan = _prepared(plan)
        if plan.form == "groups counted":
            return self._outer(
                plan,
                "groups",
                "COUNT(*)",
                f"number_of_{plural(words_of(plan.outputs[0].expression))}",
            )
        if plan.form == "mean":
            plan = replace(plan, outputs=(replace(plan.outputs[-1], name="number"),))
            return self._outer(plan, "counts", "AVG(number)", "average_number")
        if plan.rank is not None:
            return self._ranked(plan)
        return self._select(plan)

    def _outer(self, plan: Plan, name: str, shown: str, alias: str) -> exp.Select:
        from sqlglot import exp

        inner = self._select(replace(plan, form="rows"))
        return exp.select(exp.alias_(exp.maybe_parse(shown), alias)).from_(inner.subquery(name))

    def _ranked(self, plan: Plan) -> exp.Select:
        from sqlglot import exp

        assert plan.rank is not None
        rank = plan.rank
        self._name_tables(plan)
        place = exp.Window(
            this=exp.Anonymous(this="RANK"),
            order=exp.Order(expressions=[self._sorted(rank.expression, rank.descending, plan)]),
        )
        inner = self._select(plan).select(exp.alias_(place, "place"))
        catalog = self.context.lexicon.catalog
        names = [exp.column(identifier(o.name, catalog)) for o in plan.outputs]
        within = exp.LTE(this=exp.column("place"), expression=exp.Literal.number(rank.count))
        first = exp.Ordered(this=exp.column("place"), desc=False, nulls_first=False)
        limited = exp.select(*names).from_(inner.subquery("ranked")).where(within)
        return limited.order_by(first) if rank.count > 1 else limited

    def _sorted(self, key: Expression, descending: bool, plan: Plan) -> exp.Ordered:
        from sqlglot import exp

        shown = self.number(key) if isinstance(key, Field) else self.expression(key)
        return exp.Ordered(this=shown, desc=descending, nulls_first=False)

    def _select(self, plan: Plan) -> exp.Select:
        from sqlglot import exp

        self._name_tables(plan)
        shown = [self._output(o) for o in plan.outputs]
        if plan.form == "exists":
            any_row = exp.GT(this=exp.Count(this=exp.Star()), expression=exp.Literal.number(0))
            shown.insert(0, exp.alias_(any_row, "there_is_any"))
        query = exp.select(*shown).from_(self.source(plan.table))
        if plan.distinct:
            query = query.distinct()
        query = self._joined(query, plan)
        if plan.filters:
            parts = [self.condition(found) for found in plan.filters]
            query = query.where(all_of(parts))
        if plan.groups:
            query = query.group_by(*(self.expression(e) for e in plan.groups))
        for having in plan.having:
            measured = self.expression(having.aggregate)
            query = query.having(self.comparison(measured, having.operator, having.values))
        for order in plan.order:
            query = query.order_by(self._sorted(order.expression, order.descending, plan))
        return query

    def _output(self, output: OutputColumn) -> exp.Expr:
        from sqlglot import exp

        shown = self.expression(output.expression)
        if isinstance(output.expression, Field) and (output.expression.column.name == output.name):
            return shown
        return exp.alias_(shown, identifier(output.name, self.context.lexicon.catalog))

    def _name_tables(self, plan: Plan) -> None:
        """Columns carry their table's name only where there is more than one table."""
        tables = {table_key(plan.table), *(table_key(t) for t in self._partners(plan))}
        if plan.members is not None:
            tables |= {table_key(step.right) for step in plan.members.path}
        if len(tables) > 1 or any(_nests(f) for f in _all_filters(plan)):
            self.names = {key: key[1] for key in tables}

    def _joined(self, query: exp.Select, plan: Plan) -> exp.Select:
        from sqlglot import exp

        joined = {table_key(plan.table)}
        filtered = set().union(*(filter_tables(f) for f in plan.filters))
        if plan.members is not None:
            *bridges, last = plan.members.path
            for step in bridges:
                query = query.join(self.source(step.right), on=self.on(step), join_type="left")
            conditions = [self.condition(f) for f in plan.members.filters]
            on = exp.and_(self.on(last), *([all_of(conditions)] if conditions else []), wrap=False)
            query = query.join(self.source(last.right), on=on, join_type="left")
            joined |= {table_key(step.right) for step in plan.members.path}
        for table in self._partners(plan):
            for step in self.context.path_to(plan.table, table) or ():
                if table_key(step.right) in joined:
                    continue
                joined.add(table_key(step.right))
                kind = "" if table_key(table) in filtered else "left"
                query = query.join(self.source(step.right), on=self.on(step), join_type=kind)
        return query

    def _partners(self, plan: Plan) -> list[Table]:
        """Tables of the fields of a plan other than its own and its members'."""
        own = {table_key(plan.table)}
        if plan.members is not None:
            own |= {table_key(step.right) for step in plan.members.path}
        found = {table_key(f.table): f.table for f in _fields(plan)}
        return [table for key, table in found.items() if key not in own]

    def source(self, table: Table) -> exp.Table:
        from groundwire.draft.offline.identifiers import table_name

        alias = self.names.get(table_key(table), "")
        return table_name(table, self.context.lexicon.catalog, alias)


def _nests(found: Filter) -> bool:
    """Whether a filter asks of other rows, by columns of this level."""
    if isinstance(found, AnyOf):
        return any(_nests(part) for part in found.filters)
    return isinstance(found, HasRows | RowCount)


def _prepared(plan: Plan) -> Plan:
    """Leave out what must not be ranked, averaged or shared: missing keys, unknown flags."""
    extra: list[Filter] = []
    for output in plan.outputs:
        if isinstance(output.expression, Share):
            extra.extend(output.expression.among)
    first = plan.groups[0] if plan.groups else None
    if plan.form in {"mean", "groups counted"} or plan.rank is not None or plan.having:
        target = first
        if target is None and plan.rank is not None:
            target = plan.rank.expression
        if isinstance(target, TimePart):
            target = target.field
        if isinstance(target, Field) and plan.members is None:
            extra.append(IsNull(target, True))
    return replace(plan, filters=(*plan.filters, *extra))


def _all_filters(plan: Plan) -> Iterator[Filter]:
    yield from plan.filters
    for output in plan.outputs:
        if isinstance(output.expression, Aggregate):
            yield from output.expression.only
        elif isinstance(output.expression, Share):
            yield from output.expression.part


def _fields(plan: Plan) -> Iterator[Field]:
    expressions: list[Expression] = [o.expression for o in plan.outputs]
    expressions += [*plan.groups, *(o.expression for o in plan.order)]
    if plan.rank is not None:
        expressions.append(plan.rank.expression)
    for expression in expressions:
        yield from _fields_of(expression)
    yield from _filter_fields(plan.filters)


def _fields_of(expression: Expression) -> Iterator[Field]:
    if isinstance(expression, Field):
        yield expression
    elif isinstance(expression, TimePart):
        yield expression.field
    elif isinstance(expression, Aggregate):
        if expression.argument is not None:
            yield from _fields_of(expression.argument)
        yield from _filter_fields(expression.only)
    elif isinstance(expression, Share):
        yield from _filter_fields((*expression.part, *expression.among))


def _filter_fields(filters: Iterable[Filter]) -> Iterator[Field]:
    for found in filters:
        for name in ("field", "part"):
            part = getattr(found, name, None)
            if isinstance(part, Field):
                yield part
            elif isinstance(part, TimePart):
                yield part.field
        inner: Sequence[Filter] = (
            getattr(found, "filters", ()) if type(found).__name__ == "AnyOf" else ()
        )
        yield from _filter_fields(inner)

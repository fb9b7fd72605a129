"""Filters and expressions of a plan as parts of a SQL tree."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from groundwire.database.catalog import Table
from groundwire.draft.offline import plan as plans
from groundwire.draft.offline.identifiers import identifier
from groundwire.draft.offline.joins import Path, Step
from groundwire.draft.offline.lexicon import Field
from groundwire.draft.offline.plan import Expression, Filter, Literal_, holds_zero, table_key
from groundwire.draft.offline.resolve import Context, Unlinked
from groundwire.draft.offline.syntax import Operator
from groundwire.draft.offline.time_sql import time_part
from groundwire.draft.values import declared_kind

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["FilterWriter", "all_of"]

_PACK_UNITS = {"HOUR": "hour", "DOW": "dow", "MONTH": "month", "DAY": "dayofmonth", "YEAR": "year",
               "QUARTER": "quarter"}  # fmt: skip


class FilterWriter:
    """Writes one query level; `names` are the tables' names in it, empty = columns stand bare."""

    context: Context
    dialect: str
    names: dict[tuple[str, str], str]

    def source(self, table: Table) -> exp.Table:
        """The table as it stands in FROM."""
        raise NotImplementedError

    # Expressions

    def column(self, found: Field) -> exp.Expr:
        """The column, with its table's name where columns carry one."""
        from sqlglot import exp

        catalog = self.context.lexicon.catalog
        owner = self.names.get(table_key(found.table))
        return exp.column(
            identifier(found.column.name, catalog),
            table=identifier(owner, catalog) if owner else None,
        )

    def expression(self, found: Expression) -> exp.Expr:
        """A column, a part of a time, an aggregate or a share."""
        from sqlglot import exp

        if isinstance(found, Field):
            return self.column(found)
        if isinstance(found, plans.TimePart):
            return self.part(found.unit, found.field)
        if isinstance(found, plans.Share):
            return self._share(found)
        if found.only:
            test = all_of(self.condition(f) for f in found.only)
            one = exp.If(this=test, true=exp.Literal.number(1))
            return exp.Count(this=exp.Case(ifs=[one]))
        if found.argument is None:
            return exp.Count(this=exp.Star())
        argument = self.expression(found.argument)
        if found.function in {"sum", "avg", "min", "max"} and isinstance(found.argument, Field):
            argument = self.number(found.argument)
        if found.distinct:
            argument = exp.Distinct(expressions=[argument])
        functions = {
            "count": exp.Count,
            "sum": exp.Sum,
            "avg": exp.Avg,
            "min": exp.Min,
            "max": exp.Max,
        }
        return functions[found.function](this=argument)

    def number(self, found: Field) -> exp.Expr:
        """The column as a number, also where numbers are stored as text."""
        from sqlglot import exp

        column = self.column(found)
        if declared_kind(found.column.type) == "text" and self.context.kind(found) == "number":
            return exp.cast(column, "DOUBLE")
        return column

    def part(self, unit: str, found: Field) -> exp.Expr:
        """A part of a time column, also where times are stored as text."""
        from sqlglot import exp

        moment = self.column(found)
        if declared_kind(found.column.type) != "date" and self.dialect != "sqlite":
            moment = exp.cast(moment, "TIMESTAMP")
        return time_part(unit, moment, self.dialect)

    def _share(self, found: plans.Share) -> exp.Expr:
        from sqlglot import exp

        test = exp.and_(*(self.condition(f) for f in found.part))
        whole = exp.Literal.number("100.0" if found.scale == 100 else "1.0")
        case = exp.Case(ifs=[exp.If(this=test, true=whole)], default=exp.Literal.number("0.0"))
        return exp.Avg(this=case)

    # Filters

    def condition(self, found: Filter) -> exp.Expr:
        """A filter as a condition."""
        writers: dict[type, Callable[[Any], exp.Expr]] = {
            plans.Equals: self._equals,
            plans.Compares: lambda f: self.comparison(self.number(f.field), f.operator, f.values),
            plans.Contains: self._contains,
            plans.InRange: self._in_range,
            plans.InPart: self._in_part,
            plans.IsNull: self._is_null,
            plans.PackCondition: self._pack,
            plans.AnyOf: self._any_of,
            plans.HasRows: self._has_rows,
            plans.RowCount: self._row_count,
            plans.AgainstAverage: self._against_average,
            plans.Best: self._best,
            plans.Lacks: self._lacks,
        }
        return writers[type(found)](found)

    def comparison(
        self, left: exp.Expr, operator: Operator, values: Sequence[Literal_]
    ) -> exp.Expr:
        """`left operator value`."""
        from sqlglot import exp

        literals = [_literal(value) for value in values]
        if operator == "between":
            return exp.Between(this=left, low=literals[0], high=literals[1])
        classes = {
            "=": exp.EQ,
            "<>": exp.NEQ,
            "<": exp.LT,
            "<=": exp.LTE,
            ">": exp.GT,
            ">=": exp.GTE,
        }
        return classes[operator](this=left, expression=literals[0])

    def _equals(self, found: plans.Equals) -> exp.Expr:
        from sqlglot import exp

        column = self.column(found.field)
        if len(found.values) == 1:
            return self.comparison(column, "<>" if found.negated else "=", found.values)
        listed = exp.In(this=column, expressions=[_literal(v) for v in found.values])
        return exp.not_(listed) if found.negated else listed

    def _contains(self, found: plans.Contains) -> exp.Expr:
        from sqlglot import exp

        escaped = found.text.lower()
        if any(sign in escaped for sign in "%_\\"):
            raise Unlinked("text with the signs % _ \\ is not searched for")
        pattern = {"contains": f"%{escaped}%", "starts": f"{escaped}%", "ends": f"%{escaped}"}[
            found.how
        ]
        like = exp.Like(
            this=exp.Lower(this=self.column(found.field)), expression=exp.Literal.string(pattern)
        )
        return exp.not_(like) if found.negated else like

    def _in_range(self, found: plans.InRange) -> exp.Expr:
        parts = []
        if found.start is not None:
            parts.append(self.comparison(self.column(found.field), ">=", (found.start,)))
        if found.end is not None:
            parts.append(self.comparison(self.column(found.field), "<", (found.end,)))
        return all_of(parts)

    def _in_part(self, found: plans.InPart) -> exp.Expr:
        from sqlglot import exp

        unit = {"weekday": "isodow", "day": "dayofmonth"}.get(found.part.unit, found.part.unit)
        part = self.part(unit, found.part.field)
        if len(found.values) == 1:
            return self.comparison(part, "=", found.values)
        first, last = found.values[0], found.values[-1]
        if list(found.values) == list(range(first, last + 1)):
            return self.comparison(part, "between", (first, last))
        return exp.In(this=part, expressions=[_literal(v) for v in found.values])

    def _is_null(self, found: plans.IsNull) -> exp.Expr:
        from sqlglot import exp

        nothing = exp.Not(this=exp.Null()) if found.negated else exp.Null()
        return exp.Is(this=self.column(found.field), expression=nothing)

    def _pack(self, found: plans.PackCondition) -> exp.Expr:
        import sqlglot
        from sqlglot import exp

        tree = sqlglot.parse_one(found.sql, dialect="duckdb")
        catalog = self.context.lexicon.catalog

        def rewritten(node: exp.Expr) -> exp.Expr:
            if isinstance(node, exp.Extract) and isinstance(node.expression, exp.Column):
                return self.part(_PACK_UNITS[node.name.upper()], field_of(node.expression))
            if isinstance(node, exp.Column):
                return self.column(field_of(node))
            return node

        def field_of(node: exp.Column) -> Field:
            column = catalog.find_column(found.table, node.name)
            if column is None:
                raise Unlinked(f"{found.table.name} has no column {node.name}")
            return Field(found.table, column)

        condition = tree.transform(rewritten)
        return exp.not_(exp.paren(condition)) if found.negated else condition

    def _any_of(self, found: plans.AnyOf) -> exp.Expr:
        from sqlglot import exp

        return exp.paren(exp.or_(*(self.condition(part) for part in found.filters)))

    # Other rows

    def on(self, step: Step) -> exp.Expr:
        """The condition that joins the two tables of a step."""
        from sqlglot import exp

        pairs = zip(step.left_columns, step.right_columns, strict=True)
        return all_of(
            exp.EQ(
                this=self.column(_field(step.left, a)),
                expression=self.column(_field(step.right, b)),
            )
            for a, b in pairs
        )

    def _inside(self, path: Path) -> FilterWriter:
        """The writer of a query inside this one; a table that is used outside gets a new name."""
        names = dict(self.names)
        for step in path:
            key = table_key(step.right)
            taken = {name.lower() for name in names.values()}
            name = key[1]
            while name.lower() in taken:
                name += "_2"
            names[key] = name
        return type(self)(self.context, self.dialect, names)  # type: ignore[call-arg]

    def _rows_at(self, path: Path, filters: Sequence[Filter]) -> tuple[exp.Select, FilterWriter]:
        """SELECT over the path's tables; the first step's link is left to the caller."""
        from sqlglot import exp

        inside = self._inside(path)
        query = exp.Select().from_(inside.source(path[0].right))
        for step in path[1:]:
            query = query.join(inside.source(step.right), on=inside.on(step))
        joined = {table_key(step.right) for step in path}
        for found in filters:
            for key in plans.filter_tables(found) - joined:
                far = self.context.lexicon.catalog.find(key[1], key[0], quoted=True)
                extra = self.context.path_to(path[-1].right, far) if far else None
                if not extra:
                    raise Unlinked("these tables are not joined by one key")
                for step in extra:
                    inside.names[table_key(step.right)] = step.right.name
                    query = query.join(inside.source(step.right), on=inside.on(step))
                    joined.add(table_key(step.right))
        if filters:
            query = query.where(all_of(inside.condition(found) for found in filters))
        return query, inside

    def _has_rows(self, found: plans.HasRows) -> exp.Expr:
        from sqlglot import exp

        query, inside = self._rows_at(found.path, found.filters)
        query = query.select("1").where(self._link(found.path[0], inside))
        exists = exp.Exists(this=query)
        return exp.not_(exists) if found.negated else exists

    def _link(self, step: Step, inside: FilterWriter) -> exp.Expr:
        from sqlglot import exp

        pairs = zip(step.left_columns, step.right_columns, strict=True)
        return all_of(
            exp.EQ(
                this=inside.column(_field(step.right, b)),
                expression=self.column(_field(step.left, a)),
            )
            for a, b in pairs
        )

    def _row_count(self, found: plans.RowCount) -> exp.Expr:
        from sqlglot import exp

        query, inside = self._rows_at(found.path, found.filters)
        step = found.path[0]
        counted = exp.Count(this=exp.Star())
        if holds_zero(found.operator, found.values) or len(step.right_columns) > 1:
            query = query.select(counted).where(self._link(step, inside))
            return self.comparison(query.subquery(), found.operator, found.values)
        key = inside.column(_field(step.right, step.right_columns[0]))
        query = query.select(key).group_by(key.copy())
        query = query.having(self.comparison(counted, found.operator, found.values))
        return exp.In(
            this=self.column(_field(step.left, step.left_columns[0])), query=query.subquery()
        )

    def _plain(self, table: Table) -> FilterWriter:
        return type(self)(self.context, self.dialect, {})  # type: ignore[call-arg]

    def _against_average(self, found: plans.AgainstAverage) -> exp.Expr:
        from sqlglot import exp

        inside = self._plain(found.field.table)
        mean = exp.select(exp.Avg(this=inside.number(found.field))).from_(
            inside.source(found.field.table)
        )
        classes = {"<": exp.LT, "<=": exp.LTE, ">": exp.GT, ">=": exp.GTE}
        if found.operator not in classes:
            raise Unlinked("equal to the average is not read")
        return classes[found.operator](this=self.number(found.field), expression=mean.subquery())

    def _best(self, found: plans.Best) -> exp.Expr:
        from sqlglot import exp

        key = table_key(found.field.table)
        if any(plans.filter_tables(f) != {key} for f in found.filters):
            raise Unlinked("a superlative over joined rows inside a phrase is not read")
        inside = type(self)(self.context, self.dialect, {key: key[1] + "_2"})  # type: ignore[call-arg]
        function = exp.Max if found.descending else exp.Min
        query = exp.select(function(this=inside.number(found.field)))
        query = query.from_(inside.source(found.field.table))
        for condition in found.filters:
            query = query.where(inside.condition(condition))
        return exp.EQ(this=self.number(found.field), expression=query.subquery())

    def _lacks(self, found: plans.Lacks) -> exp.Expr:
        from sqlglot import exp

        key = table_key(found.table)
        if found.field.table is not found.table or any(
            plans.filter_tables(f) != {key} for f in found.filters
        ):
            raise Unlinked("an absence over joined rows is not read")
        inside = self._plain(found.table)
        column = inside.column(found.field)
        query = exp.select(column).from_(inside.source(found.table))
        known = plans.IsNull(found.field, True)
        for condition in (*found.filters, known):
            query = query.where(inside.condition(condition))
        return exp.not_(exp.In(this=self.column(found.field), query=query.subquery()))


def _field(table: Table, name: str) -> Field:
    column = table.column(name) or next(c for c in table.columns if c.name.lower() == name.lower())
    return Field(table, column)


def _literal(value: Literal_) -> exp.Expr:
    from sqlglot import exp

    return exp.convert(value)


def all_of(parts: Iterable[exp.Expr]) -> exp.Expr:
    """All conditions, in one order whatever the order of the question."""
    from sqlglot import exp

    return exp.and_(*sorted(parts, key=lambda part: part.sql()), wrap=False)

"""How the sources of one SELECT hang together: equalities, keys, and who repeats whose rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from groundwire.database.catalog import Table
from groundwire.guard.selects import Join, Select, Stored, conjuncts
from groundwire.query.sql import Source, extent, words

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = [
    "End",
    "Fan",
    "Link",
    "column_of",
    "fans",
    "foreign_keys",
    "inner_body",
    "inner_select",
    "is_determined",
    "is_one_row",
    "item_of",
    "join_place",
    "key_columns",
    "links",
    "read_by",
    "written_source",
]


@dataclass(frozen=True, slots=True)
class End:
    """One side of an equality: a column (its folded name) of a source; `stored` where known."""

    source: Source
    column: str
    stored: Stored | None


@dataclass(frozen=True, slots=True)
class Link:
    """An equality between columns of two sources; `node` is its EQ, or the name in a USING."""

    node: exp.Expr
    ends: tuple[End, End]

    def between(self, one: Source, other: Source) -> tuple[End, End] | None:
        """Its ends as (of one, of the other); None where it joins other sources."""
        left, right = self.ends
        if left.source is one and right.source is other:
            return left, right
        if right.source is one and left.source is other:
            return right, left
        return None


@dataclass(frozen=True, slots=True)
class Fan:
    """A source that may have several rows for one row of the sources before it.

    `parent` is the source that it is joined to, None where nothing joins it.
    """

    source: Source
    parent: Source | None


def links(select: Select) -> tuple[Link, ...]:
    """The equalities of all ON, USING and WHERE that must hold, in the order of the text."""
    found: list[Link] = []
    for join in select.joins:
        if join.condition is not None:
            found += _equalities(select, join.condition)
        found += _merged(select, join)
    where = select.node.args.get("where")
    if where is not None:
        found += _equalities(select, where.this)
    return tuple(found)


def _equalities(select: Select, condition: exp.Expr) -> Iterator[Link]:
    from sqlglot import exp

    for part in conjuncts(condition):
        part = part.unnest()
        if not isinstance(part, exp.EQ):
            continue
        left, right = _end(select, part.left), _end(select, part.right)
        if left and right and left.source is not right.source:
            yield Link(part, (left, right))


def _end(select: Select, node: exp.Expr) -> End | None:
    node = node.unnest()
    source = select.source_of(node)
    use = select.use(node)
    if source is None or use is None or source not in select.sources:
        return None
    name = (
        use.name if use.quoted else select.context.catalog.read_identifier(use.name, quoted=False)
    )
    return End(source, select.context.catalog.fold(name), select.stored(node))


def _merged(select: Select, join: Join) -> Iterator[Link]:
    before = select.sources[: select.sources.index(join.added[0])] if join.added else ()
    identifiers = join.node.args.get("using") or ()
    for index, name in enumerate(join.using):
        node = identifiers[index] if index < len(identifiers) else join.node
        left = [source for source in before if name in source.columns]
        right = [source for source in join.added if name in source.columns]
        if len(right) == 1:
            for source in left[:1]:
                yield Link(node, (_named(select, source, name), _named(select, right[0], name)))


def _named(select: Select, source: Source, name: str) -> End:
    table = select.table_of(source)
    column = None
    if table is not None and not source.renamed:
        fold = select.context.catalog.fold
        column = next((c for c in table.columns if fold(c.name) == name), None)
    stored = Stored(table, column, source) if table is not None and column is not None else None
    return End(source, name, stored)


# -- keys --------------------------------------------------------------------------------


def key_columns(select: Select, source: Source) -> tuple[exp.Column, ...]:
    """The columns that tell the rows of a source apart, by a key of the catalog or its GROUP BY."""
    keys = sorted(_keys(select, source), key=len)
    return tuple(column_of(source, name) for name in keys[0]) if keys else ()


def column_of(source: Source, name: str) -> exp.Column:
    """A column of a source by its (folded) name, quoted, as the SELECT around reads it."""
    from sqlglot import exp

    return exp.column(
        exp.to_identifier(name, quoted=True), exp.to_identifier(source.name, quoted=True)
    )


def _keys(select: Select, source: Source) -> list[tuple[str, ...]]:
    """Sets of (folded) columns that are unique in a source; the primary key first."""
    table, fold = select.table_of(source), select.context.catalog.fold
    if source.renamed:
        return []
    if table is not None:
        keys = [table.primary_key] if table.primary_key else []
        present = {column.name for column in table.columns if not column.nullable}
        keys += [key for key in table.unique_keys if present.issuperset(key)]
        return [tuple(map(fold, key)) for key in keys]
    grouped = _grouped_outputs(select, source)
    return [grouped] if grouped else []


def _grouped_outputs(select: Select, source: Source) -> tuple[str, ...]:
    """The outputs of a grouped subquery or CTE that carry all its group keys."""
    inner = inner_select(select, source)
    if inner is None:
        return ()
    if inner.node.args.get("distinct") and not source.open:
        return source.columns
    if inner.node.args.get("group") is None:
        return ()
    outputs = inner.node.selects
    if len(outputs) != len(source.columns):
        return ()
    names = []
    for key in inner.group_keys:
        place = next((i for i, out in enumerate(outputs) if out.unalias() == key), None)
        if place is None:
            return ()
        names.append(source.columns[place])
    return tuple(names)


def inner_body(select: Select, source: Source) -> exp.Expr | None:
    """The query behind a subquery or a CTE, None for anything else."""
    from sqlglot import exp

    item = item_of(select, source)
    if isinstance(item, exp.Subquery):
        return item.unnest()
    if isinstance(item, exp.Table) and source.table is None:
        return _cte(select, item)
    return None


def inner_select(select: Select, source: Source) -> Select | None:
    """The SELECT behind a subquery or a CTE, None for anything else."""
    body = inner_body(select, source)
    return next((one for one in select.context.selects if one.node is body), None)


def _cte(select: Select, item: exp.Table) -> exp.Expr | None:
    node: exp.Expr | None = select.node
    while node is not None:
        clause = node.args.get("with_")
        for cte in clause.expressions if clause is not None else ():
            if cte.alias.casefold() == item.name.casefold():
                body: exp.Expr = cte.this
                return body
        node = node.parent
    return None


def is_one_row(select: Select, source: Source) -> bool:
    """A subquery or CTE that has one row at most: an aggregate without groups, VALUES, LIMIT 1."""
    from sqlglot import exp

    item = item_of(select, source)
    if isinstance(item, exp.Values):
        return len(item.expressions) <= 1
    inner = inner_select(select, source)
    if inner is None:
        return False
    if inner.limit == 1 or not inner.sources:
        return True
    return bool(inner.aggregates) and inner.node.args.get("group") is None


def item_of(select: Select, source: Source) -> exp.Expr | None:
    """The item of the FROM clause that a source stands for."""
    from sqlglot import exp

    if source.table is not None:
        return source.table.node
    clause = select.node.args.get("from_") or select.node.args.get("from")
    roots = [
        clause,
        *(select.node.args.get("joins") or ()),
        *(select.node.args.get("laterals") or ()),
    ]
    for root in roots:
        for node in root.walk(prune=lambda part: isinstance(part, exp.Subquery | exp.Select)):
            named = isinstance(node, exp.Table | exp.Subquery | exp.Lateral | exp.Values)
            if named and node.alias_or_name.casefold() == source.name.casefold():
                found: exp.Expr = node
                return found
    return None


# -- who repeats whose rows --------------------------------------------------------------


def is_determined(select: Select, source: Source, by: list[Source]) -> bool:
    """At most one row of a source belongs to each row of `by`, as keys say."""
    if is_one_row(select, source):
        return True
    bound = set(_constant_columns(select, source))
    for link in links(select):
        for other in by:
            ends = link.between(source, other)
            if ends is not None:
                bound.add(ends[0].column)
    return any(bound.issuperset(key) for key in _unique_sets(select, source))


def _unique_sets(select: Select, source: Source) -> list[tuple[str, ...]]:
    """As `_keys`, with unique columns that may hold NULL too: a NULL joins nothing."""
    table, fold = select.table_of(source), select.context.catalog.fold
    if table is None or source.renamed:
        return _keys(select, source)
    keys = [table.primary_key, *table.unique_keys]
    return [tuple(map(fold, key)) for key in keys if key]


def _constant_columns(select: Select, source: Source) -> Iterator[str]:
    """Columns that are compared with what does not change from row to row of this SELECT."""
    from sqlglot import exp

    for part in select.conditions:
        part = part.unnest()
        if isinstance(part, exp.EQ):
            for side, other in ((part.left, part.right), (part.right, part.left)):
                end = _end(select, side)
                if end is not None and end.source is source and _is_constant(select, other):
                    yield end.column


def _is_constant(select: Select, node: exp.Expr) -> bool:
    read = select.context.uses.below(node)
    return all(use.sources and not set(use.sources) & set(select.sources) for use in read)


def fans(select: Select, source: Source) -> tuple[Fan, ...]:
    """The sources that may repeat the rows of one source, as the declared keys have it."""
    found: list[Fan] = []
    reached, rest = [source], [other for other in _multiplying(select) if other is not source]
    while rest:
        one = next((other for other in rest if is_determined(select, other, reached)), None)
        if one is None:
            one, parent = _next_fan(select, rest, reached)
            found.append(Fan(one, parent))
        rest.remove(one)
        reached.append(one)
    return tuple(found)


def _multiplying(select: Select) -> list[Source]:
    """The sources without those of SEMI and ANTI joins, which only filter."""
    filters = {
        id(source)
        for join in select.joins
        if str(join.node.kind or "").upper() in ("SEMI", "ANTI")
        for source in join.added
    }
    return [source for source in select.sources if id(source) not in filters]


def _next_fan(
    select: Select, rest: list[Source], reached: list[Source]
) -> tuple[Source, Source | None]:
    for source in rest:
        for parent in reached:
            if any(link.between(source, parent) for link in links(select)):
                return source, parent
    return rest[0], None


def foreign_keys(table: Table, other: Table) -> list[tuple[tuple[str, str], ...]]:
    """The declared foreign keys between two tables, each as (column, column of the other)s."""
    found = [
        tuple(zip(key.columns, key.target_columns, strict=False))
        for key in table.foreign_keys
        if (key.target_schema, key.target_table) == (other.schema, other.name)
    ]
    if table is not other:
        found += [
            tuple(zip(key.target_columns, key.columns, strict=False))
            for key in other.foreign_keys
            if (key.target_schema, key.target_table) == (table.schema, table.name)
        ]
    return list(dict.fromkeys(found))


# -- text --------------------------------------------------------------------------------


def read_by(select: Select, root: exp.Expr) -> set[Source] | None:
    """The sources of a SELECT that an expression reads; None where one cannot be told."""
    from sqlglot import exp

    found: set[Source] = set()
    for node in root.walk():
        if isinstance(node, exp.Query):
            return None
        if not isinstance(node, exp.Column):
            continue
        source = select.source_of(node)
        if source is None or source not in select.sources:
            return None
        found.add(source)
    return found


def written_source(select: Select, source: Source) -> str:
    """The alias or name of a source as the draft writes it."""
    item = item_of(select, source)
    if item is None:
        return source.name
    alias = item.args.get("alias")
    identifier = alias.this if alias is not None and alias.this is not None else item.this
    written = select.context.query.written(identifier)
    return written if written else source.name


def join_place(select: Select, join: Join) -> tuple[int, int] | None:
    """The characters from JOIN (or the comma) to the end of its ON; None where unclear."""
    from sqlglot import exp

    query, item = select.context.query, join.node.this
    if not isinstance(item, exp.Table) or len(join.added) != 1 or join.using:
        return None
    start, end = query.span(item)
    tokens = words(query)
    first = next((i for i, word in enumerate(tokens) if word.start == start), 0) - 1
    opening = {"JOIN", "INNER", "LEFT", "RIGHT", "FULL", "OUTER", "CROSS", "INNER JOIN"}
    if first < 0 or tokens[first].text not in {*opening, ","}:
        return None
    while first > 0 and tokens[first].text != "," and tokens[first - 1].text in opening:
        first -= 1
    if join.condition is not None:
        place = extent(query, join.condition)
        if place is None:
            return None
        end = place[1]
    return tokens[first].start, end

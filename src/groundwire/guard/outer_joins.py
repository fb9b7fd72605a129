"""The outer joins of a SELECT that something behind them makes inner ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from groundwire.guard.joins import End, column_of, is_determined, key_columns, links, read_by
from groundwire.guard.selects import Join, Select, conjuncts
from groundwire.query.sql import Source

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["Undone", "undone_joins"]


@dataclass(frozen=True, slots=True)
class Undone:
    """What undoes the outer joins of one SELECT.

    `kept` are the sources that the outer joins keep. `outer` are LEFT JOINs that are undone,
    `tightened` inner joins behind them that meet their columns. `conditions` are those of WHERE
    that are never true where a source of these joins is missing.
    """

    select: Select
    kept: tuple[Source, ...]
    outer: tuple[Join, ...]
    tightened: tuple[Join, ...]
    conditions: tuple[exp.Expr, ...]

    @property
    def joins(self) -> tuple[Join, ...]:
        """All of these joins, in the order of the text."""
        wanted = {id(join.node) for join in (*self.outer, *self.tightened)}
        return tuple(join for join in self.select.joins if id(join.node) in wanted)

    @property
    def sources(self) -> tuple[Source, ...]:
        """What these joins add."""
        return tuple(source for join in self.joins for source in join.added)

    def conditions_of(self, join: Join) -> list[exp.Expr]:
        """The conditions that are never true where the source of one join is missing."""
        strict = _strict(self.select, join)
        return [part for part in self.conditions if part in strict]

    @property
    def is_read_one_way(self) -> bool:
        """Keeping the rows of `kept` can mean but one thing.

        Where one of these joins hangs on another, rows of the nearer one that have none of the
        farther one could be kept or not: that is the same only for aggregates of the farthest.
        """
        sources = self.sources
        parents = [_parents(self.select, join) for join in self.joins]
        if not self.tightened and all(set(found) <= set(self.kept) for found in parents):
            return True
        for place, found in enumerate(parents):
            wanted = {sources[place - 1]} if place else set(self.kept)
            if not found or not set(found) <= wanted:
                return False
        return _is_aggregated(self.select, self.kept, sources[-1])

    def statement(self) -> str | None:
        """How many rows of `kept` have nothing of these joins; None where it cannot be asked."""
        ends = [_end(self.select, join) for join in self.joins]
        known = [column_of(end.source, end.column) for end in ends if end is not None]
        keys = [key_columns(self.select, source) for source in self.kept]
        if len(known) < len(ends) or not all(keys) or self.select.is_correlated:
            return None
        dialect = self.select.context.query.dialect
        rows = self.select.over_rows("1 AS x", where=False, change=self._keep)
        grouped = ", ".join(key.sql(dialect) for key_of in keys for key in key_of)
        met = " AND ".join(f"{column.sql(dialect)} IS NOT NULL" for column in known)
        if rows is None:
            return None
        return (
            f"SELECT count(*) FROM ({rows} GROUP BY {grouped} "
            f"HAVING count(CASE WHEN {met} THEN 1 END) = 0) AS lost"
        )

    def _keep(self, probe: exp.Select) -> None:
        """Every row of `kept` stays: the conditions stand in ON, the inner joins are outer ones.

        The condition on a look-up stands nowhere: it may drop rows, but those without a partner.
        """
        from sqlglot import exp

        places = {id(node): place for place, node in enumerate(self.select.node.args["joins"])}
        for join in self.joins:
            node = probe.args["joins"][places[id(join.node)]]
            node.set("side", "LEFT")
            node.set("kind", None)
            own = [part.copy() for part in self.conditions_of(join)]
            if own and join.condition is not None and not self._is_look_up(join):
                node.set("on", exp.and_(join.condition.copy(), *own))
        where = self.select.node.args.get("where")
        rest = [
            part.copy()
            for part in (conjuncts(where.this) if where is not None else ())
            if part not in self.conditions
        ]
        if rest:
            probe.set("where", exp.Where(this=exp.and_(*rest)))

    def _is_look_up(self, join: Join) -> bool:
        return is_determined(self.select, join.added[0], list(self.kept))


def undone_joins(select: Select) -> Undone | None:
    """What undoes the outer joins of a SELECT; None where nothing does."""
    kinds = {join.kind for join in select.joins}
    if "left" not in kinds or not kinds.isdisjoint(("right", "full", "other")):
        return None
    nullable: dict[Source, Join] = {}
    tightened: list[Join] = []
    for join in select.joins:
        meets_nullable = any(parent in nullable for parent in _parents(select, join))
        if join.kind != "left" and not meets_nullable:
            continue
        if not _is_plain(select, join):
            return None
        nullable[join.added[0]] = join
        tightened += [join] if join.kind != "left" else []
    conditions: list[exp.Expr] = []
    undone = list(tightened)
    for join in nullable.values():
        strict = _strict(select, join)
        conditions += [part for part in strict if part not in conditions]
        undone += [join] if strict else []
    for join in undone:  # grows by the joins that these hang on
        near = [nullable[source] for source in _parents(select, join) if source in nullable]
        undone += [other for other in near if other not in undone]
    if not undone:
        return None
    kept = tuple(source for source in select.sources if source not in nullable)
    outer = tuple(join for join in undone if join.kind == "left")
    return Undone(select, kept, outer, tuple(tightened), tuple(conditions))


def _is_plain(select: Select, join: Join) -> bool:
    return len(join.added) == 1 and any(
        node is join.node for node in select.node.args.get("joins") or ()
    )


def _parents(select: Select, join: Join) -> list[Source]:
    """The sources before a join that an equality of its ON or USING meets."""
    return [
        end.source for link in _links(select, join) for end in link if end.source not in join.added
    ]


def _links(select: Select, join: Join) -> list[tuple[End, End]]:
    from sqlglot import exp

    return [
        link.ends
        for link in links(select)
        if (link.node if link.node is join.node else link.node.find_ancestor(exp.Join)) is join.node
    ]


def _end(select: Select, join: Join) -> End | None:
    """A column of what a join adds that is there in each of its rows."""
    ends = (end for link in _links(select, join) for end in link)
    return next((end for end in ends if end.source in join.added), None)


def _strict(select: Select, join: Join) -> list[exp.Expr]:
    """The conditions of WHERE that are never true without the added source, and may stand in ON."""
    from sqlglot import exp

    where = select.node.args.get("where")
    compared = exp.EQ | exp.NEQ | exp.GT | exp.GTE | exp.LT | exp.LTE | exp.Like | exp.ILike
    (source,) = join.added
    before = set(select.sources[: select.sources.index(source)])
    found: list[exp.Expr] = []
    for part in conjuncts(where.this) if where is not None else ():
        bare = part.unnest()
        if isinstance(bare, exp.Is) and isinstance(bare.expression, exp.Null):
            if source in (read_by(select, bare) or ()):
                return []
            continue
        holds = isinstance(bare, compared | exp.In | exp.Between)
        if holds and not bare.find(exp.Coalesce, exp.Case, exp.Or, exp.Query):
            read = read_by(select, bare)
            sides = [bare.this, bare.expression] if isinstance(bare, compared) else [bare.this]
            plain = any(_is_of(select, side, source) for side in sides)
            if read is not None and plain and source in read and read <= {source, *before}:
                found.append(part)
    return found


def _is_of(select: Select, node: exp.Expr, source: Source) -> bool:
    from sqlglot import exp

    bare = node.unnest()
    return isinstance(bare, exp.Column) and select.source_of(bare) is source


def _is_aggregated(select: Select, kept: Sequence[Source], last: Source) -> bool:
    """Grouped by rows of `kept`; whatever else is returned is an aggregate over `last`."""
    from sqlglot import exp

    for key in select.group_keys:
        read = read_by(select, key)
        if read is None or not read <= set(kept):
            return False
    for call in select.aggregates:
        bare = call.this.expressions[0] if isinstance(call.this, exp.Distinct) else call.this
        sensitive = bare is None or bare.find(exp.Coalesce, exp.Case, exp.Is, exp.Star)
        if sensitive or read_by(select, bare) != {last}:
            return False
    inside = {id(node) for call in select.aggregates for node in call.walk()}
    for output in select.node.expressions:
        for node in output.walk():
            plain = isinstance(node, exp.Column) and id(node) not in inside
            if plain and select.source_of(node) not in kept:
                return False
    return bool(select.aggregates)

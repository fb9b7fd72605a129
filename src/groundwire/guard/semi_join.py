"""Joins that only filter, rewritten as EXISTS so that they repeat no row."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from groundwire.guard.joins import is_determined, join_place, read_by
from groundwire.guard.selects import Join, Select, conjuncts
from groundwire.query.edits import Edit
from groundwire.query.sql import Source, after_blanks, comments, extent

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["as_exists", "beyond", "is_output"]


def beyond(select: Select, source: Source) -> list[Source]:
    """The sources of which one row of `source` may meet several, in the order of the text."""
    near, grown = [source], True
    while grown:
        grown = False
        for other in select.sources:
            if other not in near and is_determined(select, other, near):
                near.append(other)
                grown = True
    return [other for other in select.sources if other not in near]


def is_output(select: Select, sources: Iterable[Source]) -> bool:
    """Something beside ON and WHERE reads one of these sources, or may."""
    from sqlglot import exp

    wanted, node = set(sources), select.node
    if any(
        isinstance(part, exp.Star) and not isinstance(part.parent, exp.Count)
        for output in node.expressions
        for part in select.walk(output)
    ):
        return True
    for key in ("expressions", "group", "having", "order", "qualify", "distinct", "windows"):
        value = node.args.get(key)
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, exp.Expr) and _reads(select, part, wanted):
                return True
    return False


def _reads(select: Select, root: exp.Expr, wanted: set[Source]) -> bool:
    read = select.context.uses.below(root)
    return any(use.meaning != "alias" and wanted.intersection(use.sources) for use in read)


@dataclass(frozen=True, slots=True)
class _Part:
    """A condition: its characters, its text, and whether it reads what is taken out of FROM."""

    place: tuple[int, int]
    text: str
    moves: bool


def as_exists(select: Select, source: Source) -> tuple[Edit, ...]:
    """Edits that turn the joins beyond `source` into one EXISTS; () where that is not exact.

    Exact where those joins are inner, stand behind all others, and nothing but ON and WHERE reads
    what they add: then they only say which rows of `source` are kept.
    """
    query, moved = select.context.query, beyond(select, source)
    joins = [join for join in select.joins if set(join.added) & set(moved)]
    if not joins or is_output(select, moved) or not _are_last_and_inner(select, joins, moved):
        return ()
    places = [place for join in joins if (place := join_place(select, join)) is not None]
    first = _correlation(select, joins, moved)
    parts = _parts(select, moved)
    if first is None or parts is None or len(places) < len(joins):
        return ()
    items = [query.span(joins[0].node.this), *places[1:]]
    tables = " ".join(query.text[start:end] for start, end in items)
    conditions = " AND ".join([first.text, *(part.text for part in parts if part.moves)])
    exists = f"EXISTS (SELECT 1 FROM {tables} WHERE {conditions})"
    start, end = places[0][0], places[-1][1]
    left = comments(query, (start, end), [*items, first.place])
    where = select.node.args.get("where")
    if where is None:
        return (Edit(start, end, f"WHERE {exists}{left}"),)
    body = extent(query, where.this)
    if body is None:
        return ()
    kept = " AND ".join([*(part.text for part in parts if not part.moves), exists])
    kept += comments(query, body, [part.place for part in parts])
    return Edit(after_blanks(query, start), end, left), Edit(*body, kept)


def _are_last_and_inner(select: Select, joins: list[Join], moved: list[Source]) -> bool:
    every = select.joins
    return (
        list(every[len(every) - len(joins) :]) == joins
        and {source for join in joins for source in join.added} == set(moved)
        and all(join.kind == "inner" and join.condition is not None for join in joins)
        and not any(join.using for join in joins)
        and not select.node.args.get("laterals")
    )


def _correlation(select: Select, joins: list[Join], moved: list[Source]) -> _Part | None:
    """The first join's ON; None where a later one reads what stays in FROM too."""
    for join in joins[1:]:
        read = read_by(select, join.condition) if join.condition is not None else None
        if read is None or not read <= set(moved):
            return None
    return _part(select, joins[0].condition, moved)


def _parts(select: Select, moved: list[Source]) -> list[_Part] | None:
    where = select.node.args.get("where")
    written = conjuncts(where.this) if where is not None else ()
    parts = [_part(select, condition, moved) for condition in written]
    found = [part for part in parts if part is not None]
    return found if len(found) == len(parts) else None


def _part(select: Select, condition: exp.Expr | None, moved: list[Source]) -> _Part | None:
    from sqlglot import exp

    place = extent(select.context.query, condition) if condition is not None else None
    if condition is None or place is None:
        return None
    text = select.context.query.text[place[0] : place[1]]
    text = f"({text})" if isinstance(condition, exp.Or) else text
    return _Part(place, text, _reads(select, condition, set(moved)))

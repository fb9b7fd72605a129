"""Joins that only filter, rewritten as EXISTS so that they repeat no row."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from groundwire.guard.joins import is_determined, join_place, read_by
from groundwire.guard.selects import Join, Select, conjuncts
from groundwire.query.edits import Edit
from groundwire.query.sql import Source, extent

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
    """A condition of WHERE: its text, and whether it reads what is taken out of FROM."""

    text: str
    moves: bool


def as_exists(select: Select, source: Source) -> tuple[Edit, ...]:
    """Edits that turn the joins beyond `source` into one EXISTS; () where that is not exact.

    Exact where those joins are inner, stand behind all others, and nothing but ON and WHERE reads
    what they add: then they only say which rows of `source` are kept.
    """
    moved = beyond(select, source)
    joins = [join for join in select.joins if set(join.added) & set(moved)]
    if not joins or is_output(select, moved) or not _are_last_and_inner(select, joins, moved):
        return ()
    places = [join_place(select, join) for join in joins]
    first = _correlation(select, joins, moved)
    parts = _parts(select, moved)
    if first is None or parts is None or any(place is None for place in places):
        return ()
    text = select.context.query.text
    items = [_item(select, joins[0])]
    items += [text[place[0] : place[1]] for place in places[1:] if place is not None]
    conditions = [first, *(part.text for part in parts if part.moves)]
    exists = f"EXISTS (SELECT 1 FROM {' '.join(items)} WHERE {' AND '.join(conditions)})"
    start, end = places[0][0], places[-1][1]  # type: ignore[index]
    where = select.node.args.get("where")
    if where is None:
        return (Edit(start, end, f"WHERE {exists}"),)
    body = extent(select.context.query, where.this)
    if body is None:
        return ()
    start = len(text[:start].rstrip())
    kept = [part.text for part in parts if not part.moves]
    return Edit(start, end, ""), Edit(*body, " AND ".join([*kept, exists]))


def _are_last_and_inner(select: Select, joins: list[Join], moved: list[Source]) -> bool:
    every = select.joins
    return (
        list(every[len(every) - len(joins) :]) == joins
        and {source for join in joins for source in join.added} == set(moved)
        and all(join.kind == "inner" and join.condition is not None for join in joins)
        and not any(join.using for join in joins)
        and not select.node.args.get("laterals")
    )


def _correlation(select: Select, joins: list[Join], moved: list[Source]) -> str | None:
    """The text of the first join's ON; None where a later one reads what stays in FROM too."""
    for join in joins[1:]:
        read = read_by(select, join.condition) if join.condition is not None else None
        if read is None or not read <= set(moved):
            return None
    return _text(select, joins[0].condition)


def _parts(select: Select, moved: list[Source]) -> list[_Part] | None:
    where = select.node.args.get("where")
    parts = []
    for condition in conjuncts(where.this) if where is not None else ():
        text = _text(select, condition)
        if text is None:
            return None
        parts.append(_Part(text, _reads(select, condition, set(moved))))
    return parts


def _text(select: Select, condition: exp.Expr | None) -> str | None:
    from sqlglot import exp

    place = extent(select.context.query, condition) if condition is not None else None
    if place is None:
        return None
    text = select.context.query.text[place[0] : place[1]]
    return f"({text})" if isinstance(condition, exp.Or) else text


def _item(select: Select, join: Join) -> str:
    place = select.context.query.span(join.node.this)
    return select.context.query.text[place[0] : place[1]]

"""AGG2: rows are counted where entities are meant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from groundwire.database.catalog import Table
from groundwire.guard.context import SqlContext
from groundwire.guard.findings import Finding
from groundwire.guard.joins import (
    End,
    Link,
    column_of,
    fans,
    is_determined,
    key_columns,
    links,
    written_source,
)
from groundwire.guard.names import written_name
from groundwire.guard.repeats import has_plain_groups, own_key, worst_group
from groundwire.guard.selects import Join, Select, selects
from groundwire.guard.wording import asks_for_entities
from groundwire.query.edits import Edit
from groundwire.query.sql import Source, comments, extent

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["count_of_rows"]


def count_of_rows(context: SqlContext) -> list[Finding]:
    """COUNT(*) that counts the empty row of an outer join, or one entity several times.

    Behind `customers LEFT JOIN orders` a customer without orders has one row: `COUNT(*)` says 1.
    Repaired to a count of the join's column where each group is one row of the left side, or the
    question counts the right side. Where the question asks how many (different) entities there are
    and the rows of a group repeat them, they are counted once. Behind several outer joins, COUNT(*)
    that is the number of none of what they add is a doubt. One or two statements for each count.
    """
    findings = []
    for select in selects(context):
        if not has_plain_groups(select):
            continue
        for call in select.aggregates:
            if _is_count(call):
                finding = (
                    _repeated(context, select, call)
                    or _empty_row(context, select, call)
                    or _of_nothing(context, select, call)
                )
                findings += [finding] if finding else []
    return findings


def _is_count(call: exp.AggFunc) -> bool:
    from sqlglot import exp

    return (
        isinstance(call, exp.Count)
        and not isinstance(call.this, exp.Distinct)
        and not isinstance(call.parent, exp.Filter)
    )


def _counts_rows(call: exp.AggFunc) -> bool:
    """COUNT(*), COUNT(1), COUNT()."""
    from sqlglot import exp

    return call.this is None or isinstance(call.this, exp.Star | exp.Literal)


# -- the empty row of an outer join ------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Outer:
    """A LEFT JOIN whose source may have no row; `link` joins it to a source before it."""

    source: Source
    link: Link


def _empty_row(context: SqlContext, select: Select, call: exp.AggFunc) -> Finding | None:
    outer = _outer(context, select) if _counts_rows(call) and not _is_corrected(call) else None
    if outer is None:
        return None
    column, counted = _written(context, select, outer), _argument_of(context, select, outer)
    key = _end_of(outer).stored
    if key is None or counted is None:
        return None
    statement = select.over_rows(f"count(*) - count({column})", f"count({column})")
    measured = context.measure(statement)
    if measured is None or not measured.row[0] or not measured.row[1]:
        return None
    edits = _argument(context, call, counted)
    if not edits:
        return None
    empty = measured.row[0]
    sentence = f"{empty:,} of its rows have nothing of {key.table.name}: the outer join kept them."
    return Finding(
        code="AGG2",
        check="count_of_rows",
        severity="fault",
        span=context.query.span(call),
        message=f"COUNT(*) counts a row without {key.table.name} as one. {sentence} "
        f"{counted} is counted instead.",
        evidence=(measured.evidence(sentence, list(measured.row)),),
        edits=edits,
        action="repaired",
    )


def _argument_of(context: SqlContext, select: Select, outer: _Outer) -> str | None:
    """What COUNT is to take for the rows of the outer join; None where others repeat them and no
    column tells them apart."""
    if not fans(select, outer.source):
        return _written(context, select, outer)
    key = own_key(select, outer.source)
    return f"DISTINCT {_text(context, select, key)}" if key is not None else None


def _is_corrected(call: exp.AggFunc) -> bool:
    """`COUNT(*) - 1`, or a CASE that asks whether there is a row: who wrote it knows of it."""
    from sqlglot import exp

    if isinstance(call.parent, exp.Sub) and isinstance(call.parent.expression, exp.Literal):
        return True
    case = call.find_ancestor(exp.Case, exp.If, exp.Select)
    while isinstance(case, exp.Case | exp.If):
        if any(isinstance(part.expression, exp.Null) for part in case.find_all(exp.Is)):
            return True
        case = case.find_ancestor(exp.Case, exp.If, exp.Select)
    return False


def _outer(context: SqlContext, select: Select) -> _Outer | None:
    """The one outer join whose rows COUNT(*) means to count."""
    found = [outer for join in select.joins if (outer := _of(select, join)) is not None]
    asked = [outer for outer in found if _is_asked(context, select, outer.source)]
    if asked:
        return asked[0] if len(asked) == 1 else None
    others = [source for source in select.sources if all(source is not o.source for o in found)]
    if len(found) != 1 or (context.question is not None and _asked_source(context, select, others)):
        return None
    return found[0] if _groups_are_single_rows(select, others) else None


def _of(select: Select, join: Join) -> _Outer | None:
    from sqlglot import exp

    if join.kind != "left" or len(join.added) != 1:
        return None
    (source,) = join.added
    before = list(select.sources[: select.sources.index(source)])
    link = next(
        (link for link in links(select) if link.node.find_ancestor(exp.Join) is join.node), None
    )
    if link is None or join.using or is_determined(select, source, before):
        return None
    return _Outer(source, link)


def _groups_are_single_rows(select: Select, others: list[Source]) -> bool:
    """The GROUP BY holds a key of a source, and reads nothing but what belongs to its row.

    The sources beside `others` are those of outer joins, on which look-ups may hang.
    """
    if any(select.source_of(key) not in others for key in select.group_keys):
        return False
    joined = [source for source in select.sources if source not in others]
    return any(
        _is_grouped_by(select, source)
        and all(
            is_determined(select, other, [source, *joined]) for other in others if other != source
        )
        for source in others
    )


def _is_grouped_by(select: Select, source: Source) -> bool:
    """The GROUP BY holds a key of a source."""
    names = set()
    for key in select.group_keys:
        use = select.use(key)
        if use is not None and select.source_of(key) is source:
            names.add(select.context.catalog.fold(use.name))
    keys = key_columns(select, source)
    return bool(keys) and all(column.name in names for column in keys)


def _end_of(outer: _Outer) -> End:
    return next(end for end in outer.link.ends if end.source is outer.source)


def _written(context: SqlContext, select: Select, outer: _Outer) -> str:
    stored = _end_of(outer).stored
    name = stored.column.name if stored is not None else _end_of(outer).column
    column = written_name(context.database, context.catalog, name)
    return f"{written_source(select, outer.source)}.{column}"


# -- several outer joins -----------------------------------------------------------------


def _of_nothing(context: SqlContext, select: Select, call: exp.AggFunc) -> Finding | None:
    """COUNT(*) of a row of the left side, where it is the number of nothing that is joined."""
    if not _counts_rows(call) or _is_corrected(call):
        return None
    found = [outer for join in select.joins if (outer := _of(select, join)) is not None]
    others = [source for source in select.sources if all(source is not o.source for o in found)]
    asked = any(_is_asked(context, select, source) for source in select.sources)
    if len(found) < 2 or asked or not _groups_are_single_rows(select, others):
        return None
    keys = [own_key(select, outer.source) for outer in found]
    measured = context.measure(_uncounted(select, [key for key in keys if key is not None]))
    if None in keys or measured is None or not measured.row[0]:
        return None
    groups, most = measured.row
    names = " nor of ".join(outer.source.name for outer in found)
    where = f"{groups:,} groups" if groups != 1 else "one group"
    sentence = f"In {where} it is the number neither of {names} (up to {most:,})."
    return Finding(
        code="AGG2",
        check="count_of_rows",
        severity="doubt",
        span=context.query.span(call) if call.this is not None else context.query.span(select.node),
        message=f"COUNT(*) counts combinations of what is joined, and 1 for none. {sentence}",
        evidence=(measured.evidence(sentence, [groups, most]),),
    )


def _uncounted(select: Select, keys: list[exp.Column]) -> str | None:
    """(groups whose number of rows is no number of different keys, the most of those rows)."""
    from sqlglot import exp

    groups = [exp.alias_(key.copy(), f"g{i}") for i, key in enumerate(select.group_keys)]
    rows = select.over_rows(
        *groups, *(exp.alias_(key.copy(), f"k{i}") for i, key in enumerate(keys))
    )
    if rows is None:
        return None
    counts = ", ".join(f"count(DISTINCT k{i}) AS d{i}" for i in range(len(keys)))
    other = " AND ".join(f"n <> d{i}" for i in range(len(keys)))
    names = ", ".join(f"g{i}" for i in range(len(groups)))
    return (
        f"SELECT count(*), max(n) FROM (SELECT count(*) AS n, {counts} FROM ({rows}) AS r "
        f"GROUP BY {names}) AS e WHERE {other}"
    )


# -- entities that rows repeat -----------------------------------------------------------


def _repeated(context: SqlContext, select: Select, call: exp.AggFunc) -> Finding | None:
    """What the question counts stands in several rows of a group."""
    counted = _counted(context, select, call) if context.question is not None else None
    if counted is None:
        return None
    column, what = counted
    statement = worst_group(select, [column])
    measured = context.measure(statement)
    if measured is None:
        return None
    edits = _argument(context, call, f"DISTINCT {_text(context, select, column)}")
    if not edits:
        return None
    rows, different = measured.row
    place = "In one group, " if select.group_keys else ""
    sentence = f"{place}{rows:,} rows hold {different:,} different {what}."
    return Finding(
        code="AGG2",
        check="count_of_rows",
        severity="fault",
        span=context.query.span(call),
        message=f"The question counts {what}. {sentence} Each is counted once.",
        evidence=(measured.evidence(sentence, [rows, different]),),
        edits=edits,
        action="repaired",
    )


def _counted(context: SqlContext, select: Select, call: exp.AggFunc) -> tuple[exp.Expr, str] | None:
    """The column that tells apart what the question counts, and its name in the plural."""
    from sqlglot import exp

    if _counts_rows(call):
        source = _asked_source(context, select, list(select.sources))
        table = select.table_of(source) if source is not None else None
        if source is None or table is None:
            return _referred(context, select)
        keys = key_columns(select, source)
        repeating = fans(select, source)
        joined = bool(repeating) and all(fan.parent is not None for fan in repeating)
        return (keys[0], table.name) if len(keys) == 1 and joined else None
    stored = select.stored(call.this) if isinstance(call.this, exp.Column) else None
    if stored is None or stored.table.primary_key == (stored.column.name,):
        return None
    for name in (stored.column.name, *_targets(stored.table, stored.column.name)):
        if asks_for_entities(context.question or "", name):
            return call.this, name
    return None


def _referred(context: SqlContext, select: Select) -> tuple[exp.Expr, str] | None:
    """The one foreign key to the table that the question counts, where no source is that table."""
    found: list[tuple[exp.Expr, str]] = []
    for source in select.sources:
        table = select.table_of(source)
        if _is_asked(context, select, source):
            return None
        for key in table.foreign_keys if table is not None else ():
            if len(key.columns) == 1 and asks_for_entities(
                context.question or "", key.target_table
            ):
                column = column_of(source, context.catalog.fold(key.columns[0]))
                found.append((column, key.target_table))
    return found[0] if len(found) == 1 else None


def _targets(table: Table, column: str) -> list[str]:
    """The tables whose key a column holds, by a declared foreign key."""
    return [key.target_table for key in table.foreign_keys if key.columns == (column,)]


def _is_asked(context: SqlContext, select: Select, source: Source) -> bool:
    table = select.table_of(source)
    asked = context.question is not None and table is not None
    return asked and asks_for_entities(context.question or "", table.name)  # type: ignore[union-attr]


def _asked_source(context: SqlContext, select: Select, sources: list[Source]) -> Source | None:
    """The one source whose table the question counts."""
    found = [source for source in sources if _is_asked(context, select, source)]
    return found[0] if len(found) == 1 else None


def _text(context: SqlContext, select: Select, column: exp.Expr) -> str:
    """A column as the draft writes it, or under its source's name where the draft does not."""
    place = extent(context.query, column) if "start" in column.this.meta else None
    if place is not None:
        return context.query.text[place[0] : place[1]]
    source = next(one for one in select.sources if one.name == column.args["table"].name)
    table = select.table_of(source)
    name = next(
        (
            c.name
            for c in (table.columns if table else ())
            if context.catalog.fold(c.name) == column.name
        ),
        column.name,
    )
    written = written_name(context.database, context.catalog, name)
    return f"{written_source(select, source)}.{written}"


def _argument(context: SqlContext, call: exp.AggFunc, text: str) -> tuple[Edit, ...]:
    """Edits that put a text between the brackets of a call."""
    place = extent(context.query, call)
    if place is None:
        return ()
    inside = context.query.text.index("(", place[0]) + 1, place[1] - 1
    return (Edit(*inside, text + comments(context.query, inside)),)

"""How often the rows of one source are met in each group of a SELECT, as a statement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from groundwire.guard.joins import column_of, key_columns, links
from groundwire.guard.selects import Select
from groundwire.query.sql import Source

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["Met", "has_plain_groups", "met_once", "own_key", "row_key", "worst_group"]


@dataclass(frozen=True, slots=True)
class Met:
    """A statement with one row for each group and key: `n`, how often it is met, and `v`.

    `by_group` is ` GROUP BY g0, …` over it, "" without groups.
    """

    text: str
    by_group: str


def has_plain_groups(select: Select) -> bool:
    """No ROLLUP, CUBE or GROUPING SETS, nor GROUP BY ALL."""
    from sqlglot import exp

    group = select.node.args.get("group")
    if group is None:
        return True
    totals = any(
        isinstance(node, exp.Rollup | exp.Cube | exp.GroupingSets) for node in group.walk()
    )
    return bool(group.expressions) and not totals and not group.args.get("all")


def row_key(select: Select, source: Source) -> tuple[exp.Column, ...]:
    """The columns that tell the rows of a source apart; () where nothing does, or nobody can say.

    By the catalog; of a view or a table without a key, the joined column that measures as one (two
    statements, the facts are kept).
    """
    table, statistics = select.table_of(source), select.context.statistics
    declared = key_columns(select, source)
    if declared or table is None or source.renamed:
        return declared
    for name in dict.fromkeys(
        end.stored.column.name
        for link in links(select)
        for end in link.ends
        if end.source is source and end.stored is not None
    ):
        unique = statistics.is_unique(table, (name,))
        nulls = statistics.nulls(table, name) if unique is not None and unique.value else None
        if unique is None or unique.sampled is not None or nulls is None or nulls.value[0]:
            continue
        return (column_of(source, select.context.catalog.fold(name)),)
    return ()


def own_key(select: Select, source: Source) -> exp.Column | None:
    """The one column that tells the rows of a source apart in each group; None where it takes more.

    Columns of its key that are grouped by, or equal to what is, are the same in a whole group.
    """
    fold = select.context.catalog.fold
    grouped = {
        (select.source_of(key), fold(use.name))
        for key in select.group_keys
        if (use := select.use(key)) is not None
    }
    same = {
        end.column
        for link in links(select)
        for end, other in (link.ends, link.ends[::-1])
        if end.source is source and (other.source, other.column) in grouped
    }
    same |= {name for holder, name in grouped if holder is source}
    keys = [key for key in key_columns(select, source) if key.name not in same]
    return keys[0] if len(keys) == 1 else None


def met_once(select: Select, keys: Sequence[exp.Expr], value: exp.Expr | None = None) -> Met | None:
    """`value` (by default the key) of each different key in each group; None where it cannot be
    asked. Rows without a value count for nothing, as in an aggregate."""
    from sqlglot import exp

    groups = select.group_keys
    outputs: list[exp.Expr] = [exp.alias_(key.copy(), f"g{i}") for i, key in enumerate(groups)]
    outputs += [exp.alias_(key.copy(), f"k{i}") for i, key in enumerate(keys)]
    outputs.append(exp.alias_((value or keys[0]).copy(), "v"))
    rows = select.over_rows(*outputs)
    if rows is None:
        return None
    names = [f"g{i}" for i in range(len(groups))]
    listed = ", ".join([*names, *(f"k{i}" for i in range(len(keys))), "v"])
    text = (
        f"SELECT {listed}, count(*) AS n FROM ({rows}) AS r WHERE v IS NOT NULL GROUP BY {listed}"
    )
    return Met(text, f" GROUP BY {', '.join(names)}" if names else "")


def worst_group(select: Select, keys: Sequence[exp.Expr]) -> str | None:
    """A statement for (rows, different keys) of the group that repeats most; no row where none
    does."""
    once = met_once(select, keys)
    if once is None:
        return None
    return (
        f"SELECT sum(n), count(*) FROM ({once.text}) AS e{once.by_group} "
        "HAVING sum(n) > count(*) ORDER BY sum(n) - count(*) DESC LIMIT 1"
    )

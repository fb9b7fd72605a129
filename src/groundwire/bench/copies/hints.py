"""What the gold queries of a database look at: the values that must stay, and those to go near."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["Hints", "read_hints"]


@dataclass(frozen=True)
class Hints:
    """By the name of a column in lower case, whatever its table.

    `literals` are the values that it is compared with, `patterns` the texts that LIKE looks for
    in it. `joined` are columns that are compared with another column; `pairs` says with which,
    as ((table, column), (table, column)). `ranked` are columns that rows are ordered by, or whose
    largest or smallest value is taken.
    """

    literals: Mapping[str, tuple[Any, ...]]
    patterns: Mapping[str, tuple[str, ...]]
    pairs: frozenset[tuple[tuple[str, str], tuple[str, str]]]
    ranked: frozenset[str]

    @property
    def joined(self) -> frozenset[str]:
        """The columns of all pairs."""
        return frozenset(name for pair in self.pairs for _, name in pair)


def read_hints(queries: Iterable[str], dialect: str, columns: Set[str]) -> Hints:
    """Read the golds.

    Args:
        columns: the names of all columns in lower case; SQLite takes `"France"` for a text where
            no column has that name.
    """
    from groundwire.query.sql import parse

    literals: dict[str, dict[Any, None]] = defaultdict(dict)
    patterns: dict[str, dict[str, None]] = defaultdict(dict)
    pairs: set[tuple[tuple[str, str], tuple[str, str]]] = set()
    ranked: set[str] = set()
    for query in queries:
        for statement in parse(query, dialect).statements:
            tables = _tables(statement)
            for column, value, is_pattern in _comparisons(statement, columns):
                if is_pattern:
                    patterns[column][str(value).strip("%_")] = None
                else:
                    literals[column][value] = None
            pairs.update(_joins(statement, tables, columns))
            ranked.update(_ranked(statement))
    return Hints(
        {name: tuple(values) for name, values in literals.items()},
        {name: tuple(values) for name, values in patterns.items()},
        frozenset(pairs),
        frozenset(ranked),
    )


def _tables(statement: exp.Expr) -> dict[str, str]:
    """The table that each name stands for, in lower case; a name of two tables is left out."""
    from sqlglot import exp

    found: dict[str, set[str]] = defaultdict(set)
    for table in statement.find_all(exp.Table):
        found[table.alias_or_name.lower()].add(table.name.lower())
    return {name: tables.pop() for name, tables in found.items() if len(tables) == 1}


def _comparisons(statement: exp.Expr, columns: Set[str]) -> Iterator[tuple[str, Any, bool]]:
    """(column, literal, whether it is a pattern) of each comparison."""
    from sqlglot import exp

    for node in statement.find_all(exp.Binary, exp.Between, exp.In):
        sides = list(node.iter_expressions())
        names = [
            column.name.lower()
            for side in sides
            for column in side.find_all(exp.Column)
            if column.name.lower() in columns
        ]
        is_pattern = isinstance(node, exp.Like | exp.ILike)
        for side in sides:
            value = _literal(side, columns)
            if value is not None:
                yield from ((name, value, is_pattern) for name in names)


def _literal(node: exp.Expr, columns: Set[str]) -> int | float | str | None:
    from sqlglot import exp

    if isinstance(node, exp.Neg):
        value = _literal(node.this, columns)
        return -value if isinstance(value, int | float) else None
    if isinstance(node, exp.Column) and not node.table and node.this.quoted:
        return None if node.name.lower() in columns else node.name
    if not isinstance(node, exp.Literal):
        return None
    if node.is_string:
        return str(node.this)
    return int(node.this) if node.is_int else float(node.this)


def _joins(
    statement: exp.Expr, tables: Mapping[str, str], columns: Set[str]
) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
    from sqlglot import exp

    for node in statement.find_all(exp.EQ):
        left, right = node.left, node.right
        if isinstance(left, exp.Column) and isinstance(right, exp.Column):
            ends = [
                (tables.get(side.table.lower(), ""), side.name.lower()) for side in (left, right)
            ]
            if all(name in columns for _, name in ends):
                yield ends[0], ends[1]


def _ranked(statement: exp.Expr) -> Iterator[str]:
    from sqlglot import exp

    for node in statement.find_all(exp.Ordered, exp.Max, exp.Min):
        if isinstance(node.this, exp.Column):
            yield node.this.name.lower()

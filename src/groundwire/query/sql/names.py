"""The names that a statement uses, as `scope.uses` finds them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["Block", "ColumnUse", "Meaning", "Source", "TableUse", "Uses"]

Meaning = Literal["column", "alias", "row", "system", "open", "literal", "ambiguous", "unknown"]


@dataclass(frozen=True, slots=True, eq=False)
class TableUse:
    """A table named in a FROM or JOIN (not a CTE, not a function).

    `name` and `schema` are the identifiers as written, without quotes; `schema` is "" when it
    was not written, `quoted` says whether the name was. `node` is sqlglot's tree of it. `found`:
    the lookup knew the table.
    """

    name: str
    schema: str
    quoted: bool
    schema_quoted: bool
    node: exp.Table
    found: bool


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """What stands behind one alias of a FROM clause.

    `columns` are the folded names of its columns; `open` is true when it may have more that
    cannot be known from the text and the catalog (a table function, an unnamed expression).
    `table` is there when the source is a stored table, `renamed` when column aliases hide the
    stored names.
    """

    name: str
    columns: tuple[str, ...]
    open: bool = False
    table: TableUse | None = None
    renamed: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class ColumnUse:
    """A column name in an expression.

    `meaning`: a `column` of `sources` (one, or both sides of a USING), an output `alias`, a
    whole `row`, a `system` column, possibly a column of an `open` source, a quoted string
    `literal` (SQLite), `ambiguous` between `sources`, or `unknown`. `visible` are all sources
    that could be meant, innermost scope first. `qualified` is the alias before the dot as
    written, `qualifier_known` whether it names a source.
    """

    name: str
    quoted: bool
    qualified: str
    qualifier_known: bool
    node: exp.Column | exp.Identifier
    meaning: Meaning
    sources: tuple[Source, ...]
    visible: tuple[Source, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """One SELECT and the sources of its FROM clause, in order.

    `joined` has the sources that each JOIN (or comma) of that clause adds.
    """

    node: exp.Select
    sources: tuple[Source, ...]
    joined: tuple[tuple[exp.Join, tuple[Source, ...]], ...]


@dataclass(slots=True)
class Uses:
    """Everything that one statement names.

    `stars` are the sources whose columns a `*` spreads out, each with the star's node. `blocks`
    are its SELECTs, subqueries and CTEs included, those around before those inside.
    """

    tables: list[TableUse] = field(default_factory=list)
    columns: list[ColumnUse] = field(default_factory=list)
    stars: list[tuple[exp.Expr, Source]] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    _by_node: dict[int, list[ColumnUse]] = field(default_factory=dict)

    def add_column(self, use: ColumnUse) -> None:
        """Note one more column that is named."""
        self.columns.append(use)
        self._by_node.setdefault(id(use.node), []).append(use)

    def of(self, node: exp.Expr) -> ColumnUse | None:
        """What a column name means; of a name in a USING, on the left side."""
        return next(iter(self._by_node.get(id(node), ())), None)

    def below(self, root: exp.Expr) -> Iterator[ColumnUse]:
        """What is named in a tree, subqueries included."""
        for node in root.walk():
            yield from self._by_node.get(id(node), ())

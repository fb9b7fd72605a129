"""SCH3: a star or a whole row that would show columns which are taken away."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from groundwire.counted import counted
from groundwire.database.catalog import Table
from groundwire.guard.context import SqlContext
from groundwire.guard.findings import Evidence, Finding
from groundwire.guard.names import written_name
from groundwire.query.edits import Edit
from groundwire.query.sql import ColumnUse, Source

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["hidden_columns"]


def hidden_columns(context: SqlContext) -> list[Finding]:
    """`*` over a table with excluded columns becomes the list of the others.

    What reaches an excluded column without naming it is refused: a whole row, column aliases by
    position, NATURAL JOIN, a name for a whole join, DuckDB's COLUMNS() and `#1`; and so is its name
    where the text alone does not tell that it means another one.
    """
    return [*_stars(context), *_refused(context)]


def _stars(context: SqlContext) -> Iterator[Finding]:
    spread: dict[int, list[Source]] = {}
    nodes = {}
    for node, source in context.uses.stars:
        spread.setdefault(id(node), []).append(source)
        nodes[id(node)] = node
    for key, sources in spread.items():
        if not any(_hides(context, source) for source in sources):
            continue
        span = context.query.span(nodes[key])
        text = context.query.text[span[0] : span[1]].strip()
        listed = _listed(context, sources)
        repaired = listed is not None and text.endswith("*")
        yield Finding(
            code="SCH3",
            check="hidden_columns",
            severity="fault",
            span=span,
            message="The star would show columns that are excluded"
            + ("; the others are listed instead." if repaired else "."),
            evidence=(_evidence(context, sources),),
            edits=(Edit(*span, listed or ""),) if repaired else (),
            action="repaired" if repaired else "refused",
        )


def _listed(context: SqlContext, sources: list[Source]) -> str | None:
    columns: list[str] = []
    for source in sources:
        table = _table(context, source)
        if source.open or source.renamed:
            return None
        names = [column.name for column in table.columns] if table else list(source.columns)
        columns += [
            f"{source.name}.{written_name(context.database, context.catalog, name)}"
            for name in names
        ]
    return ", ".join(columns)


def _refused(context: SqlContext) -> Iterator[Finding]:
    from sqlglot import exp

    tree = context.query.statements[0]
    hiding = [use for use in context.uses.tables if _table_hides(context.names.of(use))]
    if not hiding:
        return
    nodes: list[exp.Expr] = [use.node for use in context.uses.columns if _may_be(context, use)]
    nodes += [
        use.node for use in hiding if use.node.args.get("alias") and use.node.alias_column_names
    ]
    nodes += [join for join in tree.find_all(exp.Join) if join.args.get("method") == "NATURAL"]
    nodes += tree.find_all(exp.Columns, exp.Pivot, exp.PositionalColumn)
    nodes += [
        join
        for join in tree.find_all(exp.Subquery)
        if join.args.get("alias") and isinstance(join.this, exp.Table)
    ]
    nodes += [star for star in tree.find_all(exp.Star) if not _is_plain(star)]
    for node in nodes:
        yield Finding(
            code="SCH3",
            check="hidden_columns",
            severity="fault",
            span=context.query.span(node),
            message="That would read columns that are excluded; name the columns that you need.",
            evidence=(Evidence(sentence=f"{hiding[0].name} has columns that are excluded."),),
            action="refused",
        )


def _may_be(context: SqlContext, use: ColumnUse) -> bool:
    """The name may stand for a whole row, or for a column that is excluded.

    The catalog does not show that column, so the name seems to be one of a source that is not known
    whole, of an output, or a text in double quotes; the database takes the column first.
    """
    if use.meaning == "row":
        return any(_hides(context, source) for source in use.sources)
    if use.qualified or use.meaning not in ("open", "alias", "literal"):
        return False
    folded = context.catalog.fold(use.name)
    rows = (s for s in use.visible if context.catalog.fold(s.name) == folded)
    return context.names.is_excluded(use.name) or any(_hides(context, source) for source in rows)


def _is_plain(star: exp.Star) -> bool:
    """`*` or `t.*` in a SELECT list, or `count(*)`; not `* LIKE 'a%'` and the like."""
    from sqlglot import exp

    owner = star.parent.parent if isinstance(star.parent, exp.Column) else star.parent
    return isinstance(owner, exp.Select | exp.Count)


def _table(context: SqlContext, source: Source) -> Table | None:
    return context.names.of(source.table) if source.table is not None else None


def _table_hides(table: Table | None) -> bool:
    return table is not None and table.hidden_columns > 0


def _hides(context: SqlContext, source: Source) -> bool:
    return _table_hides(_table(context, source))


def _evidence(context: SqlContext, sources: list[Source]) -> Evidence:
    tables = [table for source in sources if (table := _table(context, source)) is not None]
    counts = {table.name: table.hidden_columns for table in tables if table.hidden_columns}
    sentence = "; ".join(
        f"{counted(count, f'column of {name} is', f'columns of {name} are')} excluded"
        for name, count in counts.items()
    )
    return Evidence(sentence=sentence + ".", answer=counts)

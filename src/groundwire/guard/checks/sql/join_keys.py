"""DIR1, SCH2: a join on columns that are no pair of keys."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.guard.context import SqlContext
from groundwire.guard.findings import Choice, Evidence, Finding
from groundwire.guard.joins import End, Link, foreign_keys, links, written_source
from groundwire.guard.names import written_name
from groundwire.guard.selects import Select, Stored, selects
from groundwire.query.edits import Edit, apply
from groundwire.query.sql import extent

__all__ = ["join_keys"]

_HARDLY = 0.05
"""Share of the values of either column that the other one holds, below which they do not meet."""

Pair = tuple[tuple[str, str], ...]


def join_keys(context: SqlContext) -> list[Finding]:
    """`ON o.id = c.id` becomes `ON o.customer_id = c.id`, the declared foreign key.

    Decided by the catalog: both columns are keys, but of different tables (what a foreign key
    refers to counts), although a foreign key joins these two tables. Repaired where there is one
    such key, asked about where there are several. Keys of one table (`a.customer_id =
    b.customer_id`), tables joined by their foreign key elsewhere in the draft, and columns that are
    no keys are left alone, except that columns whose values hardly meet are doubted (two
    statements).
    """
    findings = []
    for select in selects(context):
        every = links(select)
        for link in every:
            finding = _finding(context, select, link, every)
            findings += [finding] if finding else []
    return findings


def _finding(
    context: SqlContext, select: Select, link: Link, every: tuple[Link, ...]
) -> Finding | None:
    left, right = link.ends[0].stored, link.ends[1].stored
    if left is None or right is None or left.table is right.table:
        return None
    keys = [pair for pair in foreign_keys(left.table, right.table) if len(pair) == 1]
    if _is_declared(left, right) or any(_is_drafted(context, pair, link, every) for pair in keys):
        return None
    meant = _meant(context, left), _meant(context, right)
    if None in meant or meant[0] == meant[1] or not keys:
        return _never_meets(context, link, left, right)
    return _wrong_keys(context, select, link, keys)


def _is_declared(left: Stored, right: Stored) -> bool:
    """The columns are a pair of some foreign key, also of several columns."""
    pair = (left.column.name, right.column.name)
    return any(pair in pairs for pairs in foreign_keys(left.table, right.table))


def _is_drafted(context: SqlContext, pair: Pair, link: Link, every: tuple[Link, ...]) -> bool:
    """A foreign key joins the same two sources already."""
    fold = context.catalog.fold
    here, there = fold(pair[0][0]), fold(pair[0][1])
    for other in every:
        ends = other.between(link.ends[0].source, link.ends[1].source)
        if ends is not None and (ends[0].column, ends[1].column) == (here, there):
            return True
    return False


def _meant(context: SqlContext, stored: Stored) -> tuple[str, str, str] | None:
    """(schema, table, column) whose values a key holds; None for a column that is no key."""
    table, name = stored.table, stored.column.name
    for _ in range(5):  # a key that refers to a key that refers to a key
        target = next((key for key in table.foreign_keys if key.columns == (name,)), None)
        if target is None:
            break
        found = context.catalog.find(target.target_table, target.target_schema, quoted=True)
        if found is None or found is table:
            return (target.target_schema, target.target_table, target.target_columns[0])
        table, name = found, target.target_columns[0]
    else:
        return None
    is_key = table.primary_key == (name,)
    return (table.schema, table.name, name) if is_key else None


def _wrong_keys(
    context: SqlContext, select: Select, link: Link, keys: Sequence[Pair]
) -> Finding | None:
    left, right = link.ends
    assert left.stored is not None
    assert right.stored is not None
    repairs = [_edits(context, select, link, pair) for pair in keys]
    names = [
        f"{left.stored.table.name}.{pair[0][0]} = {right.stored.table.name}.{pair[0][1]}"
        for pair in keys
    ]
    sentence = f"The catalog joins these tables by {' or '.join(names)}."
    choices: tuple[Choice, ...] = ()
    edits = repairs[0] if len(keys) == 1 else ()
    if len(keys) > 1 and all(repairs):
        texts = [apply(context.query.text, repair) for repair in repairs]
        choices = tuple(map(Choice, names, texts))
    if not edits and not choices:
        return None
    return Finding(
        code="DIR1",
        check="join_keys",
        severity="fault",
        span=context.query.span(link.node),
        message=f"{left.stored.name} and {right.stored.name} are keys of different things. "
        f"{sentence}",
        evidence=(Evidence(sentence, answer=names),),
        edits=edits,
        action="repaired" if edits else "refused",
        choices=choices,
    )


def _edits(context: SqlContext, select: Select, link: Link, pair: Pair) -> tuple[Edit, ...]:
    from sqlglot import exp

    if not isinstance(link.node, exp.EQ):
        return ()
    edits = []
    wanted = dict(zip(map(id, link.ends), pair[0], strict=True))
    for node in (link.node.left.unnest(), link.node.right.unnest()):
        end = next(end for end in link.ends if end.source is select.source_of(node))
        column = written_name(context.database, context.catalog, wanted[id(end)])
        place = extent(context.query, node)
        if place is None:
            return ()
        if not _is_already(context, end, wanted[id(end)]):
            text = f"{written_source(select, end.source)}.{column}"
            edits.append(Edit(*place, text))
    return tuple(edits)


def _is_already(context: SqlContext, end: End, name: str) -> bool:
    return end.column == context.catalog.fold(name)


def _never_meets(context: SqlContext, link: Link, left: Stored, right: Stored) -> Finding | None:
    """A doubt where hardly any value of either column is found in the other."""
    evidence = []
    for one, other in ((left, right), (right, left)):
        fact = context.statistics.containment(
            one.table, one.column.name, other.table, other.column.name
        )
        if fact is None or fact.value[1] == 0 or fact.value[0] > _HARDLY * fact.value[1]:
            return None
        met, values = fact.value
        sentence = f"{met:,} of {values:,} values of {one.name} are found in {other.name}."
        evidence.append(Evidence(sentence, fact.statement, [met, values], fact.seconds))
    return Finding(
        code="SCH2",
        check="join_keys",
        severity="doubt",
        span=context.query.span(link.node),
        message=f"The tables are joined on values that hardly meet. {evidence[0].sentence}",
        evidence=tuple(evidence),
    )

"""DIR1, SCH2: a join on columns that are no pair of keys."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.counted import counted
from groundwire.guard.context import SqlContext
from groundwire.guard.findings import Choice, Evidence, Finding
from groundwire.guard.joins import End, Link, foreign_keys, links, written_source
from groundwire.guard.names import written_name
from groundwire.guard.nearest import plain
from groundwire.guard.selects import Select, Stored, selects
from groundwire.query.edits import Edit, apply
from groundwire.query.sql import comments, extent, words

__all__ = ["join_keys"]

_HARDLY = 0.05
"""Share of the values of either column that the other one holds, below which they do not meet."""

Pair = tuple[tuple[str, str], ...]


def join_keys(context: SqlContext) -> list[Finding]:
    """`ON o.id = c.id` becomes `ON o.customer_id = c.id`, the declared foreign key.

    Decided by the catalog: both columns are keys, but of different tables (what a foreign key
    refers to counts), although a foreign key joins these two tables. Repaired where there is one
    such key, asked about where there are several; `USING (id)` becomes that ON where no other
    part of the draft reads the merged column. A plain column joined to the key although a foreign
    key refers to it (`c.ward = a.area` beside `c.area`) is a doubt with that key as the choice,
    unless its name says that it refers there too. Keys of one table (`a.customer_id =
    b.customer_id`), tables joined by their foreign key elsewhere in the draft, and other columns
    that are no keys are left alone, except that columns whose values hardly meet are doubted (two
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
    if None not in meant and meant[0] != meant[1] and keys:
        return _wrong_keys(context, select, link, keys)
    beside = [pair for pair in keys if _is_beside(context, link, pair)]
    if None in meant and beside:
        return _no_key(context, select, link, beside)
    return _never_meets(context, link, left, right)


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


def _is_beside(context: SqlContext, link: Link, pair: Pair) -> bool:
    """One column is that of the foreign key, the other one is not.

    A column that is named like what it is joined to (`boss_customer_id`) may well refer to it.
    """
    matches = [
        _is_already(context, end, name) for end, name in zip(link.ends, pair[0], strict=True)
    ]
    stored = _stored(link)
    if sum(matches) != 1:
        return False
    key, stray = stored if matches[0] else stored[::-1]
    name = stray.column.name.casefold()
    return not name.endswith(key.column.name.casefold()) and plain(key.table.name) not in name


def _no_key(context: SqlContext, select: Select, link: Link, keys: Sequence[Pair]) -> Finding:
    left, right, names = *_stored(link), _names(link, keys)
    repairs = [_edits(context, select, link, pair) for pair in keys]
    sentence = f"The catalog joins these tables by {' or '.join(names)}."
    text = context.query.text
    return Finding(
        code="DIR1",
        check="join_keys",
        severity="doubt",
        span=context.query.span(link.node),
        message=f"{left.name} and {right.name} are no pair of keys. {sentence}",
        evidence=(Evidence(sentence, answer=names),),
        choices=tuple(
            Choice(name, apply(text, edits))
            for name, edits in zip(names, repairs, strict=True)
            if edits
        ),
    )


def _stored(link: Link) -> tuple[Stored, Stored]:
    left, right = link.ends[0].stored, link.ends[1].stored
    assert left is not None
    assert right is not None
    return left, right


def _names(link: Link, keys: Sequence[Pair]) -> list[str]:
    left, right = _stored(link)
    return [f"{left.table.name}.{pair[0][0]} = {right.table.name}.{pair[0][1]}" for pair in keys]


def _wrong_keys(context: SqlContext, select: Select, link: Link, keys: Sequence[Pair]) -> Finding:
    left, right, names = *_stored(link), _names(link, keys)
    repairs = [_edits(context, select, link, pair) for pair in keys]
    sentence = f"The catalog joins these tables by {' or '.join(names)}."
    edits = repairs[0] if len(keys) == 1 else ()
    choices: tuple[Choice, ...] = ()
    if len(keys) > 1 and all(repairs):
        texts = [apply(context.query.text, repair) for repair in repairs]
        choices = tuple(map(Choice, names, texts))
    return Finding(
        code="DIR1",
        check="join_keys",
        severity="fault" if edits or choices else "doubt",
        span=context.query.span(link.node),
        message=f"{left.name} and {right.name} are keys of different things. {sentence}",
        evidence=(Evidence(sentence, answer=names),),
        edits=edits,
        action="repaired" if edits else "refused" if choices else "reported",
        choices=choices,
    )


def _edits(context: SqlContext, select: Select, link: Link, pair: Pair) -> tuple[Edit, ...]:
    from sqlglot import exp

    if not isinstance(link.node, exp.EQ):
        return _instead_of_using(context, select, link, pair)
    edits = []
    wanted = dict(zip(map(id, link.ends), pair[0], strict=True))
    for node in (link.node.left.unnest(), link.node.right.unnest()):
        end = next(end for end in link.ends if end.source is select.source_of(node))
        place = extent(context.query, node)
        if place is None:
            return ()
        if not _is_already(context, end, wanted[id(end)]):
            edits.append(Edit(*place, _column(context, select, end, wanted[id(end)])))
    return tuple(edits)


def _column(context: SqlContext, select: Select, end: End, name: str) -> str:
    written = written_name(context.database, context.catalog, name)
    return f"{written_source(select, end.source)}.{written}"


def _instead_of_using(
    context: SqlContext, select: Select, link: Link, pair: Pair
) -> tuple[Edit, ...]:
    """`USING (id)` as an ON, where nothing but it needs the column that it merges."""
    from sqlglot import exp

    join = link.node.parent
    using = join.args.get("using") if isinstance(join, exp.Join) else None
    if not using or len(using) > 1 or _reads_merged(context, link):
        return ()
    start = context.query.span(link.node)[0]
    tokens = words(context.query)
    place = next(index for index, word in enumerate(tokens) if word.start == start)
    around = tokens[place - 2 : place] + tokens[place + 1 : place + 2]
    if [word.text for word in around] != ["USING", "(", ")"]:
        return ()
    sides = [
        _column(context, select, end, name) for end, name in zip(link.ends, pair[0], strict=True)
    ]
    stretch = around[0].start, around[-1].end
    return (Edit(*stretch, f"ON {' = '.join(sides)}{comments(context.query, stretch)}"),)


def _reads_merged(context: SqlContext, link: Link) -> bool:
    """A column or a `*` of the draft stands for both sides."""
    sources = {end.source for end in link.ends}
    merged = any(
        len(sources.intersection(use.sources)) > 1 and use.node is not link.node
        for use in context.uses.columns
    )
    return merged or any(source in sources for _, source in context.uses.stars)


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
        sentence = f"{met:,} of {counted(values, 'value')} of {one.name} are found in {other.name}."
        evidence.append(Evidence(sentence, fact.statement, [met, values], fact.seconds))
    return Finding(
        code="SCH2",
        check="join_keys",
        severity="doubt",
        span=context.query.span(link.node),
        message=f"The tables are joined on values that hardly meet. {evidence[0].sentence}",
        evidence=tuple(evidence),
    )

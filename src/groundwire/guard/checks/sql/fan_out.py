"""AGG1: an aggregate over rows that a join has repeated."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from groundwire.counted import counted
from groundwire.guard.context import SqlContext
from groundwire.guard.findings import Finding
from groundwire.guard.flattened import Flattened, flattened
from groundwire.guard.joins import Fan, fans, is_determined, read_by
from groundwire.guard.probes import Measured
from groundwire.guard.repeats import has_plain_groups, met_once, own_key, row_key
from groundwire.guard.selects import Select, Stored, selects
from groundwire.guard.semi_join import as_exists
from groundwire.guard.views import written_out
from groundwire.guard.wording import asks_for_entities, is_additive
from groundwire.query.edits import Edit
from groundwire.query.sql import Source

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["fan_out"]


@dataclass(frozen=True, slots=True)
class _Repeated:
    """An aggregate that reads one source only, and the joins that may repeat its rows.

    `crossed`: rows of a sibling repeat them, with which they have only a parent in common.
    `inside`: where the source and the joins are those of a subquery or CTE.
    """

    call: exp.AggFunc
    source: Source
    by: tuple[Fan, ...]
    crossed: bool
    inside: Flattened | None = None


def fan_out(context: SqlContext) -> list[Finding]:
    """`SUM(o.total)` over orders joined with their items adds an order up once an item.

    Known in data modelling as fan trap (a parent's measure over its children) and chasm trap (two
    children of one parent, paired with each other). Decided on the draft's own rows: in some group
    one row, told by its key, is met several times and that changes the number. A chasm is a fault,
    and so is a parent's amount, total or budget; another measure of a parent may be meant once
    a child (the price of each item sold) and is doubted. Repaired where the joins only filter
    (EXISTS) and where a key is counted (DISTINCT). A subquery, CTE or view that joins, and whose
    rows are aggregated outside, is looked through. One statement for each such aggregate, one for
    the definition of a view, and up to two on a view or table that declares no key.
    """
    findings = []
    for select in selects(context):
        for call in select.aggregates:
            repeated = _repeated(select, call) or _repeated_inside(select, call)
            if repeated is None:
                finding = _repeated_in_view(select, call)
            else:
                finding = _finding(select, repeated)
            findings += [finding] if finding else []
    return _once(findings)


def _once(findings: list[Finding]) -> list[Finding]:
    """One EXISTS repairs all aggregates of its SELECT."""
    seen: set[tuple[Edit, ...]] = set()
    kept = []
    for finding in findings:
        if not finding.edits or finding.edits not in seen:
            kept.append(finding)
        seen.add(finding.edits)
    return kept


def _repeated(select: Select, call: exp.AggFunc) -> _Repeated | None:
    from sqlglot import exp

    if not isinstance(call, exp.Sum | exp.Avg | exp.Count) or not has_plain_groups(select):
        return None
    if isinstance(call.this, exp.Distinct | exp.Star) or isinstance(call.parent, exp.Filter):
        return None
    read = read_by(select, call.this) if len(select.sources) > 1 else None
    if read is None or len(read) != 1:
        return None
    (source,) = read
    by = fans(select, source)
    if any(fan.parent is None for fan in by):
        return None  # nothing joins them at all, which is another fault
    if not by or (isinstance(call, exp.Count) and not _is_key(select, call.this)):
        return None
    return _Repeated(call, source, by, _is_crossed(select, source, by))


def _repeated_inside(select: Select, call: exp.AggFunc) -> _Repeated | None:
    """The rows of a subquery or CTE are already those of a join that repeats them."""
    from sqlglot import exp

    if not isinstance(call, exp.Sum | exp.Avg) or not has_plain_groups(select):
        return None
    if isinstance(call.this, exp.Distinct) or isinstance(call.parent, exp.Filter):
        return None
    inside = flattened(select, call.this)
    by = fans(inside.inner, inside.source) if inside is not None and inside.keys else ()
    if inside is None or not by or any(fan.parent is None for fan in by):
        return None
    crossed = _is_crossed(inside.inner, inside.source, by)
    return _Repeated(call, inside.source, by, crossed, inside)


def _is_key(select: Select, node: exp.Expr) -> bool:
    """`COUNT(x.key)`: who counts a key counts entities."""
    stored = select.stored(node)
    if stored is None:
        return False
    key = own_key(select, stored.source)
    named = key is not None and key.name == select.context.catalog.fold(stored.column.name)
    return named and stored.column.name in stored.table.primary_key


def _is_crossed(select: Select, source: Source, by: tuple[Fan, ...]) -> bool:
    """A fan hangs on another source, to one row of which several of this one belong."""
    parent = by[0].parent
    if parent is None or parent is source:
        return False
    return is_determined(select, parent, [source]) and not is_determined(select, source, [parent])


def _repeated_in_view(select: Select, call: exp.AggFunc) -> Finding | None:
    """As in a subquery, with the view written out as one; the place is that of the real draft."""
    from sqlglot import exp

    read = {select.source_of(column) for column in call.find_all(exp.Column)}
    source = read.pop() if len(read) == 1 and isinstance(call, exp.Sum | exp.Avg) else None
    opened = written_out(select, source) if source is not None else None
    if opened is None:
        return None
    inside = opened.aggregates[select.aggregates.index(call)]
    repeated = _repeated_inside(opened, inside)
    finding = _finding(opened, repeated) if repeated is not None else None
    return finding and replace(finding, span=select.context.query.span(call))


def _finding(select: Select, repeated: _Repeated) -> Finding | None:
    from sqlglot import exp

    context = select.context
    statement = _statement(select, repeated)
    measured = context.measure(statement)
    if measured is None:
        return None
    is_count = isinstance(repeated.call, exp.Count)
    sure, edits = _repair(context, select, repeated)
    if is_count and not sure and context.question is not None:
        return None
    sentence = _sentence(select, repeated, measured)
    text = context.query.written(repeated.call.this)
    name = type(repeated.call).__name__.upper()
    by = " and ".join(fan.source.name for fan in repeated.by)
    place = f" in {repeated.inside.name}" if repeated.inside is not None else ""
    message = f"{name}({text}) takes rows of {repeated.source.name} again for each row of {by}"
    message += f"{place}. "
    if edits:
        message += "Each is taken once. "
    return Finding(
        code="AGG1",
        check="fan_out",
        severity="fault" if sure else "doubt",
        span=context.query.span(repeated.call),
        message=message + sentence,
        evidence=(measured.evidence(sentence, list(measured.row)),),
        edits=edits,
        action="repaired" if edits else "refused" if sure else "reported",
    )


def _statement(select: Select, repeated: _Repeated) -> str | None:
    """Of the worst group: (rows, different rows, as drafted, each row once)."""
    inside = repeated.inside
    keys = inside.keys if inside is not None else row_key(select, repeated.source)
    if not keys:
        return None
    once = met_once(select, keys, repeated.call.this)
    if once is None:
        return None
    return (
        f"SELECT sum(n), count(*), {_numbers(repeated)} FROM ({once.text}) AS e{once.by_group} "
        f"HAVING {_differs(repeated)} ORDER BY sum(n) - count(*) DESC LIMIT 1"
    )


def _numbers(repeated: _Repeated) -> str:
    from sqlglot import exp

    if isinstance(repeated.call, exp.Sum):
        return "sum(v * n), sum(v)"
    if isinstance(repeated.call, exp.Avg):
        return "sum(v * n) * 1.0 / sum(n), avg(v)"
    return "sum(n), count(*)"


def _differs(repeated: _Repeated) -> str:
    """The repeated rows change the number, beyond what rounding does."""
    from sqlglot import exp

    if isinstance(repeated.call, exp.Sum):
        return "sum(n) > count(*) AND abs(sum(v * n) - sum(v)) > 1e-9 * abs(sum(v))"
    if isinstance(repeated.call, exp.Avg):
        return (
            "sum(n) > count(*) AND "
            "abs(sum(v * n) * count(*) - sum(v) * sum(n)) > 1e-9 * abs(sum(v) * sum(n))"
        )
    return "sum(n) > count(*)"


def _sentence(select: Select, repeated: _Repeated, measured: Measured) -> str:
    rows, different, drafted, once = measured.row
    place = "In one group, " if select.group_keys else ""
    held = counted(different, "different row")
    said = f"{place}{rows:,} rows hold {held} of {repeated.source.name}"
    if drafted == rows:
        return f"{said}."
    return f"{said}: {_plain(drafted)} as drafted, {_plain(once)} with each taken once."


def _plain(number: object) -> str:
    return f"{float(str(number)):,.10g}" if number is not None else "nothing"


def _repair(
    context: SqlContext, select: Select, repeated: _Repeated
) -> tuple[bool, tuple[Edit, ...]]:
    """(the evidence decides that the draft is wrong, edits)."""
    from sqlglot import exp

    if isinstance(repeated.call, exp.Count):
        if not _is_counted_beside(select, repeated) and not _is_asked(context, select, repeated):
            return False, ()
        start = context.query.span(repeated.call.this)[0]
        return True, (Edit(start, start, "DISTINCT "),)
    stored = [select.stored(node) for node in repeated.call.this.find_all(exp.Column)]
    if repeated.inside is not None:
        stored = list(repeated.inside.stored)
    if not repeated.crossed and not _is_additive(repeated.call, stored):
        return False, ()
    return True, as_exists(select, repeated.source) if repeated.inside is None else ()


def _is_asked(context: SqlContext, select: Select, repeated: _Repeated) -> bool:
    """The question counts the rows of the source."""
    table = select.table_of(repeated.source)
    if context.question is None or table is None:
        return False
    return asks_for_entities(context.question, table.name)


def _is_counted_beside(select: Select, repeated: _Repeated) -> bool:
    """Another aggregate counts what repeats it, so this one is not meant for that."""
    others = [call for call in select.aggregates if call is not repeated.call]
    read = [read_by(select, call.this) for call in others if call.this is not None]
    return any({fan.source} == sources for fan in repeated.by for sources in read)


def _is_additive(call: exp.AggFunc, stored: list[Stored | None]) -> bool:
    """A sum over something that belongs to its row as a whole, such as a total or a budget."""
    from sqlglot import exp

    known = [column for column in stored if column is not None]
    return isinstance(call, exp.Sum) and any(is_additive(column.column.name) for column in known)

"""FIL4: NOT IN over a list that holds a NULL, which is never true."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from groundwire.guard.context import SqlContext
from groundwire.guard.findings import Evidence, Finding
from groundwire.guard.selects import Select, conjuncts, selects
from groundwire.query.edits import Edit
from groundwire.query.sql import Query, extent, words
from groundwire.query.sql.extent import Word

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["not_in_null"]


def not_in_null(context: SqlContext) -> list[Finding]:
    """`id NOT IN (SELECT boss_id …)` gets `boss_id IS NOT NULL` where some boss_id is missing.

    `x NOT IN (a, NULL)` is `x <> a AND x <> NULL`, which is false or unknown (ISO/IEC 9075-2,
    in predicate); so is a comparison with ALL of such a list (quantified comparison predicate).
    Each branch of a UNION is looked at; of a correlated list it is counted for how many rows around
    it a NULL is in it. A NULL that is written into a list is taken out. One statement for each list
    or branch.
    """
    from sqlglot import exp

    known = selects(context)
    findings: list[Finding | None] = []
    for outer in known:
        for node in outer.find(exp.Not, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE):
            if (written := _written_list(node)) is not None:
                findings.append(_of_written(context, written))
            for inner in _listed_by(node, known):
                findings.append(_finding(context, outer, node, inner))
    return [finding for finding in findings if finding is not None]


def _negated_in(node: exp.Expr) -> exp.In | None:
    from sqlglot import exp

    inside = node.this.unnest() if isinstance(node, exp.Not) else None
    return inside if isinstance(inside, exp.In) else None


def _written_list(node: exp.Expr) -> exp.In | None:
    """A NOT IN over values of which one is NULL."""
    from sqlglot import exp

    found = _negated_in(node)
    if found is None or not any(isinstance(value, exp.Null) for value in found.expressions):
        return None
    return found if found.find(exp.Column) is not None else None


def _listed_by(node: exp.Expr, known: tuple[Select, ...]) -> list[Select]:
    """The SELECTs that give the list of a NOT IN, `<> ALL` or `NOT … = ANY`."""
    from sqlglot import exp

    query = None
    if (found := _negated_in(node)) is not None:
        query = found.args.get("query")
    elif isinstance(node, exp.NEQ | exp.GT | exp.GTE | exp.LT | exp.LTE):
        query = node.expression.this if isinstance(node.expression, exp.All) else None
    elif isinstance(node, exp.Not) and isinstance(node.this.unnest(), exp.EQ):
        right = node.this.unnest().expression
        query = right.this if isinstance(right, exp.Any) else None
    branches = [id(branch) for branch in _branches(query)] if query is not None else []
    return [select for select in known if id(select.node) in branches]


def _branches(query: exp.Expr) -> Iterator[exp.Expr]:
    """The SELECTs of a UNION; nothing of an INTERSECT or EXCEPT, which may lose the NULL."""
    from sqlglot import exp

    query = query.unnest()
    if isinstance(query, exp.Union) and query.args.get("limit") is None:
        yield from _branches(query.left)
        yield from _branches(query.right)
    elif isinstance(query, exp.Select):
        yield query


def _finding(context: SqlContext, outer: Select, node: exp.Expr, select: Select) -> Finding | None:
    if len(select.node.selects) != 1 or select.node.args.get("limit") is not None:
        return None
    value = select.node.selects[0].unalias()
    stored = select.stored(value)
    joined = any(join.kind not in ("inner", "cross") for join in select.joins)
    if stored is not None and not joined and not stored.column.nullable:
        return None
    text = context.query.written(value)
    measured = context.measure(_counting(context, outer, node, select, value))
    if measured is None or not measured.row[0]:
        return None
    missing = measured.row[0]
    rows = "of the listed rows"
    if select.is_correlated:
        rows = "of the rows whose list it is in"
    sentence = f"{text} has no value in {missing:,} {rows}."
    edits = _edits(context, select, value)
    is_in = _negated_in(node) is not None
    return Finding(
        code="FIL4",
        check="not_in_null",
        severity="fault",
        span=context.query.span(value),
        message=f"{'NOT IN' if is_in else 'A comparison with ALL'} is never true of a list that "
        f"holds a NULL, and {sentence}" + (" These are left out of the list." if edits else ""),
        evidence=(measured.evidence(sentence, missing),),
        edits=edits,
        action="repaired" if edits else "refused",
    )


def _counting(
    context: SqlContext, outer: Select, node: exp.Expr, select: Select, value: exp.Expr
) -> str | None:
    """A statement that counts the NULLs of a list, or the rows around it that meet one."""
    dialect = context.query.dialect
    if select.is_correlated:
        return _counting_around(outer, node, select, value)
    if select.node.args.get("distinct"):
        return select.over_rows(f"count(*) - count({value.sql(dialect)})")
    return select.over_result("count(*) - count(extra_0)", extra=(value,))


def _counting_around(outer: Select, node: exp.Expr, select: Select, value: exp.Expr) -> str | None:
    """Over the rows that satisfy all other conditions; only for a condition of the WHERE."""
    from sqlglot import exp

    where, inner = outer.node.args.get("where"), select.node
    parts = list(conjuncts(where.this)) if where is not None else []
    is_grouped = inner.args.get("group") is not None or value.find(exp.AggFunc, exp.Window)
    if not any(part is node for part in parts) or is_grouped or inner.args.get("with_"):
        return None
    listed = inner.copy()
    listed.set("distinct", None)
    listed.set("order", None)
    listed.set("expressions", [exp.Literal.number(1)])
    listed.where(exp.Is(this=value.copy(), expression=exp.Null()), copy=False)
    others = [part.copy() for part in parts if part is not node]
    meets = exp.and_(exp.Exists(this=listed), *others)
    case = exp.Case(ifs=[exp.If(this=meets, true=exp.Literal.number(1))])
    return outer.over_rows(exp.Count(this=case), where=False)


def _of_written(context: SqlContext, found: exp.In) -> Finding | None:
    from sqlglot import exp

    edits = _without_nulls(context.query, found)
    kept = [value for value in found.expressions if not isinstance(value, exp.Null)]
    text = context.query.written(found.this)
    means = f"{text} IS NOT NULL" if not kept else "NULL is left out of the list"
    return Finding(
        code="FIL4",
        check="not_in_null",
        severity="fault",
        span=context.query.span(found),
        message="NOT IN is never true of a list that holds a NULL"
        + (f"; {means}." if edits or not kept else "."),
        evidence=(Evidence("A comparison with NULL is never true (ISO/IEC 9075-2)."),),
        edits=edits,
        action="repaired" if edits else "refused",
    )


def _without_nulls(query: Query, found: exp.In) -> tuple[Edit, ...]:
    """The list without its NULLs, `IS NOT NULL` where nothing else is in it; () where its text is
    not clear.
    """
    from sqlglot import exp

    place = extent(query, found.this)
    behind = [word for word in words(query) if place is not None and word.start >= place[1]]
    names = [word.text for word in behind[:3]]
    opening = 2 if names == ["NOT", "IN", "("] else 1 if names[:2] == ["IN", "("] else 0
    items, end = _items(behind[opening:])
    if not opening or len(items) != len(found.expressions):
        return ()
    nulls = [isinstance(value, exp.Null) for value in found.expressions]
    if all(nulls):
        return (Edit(behind[0].start, end, "IS NOT NULL"),) if opening == 2 else ()
    edits = []
    for number, (start, stop) in enumerate(items):
        if nulls[number] and all(nulls[:number]):
            edits.append(Edit(start, items[number + 1][0], ""))
        elif nulls[number]:
            edits.append(Edit(items[number - 1][1], stop, ""))
    return tuple(edits)


def _items(tokens: list[Word]) -> tuple[list[tuple[int, int]], int]:
    """The places of what stands between commas in the first brackets, and their end."""
    items: list[tuple[int, int]] = []
    inside: list[Word] = []
    depth = 0
    for word in tokens:
        if word.text == ")" and depth == 1:
            return ([*items, (inside[0].start, inside[-1].end)] if inside else items), word.end
        if word.text == "," and depth == 1 and inside:
            items.append((inside[0].start, inside[-1].end))
            inside = []
        elif depth:
            inside.append(word)
        depth += (word.text == "(") - (word.text == ")")
    return [], 0


def _edits(context: SqlContext, select: Select, value: exp.Expr) -> tuple[Edit, ...]:
    """`… IS NOT NULL` in the WHERE of the list; () where it has no place for it."""
    from sqlglot import exp

    query = context.query
    place, whole = extent(query, value), extent(query, select.node)
    if place is None or whole is None or value.find(exp.AggFunc, exp.Window, exp.Query):
        return ()
    text = query.text[place[0] : place[1]]
    if not isinstance(value, exp.Column | exp.Func | exp.Paren):
        text = f"({text})"
    where = select.node.args.get("where")
    if where is not None:
        condition = extent(query, where.this)
        if condition is None:
            return ()
        start, end = condition
        if isinstance(where.this, exp.Or):
            return (Edit(start, start, "("), Edit(end, end, f") AND {text} IS NOT NULL"))
        return (Edit(end, end, f" AND {text} IS NOT NULL"),)
    behind = _end_of_from(context, whole)
    return (Edit(behind, behind, f" WHERE {text} IS NOT NULL"),) if behind is not None else ()


def _end_of_from(context: SqlContext, whole: tuple[int, int]) -> int | None:
    """Behind the last character of a FROM clause that nothing but GROUP BY … may follow."""
    depth, end, reading = 0, None, False
    for word in words(context.query):
        if word.start < whole[0] or word.end > whole[1]:
            continue
        depth += (word.text == "(") - (word.text == ")")
        if depth == 0 and word.text == "FROM":
            reading = True
        elif depth == 0 and word.text in _BEHIND_FROM:
            return end
        if reading:
            end = word.end
    return end


_BEHIND_FROM = {"GROUP BY", "GROUP", "HAVING", "WINDOW", "QUALIFY", "ORDER BY", "ORDER", "FETCH"}

"""ENT1, ENT2, ENT3: a text that is compared with a column which does not hold it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from groundwire.database.catalog import Column, Table
from groundwire.database.folding import loose
from groundwire.database.value_index import Likeness
from groundwire.guard.context import SqlContext
from groundwire.guard.findings import Choice, Evidence, Finding
from groundwire.guard.sql_literals import (
    TextComparison,
    are_alternatives,
    holds_text,
    literal_text,
    look_up,
    texts,
)
from groundwire.query.edits import Edit, apply
from groundwire.query.sql.extent import words

__all__ = ["literal_not_stored"]

_MOST_TEXTS = 6
_MOST_CHOICES = 4
_ELSEWHERE = 8
_LONG = 8
"""Letters from which a value that is one typing slip away is taken for the one that was meant."""
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")

_Group = list[TextComparison]


def literal_not_stored(context: SqlContext) -> list[Finding]:
    """`status = 'Paid'` becomes `status = 'paid'` where only that is stored.

    Other spellings (case, accents, blanks and padding, hyphens) stand out; so does the only value
    one typing slip away from a text of eight letters, or from a shorter one where the question has
    the stored word. Else a slip in a short text (`Beriln`, but also `Marin` beside `Martin`) is a
    doubt with the other query as a choice. Of several spellings the person chooses. What is stored
    in another column, or only alike, is a doubt: the empty answer may be the true one. Where the
    draft tries the stored spelling as an alternative, and for numbers and dates, there is no
    finding (field.md, C1). One probe for a text that is stored, at most four for one that is not.
    """
    found = list(texts(context))
    groups: dict[tuple[object, ...], _Group] = {}
    for comparison in found:
        if any(map(str.isalpha, comparison.text)) and not _DATE.match(comparison.text):
            stored = comparison.stored
            key = (stored.table, stored.column, comparison.text, comparison.folds)
            groups.setdefault(key, []).append(comparison)
    findings = []
    for group in list(groups.values())[:_MOST_TEXTS]:
        looked = look_up(context, group[0])
        if looked is not None:
            findings += _judged(context, group, found, *looked)
    return findings


def _judged(
    context: SqlContext,
    group: _Group,
    found: list[TextComparison],
    likeness: Likeness,
    evidence: tuple[Evidence, ...],
) -> list[Finding]:
    spellings = sorted({group[0].written(value) for value in _spellings(group[0], likeness)})
    wanted = {*spellings, *likeness.near}
    rivals = [c for c in found if c.stored.column is group[0].stored.column and c.text in wanted]
    group = [c for c in group if not any(_are_meant_apart(context, c, other) for other in rivals)]
    if not group:
        return []
    first = group[0]
    if len(spellings) == 1:
        return [_respelt(comparison, spellings[0], evidence) for comparison in group]
    if spellings:
        return [_asked(context, group, spellings[:_MOST_CHOICES], evidence)]
    if first.excludes or first.operator == "CASE":
        return []
    elsewhere, asked = _elsewhere(context, first)
    near = sorted({first.written(value) for value in likeness.near})
    if len(near) == 1 and not elsewhere:
        if _is_surely(context, first.text, near[0]):
            return [_respelt(comparison, near[0], evidence) for comparison in group]
        return [_slipped(context, group, near[0], (*evidence, *asked))]
    alike = likeness.near or likeness.like
    if elsewhere or (alike and first.operator in ("=", "LIKE")):
        return [_doubted(first, elsewhere, alike, (*evidence, *asked))]
    return []


def _spellings(comparison: TextComparison, likeness: Likeness) -> tuple[str, ...]:
    return (comparison.text, *likeness.same) if likeness.stored else likeness.same


def _are_meant_apart(context: SqlContext, one: TextComparison, other: TextComparison) -> bool:
    """The draft tries both spellings, or the person tells them apart."""
    return are_alternatives(one, other) or (
        _says(context.question, one.text) and _says(context.question, other.text)
    )


def _says(question: str | None, text: str) -> bool:
    """The question has the text as a word, spelt exactly so."""
    word = rf"(?<!\w){re.escape(text.strip())}(?!\w)"
    return question is not None and re.search(word, question) is not None


def _is_surely(context: SqlContext, text: str, value: str) -> bool:
    """A value one slip away is meant: of long texts, or where the question spells it like that."""
    said = _says(context.question, value) and not _says(context.question, text)
    return said or min(len(loose(text)), len(loose(value))) >= _LONG


def _respelt(comparison: TextComparison, value: str, evidence: tuple[Evidence, ...]) -> Finding:
    folded = f" after {comparison.folds}()" if comparison.folds in ("lower", "upper") else ""
    return Finding(
        code="ENT1",
        check="literal_not_stored",
        severity="fault",
        span=comparison.span,
        message=f"No {comparison.stored.name} is {comparison.text!r}{folded}; "
        f"the one that is meant is {value!r}.",
        evidence=evidence,
        edits=(Edit(*comparison.span, literal_text(value)),),
        action="repaired",
    )


def _slipped(
    context: SqlContext, group: _Group, value: str, evidence: tuple[Evidence, ...]
) -> Finding:
    first = group[0]
    edits = [Edit(*comparison.span, literal_text(value)) for comparison in group]
    choice = Choice(f"{first.stored.name} is {value!r}", apply(context.query.text, edits))
    return replace(_doubted(first, [], (value,), evidence), choices=(choice,))


def _asked(
    context: SqlContext, group: _Group, spellings: list[str], evidence: tuple[Evidence, ...]
) -> Finding:
    first, text = group[0], context.query.text
    choices = [
        Choice(
            f"{first.stored.name} is {value!r}",
            apply(text, [Edit(*comparison.span, literal_text(value)) for comparison in group]),
        )
        for value in spellings
    ]
    edits = [edit for comparison in group for edit in _any_of(context, comparison, spellings)]
    if len({edit.start for edit in edits}) >= len(group):
        listed = " or ".join(map(repr, spellings))
        choices.append(Choice(f"{first.stored.name} is {listed}", apply(text, edits)))
    return Finding(
        code="ENT1",
        check="literal_not_stored",
        severity="fault",
        span=first.span,
        message=f"No {first.stored.name} is {first.text!r}; stored are "
        f"{' and '.join(map(repr, spellings))}.",
        evidence=evidence,
        choices=tuple(choices),
    )


def _any_of(
    context: SqlContext, comparison: TextComparison, spellings: list[str]
) -> Iterable[Edit]:
    """The comparison with all spellings at once; nothing where it has no such form."""
    listed = ", ".join(map(literal_text, spellings))
    if comparison.operator in ("IN", "NOT IN"):
        return [Edit(*comparison.span, listed)]
    signs = {"=": ("IN", ("=", "==")), "<>": ("NOT IN", ("<>", "!="))}
    if comparison.operator not in signs:
        return []
    keyword, written = signs[comparison.operator]
    before = [word for word in words(context.query) if word.end <= comparison.span[0]]
    if not before or before[-1].text not in written:
        return []
    return [
        Edit(before[-1].start, before[-1].end, keyword),
        Edit(*comparison.span, f"({listed})"),
    ]


def _doubted(
    comparison: TextComparison,
    elsewhere: list[tuple[Table, Column]],
    alike: tuple[str, ...],
    evidence: tuple[Evidence, ...],
) -> Finding:
    message, code = f"No {comparison.stored.name} is {comparison.text!r}", "ENT1"
    if elsewhere:
        table, column = elsewhere[0]
        code = "ENT2" if table is comparison.stored.table else "ENT3"
        message += f"; {table.name}.{column.name} holds it."
    else:
        nearest = alike[:3]
        message += f"; nearest {'is' if len(nearest) == 1 else 'are'} "
        message += f"{' and '.join(map(repr, nearest))}."
    return Finding(
        code=code,
        check="literal_not_stored",
        severity="doubt",
        span=comparison.span,
        message=message,
        evidence=evidence,
    )


def _elsewhere(
    context: SqlContext, comparison: TextComparison
) -> tuple[list[tuple[Table, Column]], tuple[Evidence, ...]]:
    """The other columns in scope that hold exactly the text, those of its table first.

    Not asked for a flag, which any column may hold, nor of large tables, where that costs a scan
    for each column.
    """
    if len(comparison.text) < 3 or comparison.folds:
        return [], ()
    tables = [comparison.stored.table]
    for source in comparison.select.sources:
        table = comparison.select.table_of(source)
        if table is not None and table not in tables:
            tables.append(table)
    places = [
        (table, column)
        for table in tables
        if (table.row_estimate or 0) <= context.settings.value_budget
        for column in table.columns
        if column is not comparison.stored.column and holds_text(column) and not column.values
    ][:_ELSEWHERE]
    if not places:
        return [], ()
    quote = context.database.quote
    statement = " UNION ALL ".join(
        f"SELECT {number} WHERE EXISTS (SELECT 1 FROM {context.database.source(table)} "
        f"WHERE {quote(column.name)} = $1)"
        for number, (table, column) in enumerate(places)
    )
    result = context.probes.ask(statement, [comparison.text], rows=_ELSEWHERE)
    if result is None:
        return [], ()
    held = [places[number] for (number,) in sorted(result.rows)]
    named = ", ".join(f"{table.name}.{column.name}" for table, column in held)
    sentence = f"{comparison.text!r} is stored in {named or 'no other column in scope'}."
    return held, (Evidence(sentence, statement, named, result.elapsed),)

"""The texts of a SQL draft that are compared with a stored text column, and how they are stored."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from groundwire.database.catalog import Column
from groundwire.database.folding import loose
from groundwire.database.value_index import ColumnValues, Likeness, column_values
from groundwire.guard.context import SqlContext
from groundwire.guard.findings import Evidence
from groundwire.guard.origins import stored_behind
from groundwire.guard.selects import Select, Stored, selects

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = [
    "TextComparison",
    "are_alternatives",
    "holds_text",
    "is_negated",
    "literal_text",
    "look_up",
    "texts",
]

Operator = Literal["=", "<>", "IN", "NOT IN", "LIKE", "NOT LIKE", "CASE"]
Folds = Literal["", "lower", "upper", "both"]

_TEXT_TYPES = ("char", "text", "string", "clob", "enum")
_SPELLINGS = 10


@dataclass(frozen=True, slots=True)
class TextComparison:
    """`column operator 'text'` in a draft.

    `span` is the place of the literal, `node` the whole comparison. `folds`: the draft compares
    `lower(column)`, `upper(column)`, or both sides in any case.
    """

    select: Select
    stored: Stored
    text: str
    span: tuple[int, int]
    operator: Operator
    node: exp.Expr
    folds: Folds = ""

    @property
    def excludes(self) -> bool:
        """Rows with the text are left out, not asked for."""
        return self.operator in ("<>", "NOT IN", "NOT LIKE")

    def written(self, value: str) -> str:
        """A stored value as the draft's side of the comparison has it."""
        return value.upper() if self.folds == "upper" else value.lower() if self.folds else value

    def matches(self, value: str) -> bool:
        """The comparison holds for a stored value, as far as letters go."""
        text = self.text.lower() if self.folds == "both" else self.text
        return self.written(value) == text


def texts(context: SqlContext) -> Iterator[TextComparison]:
    """Every comparison of a stored text column with a plain text, in the order of the tree."""
    from sqlglot import exp

    for select in selects(context):
        for node in select.find(exp.EQ, exp.NEQ, exp.In, exp.Like, exp.ILike, exp.Case):
            for column, literal, operator, folds in _compared(context, node):
                stored = stored_behind(select, column)
                if stored is not None and holds_text(stored.column):
                    span = context.query.span(literal)
                    if context.query.text[span[0]] in ("'", '"'):
                        yield TextComparison(
                            select, stored, literal.name, span, operator, node, folds
                        )


def holds_text(column: Column) -> bool:
    """Its declared type is one of characters, or an enum."""
    declared = column.type.lower()
    return bool(column.values) or (
        any(word in declared for word in _TEXT_TYPES) and "[" not in declared
    )


def literal_text(text: str) -> str:
    """A text as a SQL literal."""
    return "'" + text.replace("'", "''") + "'"


def are_alternatives(one: TextComparison, other: TextComparison) -> bool:
    """Two texts in one IN, OR, CASE or set operation, or one of which is left out beside the other.

    In two SELECTs that ask for different things they are no alternatives.
    """
    from sqlglot import exp

    around = _around_both(one.node, other.node)
    if one.select.node is not other.select.node:
        return isinstance(around, exp.Or | exp.SetOperation)
    if one.stored.source is not other.stored.source:
        return False
    if isinstance(around, exp.And):
        return one.excludes or other.excludes
    return isinstance(around, exp.Or | exp.In | exp.Case)


def _around_both(one: exp.Expr, other: exp.Expr) -> exp.Expr | None:
    """The innermost node that holds both."""
    holders = set()
    node: exp.Expr | None = other
    while node is not None:
        holders.add(id(node))
        node = node.parent
    node = one
    while node is not None and id(node) not in holders:
        node = node.parent
    return node


def look_up(
    context: SqlContext, comparison: TextComparison
) -> tuple[Likeness, tuple[Evidence, ...]] | None:
    """What is stored in place of a text; None where it is stored, or where nobody can say.

    At most three probes: the values of the column or a look for the text, which of them first
    depends on the size of the table; and the database's own word that no row matches.
    """
    stored, text = comparison.stored, comparison.text
    if stored.column.values:
        labels = ColumnValues(stored.column.values)
        likeness = labels.look_up(text)
        shown = f"{stored.name} is declared to hold {', '.join(stored.column.values)}."
        return None if likeness.stored else (likeness, (Evidence(shown),))
    estimate = stored.table.row_estimate
    if estimate is not None and estimate <= context.settings.value_budget:
        likeness_found = _likeness(context, comparison)
        if likeness_found is None or any(map(comparison.matches, _all(text, likeness_found[0]))):
            return None
        absent = _absent(context, comparison)
        return (likeness_found[0], (absent, likeness_found[1])) if absent else None
    absent = _absent(context, comparison)
    if absent is None:
        return None
    likeness_found = _likeness(context, comparison)
    return (likeness_found[0], (absent, likeness_found[1])) if likeness_found else None


def _all(text: str, likeness: Likeness) -> tuple[str, ...]:
    return (text, *likeness.same) if likeness.stored else likeness.same


def _absent(context: SqlContext, comparison: TextComparison) -> Evidence | None:
    """The database's word that no row satisfies the comparison; None where one does."""
    stored, name = comparison.stored, context.database.quote(comparison.stored.column.name)
    sentence = f"No {stored.name} is {comparison.text!r}"
    if not comparison.folds:
        facts = context.statistics.server_facts(stored.table, stored.column.name)
        if facts is not None and any(value == comparison.text for value, _ in facts.common):
            return None
        fact = context.statistics.holds(stored.table, stored.column.name, comparison.text)
        if fact is None or fact.value:
            return None
        return Evidence(sentence + ".", fact.statement, False, fact.seconds)
    function = "upper" if comparison.folds == "upper" else "lower"
    ending = ", in any case." if comparison.folds == "both" else f" once it is in {function} case."
    listed = context.statistics.values(stored.table, stored.column.name)
    if listed is not None and any(map(comparison.matches, listed.values)):
        return None
    # How other letters change their case is for the database to say.
    plain = listed is not None and all(map(str.isascii, listed.values))
    if listed is not None and plain and listed.is_exact(context.database):
        return Evidence(sentence + ending, listed.statement, False, listed.seconds)
    source = context.database.source(stored.table)
    statement = f"SELECT 1 FROM {source} WHERE {function}({name}) = $1 LIMIT 1"
    text = comparison.text.lower() if comparison.folds == "both" else comparison.text
    result = context.probes.ask(statement, [text], rows=1)
    if result is None or result.rows:
        return None
    return Evidence(sentence + ending, statement, False, result.elapsed)


def _likeness(context: SqlContext, comparison: TextComparison) -> tuple[Likeness, Evidence] | None:
    stored, text = comparison.stored, comparison.text
    values = column_values(
        context.database,
        context.catalog,
        stored.table,
        stored.column.name,
        context.probes.ask,
        context.statistics.values(stored.table, stored.column.name),
    )
    if values is not None:
        likeness = values.look_up(text)
        return likeness, _shown(text, stored, likeness, values.statement, values.seconds)
    name = context.database.quote(stored.column.name)
    statement = (
        f"SELECT DISTINCT {name} FROM {context.database.source(stored.table)} "
        f"WHERE lower(trim({name})) = lower(trim($1)) LIMIT {_SPELLINGS}"
    )
    result = context.probes.ask(statement, [text], rows=_SPELLINGS)
    if result is None:
        return None
    found = (value for (value,) in result.rows if isinstance(value, str))
    likeness = Likeness(False, tuple(sorted(v for v in found if loose(v) == loose(text))))
    return likeness, _shown(text, stored, likeness, statement, result.elapsed)


def _shown(
    text: str, stored: Stored, likeness: Likeness, statement: str, seconds: float
) -> Evidence:
    found = likeness.same or likeness.near or likeness.like
    listed = ", ".join(map(repr, found)) if found else "nothing like it"
    return Evidence(f"For {text!r}, {stored.name} holds {listed}.", statement, found, seconds)


def _compared(
    context: SqlContext, node: exp.Expr
) -> Iterator[tuple[exp.Expr, exp.Expr, Operator, Folds]]:
    """(column, literal, operator, folds) of the comparisons that one node makes."""
    from sqlglot import exp

    pairs: list[tuple[exp.Expr | None, exp.Expr | None]] = []
    operator: Operator = "="
    folds: Folds = ""
    if isinstance(node, exp.EQ | exp.NEQ):
        operator = "=" if isinstance(node, exp.EQ) else "<>"
        pairs = [(node.this, node.expression), (node.expression, node.this)]
    elif isinstance(node, exp.In):
        operator = "NOT IN" if is_negated(node) else "IN"
        pairs = [(node.this, value) for value in node.expressions]
    elif isinstance(node, exp.Like | exp.ILike):
        operator = "NOT LIKE" if is_negated(node) else "LIKE"
        any_case = isinstance(node, exp.ILike) or context.database.like_folds_case
        folds = "both" if any_case else ""
        if not any(sign in node.expression.name for sign in "%_\\"):
            pairs = [(node.this, node.expression)]
    elif isinstance(node, exp.Case) and node.this is not None:
        operator = "CASE"
        pairs = [(node.this, branch.this) for branch in node.args["ifs"]]
    for side, literal in pairs:
        if literal is not None and _is_text(context, literal):
            column, wrapped = _unwrapped(side)
            if column is not None:
                yield column, literal, operator, wrapped or folds


def _is_text(context: SqlContext, node: exp.Expr) -> bool:
    """A text; SQLite also takes double quotes for one where no column has that name."""
    from sqlglot import exp

    if isinstance(node, exp.Literal):
        return bool(node.is_string)
    use = context.uses.of(node)
    return use is not None and use.meaning == "literal"


def _unwrapped(side: exp.Expr | None) -> tuple[exp.Column | None, Folds]:
    from sqlglot import exp

    folds: Folds = ""
    if isinstance(side, exp.Lower | exp.Upper):
        folds = "lower" if isinstance(side, exp.Lower) else "upper"
        side = side.this
    return (side, folds) if isinstance(side, exp.Column) else (None, "")


def is_negated(node: exp.Expr) -> bool:
    """NOT stands before it."""
    from sqlglot import exp

    parent = node.parent
    while isinstance(parent, exp.Paren):
        parent = parent.parent
    return isinstance(parent, exp.Not)

"""Names of output columns."""

from __future__ import annotations

import re

from groundwire.database.catalog import Table
from groundwire.draft.inflect import singular
from groundwire.draft.offline.lexicon import Field
from groundwire.draft.offline.names import identifier_words
from groundwire.draft.offline.plan import Aggregate, Expression, Share, TimePart
from groundwire.draft.offline.resolve import Context

__all__ = ["count_name", "expression_name", "plural", "unique_names", "words_of"]

_PREFIXES = {
    "avg": "average",
    "max": "maximum",
    "min": "minimum",
    "sum": "total",
    "count": "number_of",
}


def count_name(context: Context, table: Table) -> str:
    """`number_of_crimes`."""
    *first, last = context.lexicon.table_words(table)
    return "_".join(["number_of", *first, plural(last)])


def plural(word: str) -> str:
    """A name with its last word in the plural."""
    if singular(word) != word or word.endswith("s") or word == "people":
        return word
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("x", "ch", "sh", "z")) else "s")


def expression_name(expression: Expression) -> str:
    """The stored name of a column; a name in lower case for what is computed."""
    if isinstance(expression, TimePart):
        return expression.unit
    if isinstance(expression, Share):
        return "percentage"
    if isinstance(expression, Aggregate):
        if expression.argument is None:
            return "number"
        return f"{_PREFIXES[expression.function]}_{words_of(expression.argument)}"
    return expression.column.name


def words_of(expression: Expression) -> str:
    """The name in lower case with `_` between its words, to build other names from."""
    if not isinstance(expression, Field):
        return expression_name(expression)
    words = identifier_words(expression.column.name)
    return re.sub(r"\W+", "_", "_".join(words)) or "value"


def unique_names(names: list[str]) -> list[str]:
    """The names with a number behind each that came before."""
    seen: dict[str, int] = {}
    result = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        result.append(name if seen[name] == 1 else f"{name}_{seen[name]}")
    return result

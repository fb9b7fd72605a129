"""Literal grounding: are the values that a query asks for stored, and what is stored like them?

Asked when a query returned nothing. For at most three literals two small questions each: does the
value exist where the query looks for it; if not, which stored values hold its longest word
(corrector paper, section 3.4). The answers are notes for the drafter, with their evidence.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from groundwire.database.base import Database, SqlDatabase
from groundwire.guard.findings import Evidence
from groundwire.guard.probes import Probes

__all__ = ["Binding", "ground"]

MOST_BINDINGS = 3
MOST_VALUES = 3


@dataclass(frozen=True, slots=True)
class Binding:
    """A query expects `value` in `place`, which is `label.property` or `table.column` in words.

    `exists` asks whether any stored value satisfies the query's own comparison, `similar` for
    stored values that hold a word; both take one parameter named `value`.
    """

    place: str
    value: str
    exists: str
    similar: str


def ground(text: str, database: Database, probes: Probes) -> tuple[Evidence, ...]:
    """A note for each literal of a query that is not stored where the query looks for it.

    Raises:
        OperatorError: the database is gone.
    """
    notes = []
    for binding in _bindings(text, database)[:MOST_BINDINGS]:
        found = probes.ask(binding.exists, _parameter(binding.value, database), rows=1)
        if found is None or found.rows:
            continue
        token = max(re.findall(r"\w+", binding.value), key=len, default="")
        like = probes.ask(binding.similar, _parameter(token, database), rows=MOST_VALUES)
        stored = [str(row[0]) for row in like.rows] if like is not None and token else []
        sentence = f"{binding.value!r} is not stored as {binding.place}; "
        sentence += (
            f"stored values that hold {token!r} are {', '.join(map(repr, stored))}."
            if stored
            else "no value like it is, so the property or its owner may be another one."
        )
        notes.append(Evidence(sentence, binding.exists, stored, found.elapsed))
    return tuple(notes)


def _bindings(text: str, database: Database) -> list[Binding]:
    if isinstance(database, SqlDatabase):
        from groundwire.guard.sql_bindings import sql_bindings

        return sql_bindings(text, database)
    from groundwire.guard.cypher_bindings import cypher_bindings

    return cypher_bindings(text)


def _parameter(value: str, database: Database) -> list[str] | dict[str, str]:
    return [value] if isinstance(database, SqlDatabase) else {"value": value}

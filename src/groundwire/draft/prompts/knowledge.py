"""What a pack and the stored values know of a question, as the text of a prompt."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from groundwire.database.catalog import Catalog
from groundwire.database.graph_catalog import GraphCatalog
from groundwire.draft.inflect import fold, stem
from groundwire.draft.prompts.quoting import cypher_name, is_offered, plain, quoted
from groundwire.draft.prompts.tables import TableText, Values

if TYPE_CHECKING:
    from groundwire.draft.knowledge import Knowledge

__all__ = ["ValueHint", "facts", "graph_hints", "meanings_of", "table_hints", "touched", "without"]

_LONGEST_PHRASE = 6
_PLACES = 3
"""Columns named for one phrase at most."""
_VALUE_LENGTH = 60
_NO_VALUE = re.compile(r"\d{1,2}|the|a|an|of|in|on|at|and|or|by|for|to|is|are|was|were|all|no|yes")


@dataclass(frozen=True, slots=True)
class ValueHint:
    """A phrase of the question and a stored value that it may mean."""

    phrase: str
    part: str
    column: str
    value: str
    place: str

    def line(self) -> str:
        """One line of a prompt."""
        return f"- {quoted(self.phrase)} may be {self.place} = {quoted(self.value, _VALUE_LENGTH)}"


def meanings_of(catalog: Catalog, knowledge: Knowledge | None) -> dict[str, str]:
    """The pack's sentences by stored names: `TABLE` and `TABLE.COLUMN`."""
    found: dict[str, str] = {}
    if knowledge is None:
        return found
    for name, sentence in {**knowledge.tables, **knowledge.columns}.items():
        table_name, _, column_name = name.partition(".")
        table = catalog.find(table_name)
        column = catalog.find_column(table, column_name) if table and column_name else None
        if table is not None and column is not None:
            found[f"{table.name}.{column.name}"] = sentence
        elif table is not None and not column_name:
            found[table.name] = sentence
    return found


def touched(question: str, phrases: Iterable[str]) -> list[str]:
    """The phrases that the question holds, the longest first; none inside another."""
    rest, found = f" {stem(question)} ", []
    for phrase in sorted(phrases, key=len, reverse=True):
        wanted = f" {stem(phrase)} "
        if wanted.strip() and wanted in rest:
            found.append(phrase)
            rest = rest.replace(wanted, " | ")
    return found


def without(question: str, phrases: Iterable[str]) -> str:
    """The question, in its stems, with a gap where a phrase stands."""
    rest = f" {stem(question)} "
    for phrase in phrases:
        rest = rest.replace(f" {stem(phrase)} ", " | ")
    return rest


def facts(knowledge: Knowledge, question: str, *, schema_only: bool) -> Iterator[str]:
    """One line for each synonym and convention that the question touches.

    With `schema_only` no synonym that names a stored value.
    """
    by_phrase = {phrase: entry for entry in knowledge.conventions for phrase in entry.phrases}
    said = []
    for phrase in touched(question, by_phrase):
        entry = by_phrase[phrase]
        if entry not in said:
            said.append(entry)
            condition = f" As a condition: {plain(entry.sql)}" if entry.sql else ""
            yield f"- {quoted(phrase)}: {plain(entry.meaning)}{condition}"
    for phrase in touched(question, knowledge.column_synonyms):
        yield f"- {quoted(phrase)} means the column {plain(knowledge.column_synonyms[phrase])}"
    if not schema_only:
        yield from _value_facts(knowledge.value_synonyms, question)


def _value_facts(
    synonyms: Mapping[str, tuple[tuple[str, str], ...]], question: str
) -> Iterator[str]:
    for phrase in touched(question, synonyms):
        values = " or ".join(f"{plain(column)} = {quoted(v)}" for column, v in synonyms[phrase])
        yield f"- {quoted(phrase)} means {values}"


def table_hints(values: Values, text: TableText, question: str) -> list[ValueHint]:
    """Stored values that phrases of the question name, the longest phrases first."""
    hints: dict[tuple[str, str, str], ValueHint] = {}
    for phrase in _phrases(question):
        places = 0
        for match in values.lookup(phrase):
            if not (text.is_offered(match.table) and is_offered(match.column.name)):
                continue
            part, column = f"{match.table.schema}.{match.table.name}", match.column.name
            place = f"{text.name(match.table)}.{text.column(match.column)}"
            hint = ValueHint(phrase, part, column, str(match.value), place)
            places += hints.setdefault((part, column, hint.value), hint) is hint
            if places == _PLACES:
                break
    return list(hints.values())


def graph_hints(catalog: GraphCatalog, question: str) -> list[ValueHint]:
    """Sampled values of labels that the question holds."""
    asked = f" {fold(question)} "
    return [
        ValueHint(value, f":{label.name}", p.name, value, f"{cypher_name(label.name)}.{p.name}")
        for label in catalog.labels
        for p in label.properties
        for value, _ in p.values
        if isinstance(value, str) and len(value) > 2 and f" {fold(value)} " in asked
        if is_offered(label.name) and is_offered(p.name)
    ]


def _phrases(question: str) -> Iterator[str]:
    """Quoted parts as they stand, then runs of words, the longest first."""
    for quotes in re.findall(r"\"([^\"]+)\"|“([^”]+)”|(?<!\w)'([^']+)'(?!\w)", question):
        yield from (part.strip() for part in quotes if part.strip())
    words = re.findall(r"[\w$&'’.\-/]+", question)
    words = [word.strip("'’.-/").removesuffix("'s") for word in words]
    for length in range(min(_LONGEST_PHRASE, len(words)), 0, -1):
        for start in range(len(words) - length + 1):
            phrase = " ".join(words[start : start + length])
            if phrase and not _NO_VALUE.fullmatch(phrase.lower()):
                yield phrase

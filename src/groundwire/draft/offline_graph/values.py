"""Stored values that stand in a question, found by a few probes of the graph."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from groundwire.database.graph import GraphDatabase
from groundwire.database.graph_catalog import GraphCatalog, Property, quote_name
from groundwire.draft.offline.tokens import Token
from groundwire.draft.offline_graph.lexicon import naming_properties

__all__ = ["Stored", "find_values"]

MAX_WORDS = 8
"""The longest value that is looked for, in tokens."""
MAX_PROPERTIES = 60
"""How many properties one probe asks."""


@dataclass(frozen=True, slots=True)
class Stored:
    """Values of a property that the tokens up to `end` spell, in whatever case they are stored."""

    end: int
    label: str
    property: str
    values: tuple[str, ...]
    naming: bool
    element: bool


def find_values(
    tokens: tuple[Token, ...], question: str, database: GraphDatabase, unknown: Iterable[int]
) -> dict[int, list[Stored]]:
    """Stored values by the position at which they begin, the longest first.

    Four probes at most: the naming properties and the other texts, as written and, if a token
    at an `unknown` position is not explained by then, in any case.
    """
    spans = _spans(tokens, question)
    if not spans:
        return {}
    naming, other = _properties(database.catalog())
    found: dict[int, list[Stored]] = defaultdict(list)
    missing = set(unknown)
    for any_case in (False, True):
        if any_case and not missing - _covered(found):
            break
        for properties, is_name in ((naming, True), (other, False)):
            _probe(database, spans, properties, is_name, any_case, found)
    for options in found.values():
        options.sort(key=lambda stored: -stored.end)
    return found


def _spans(tokens: tuple[Token, ...], question: str) -> dict[str, list[tuple[int, int]]]:
    """Every text that a value may be → where it stands, as (first token, end)."""
    spans: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for start in range(len(tokens)):
        for end in range(start + 1, min(start + MAX_WORDS, len(tokens)) + 1):
            part = tokens[start:end]
            if end - start > 1 and any(token.quoted for token in part):
                break
            text = part[0].text if part[0].quoted else question[part[0].start : part[-1].end]
            spans[text].append((start, end))
    return spans


def _properties(
    catalog: GraphCatalog,
) -> tuple[list[tuple[str, Property]], list[tuple[str, Property]]]:
    naming: list[tuple[str, Property]] = []
    other: list[tuple[str, Property]] = []
    for label in catalog.labels:
        names = naming_properties(label)
        for found in label.properties:
            if found.types and found.types[0] in ("STRING", "LIST<STRING>"):
                (naming if names == (found.name,) else other).append((label.name, found))
    return naming, other


def _probe(
    database: GraphDatabase,
    spans: dict[str, list[tuple[int, int]]],
    properties: list[tuple[str, Property]],
    is_name: bool,
    any_case: bool,
    found: dict[int, list[Stored]],
) -> None:
    if not properties:
        return
    asked = properties[:MAX_PROPERTIES]
    texts = sorted({text.lower() for text in spans} if any_case else spans)
    parts = [_statement(n, label, p, any_case) for n, (label, p) in enumerate(asked)]
    result = database.execute("\nUNION ALL\n".join(parts), {"texts": texts})
    matched: dict[tuple[int, str], set[str]] = defaultdict(set)
    for number, value in result.rows:
        matched[number, value.lower() if any_case else value].add(value)
    for (number, text), values in matched.items():
        label, known = asked[number]
        for written, places in spans.items():
            if (written.lower() if any_case else written) == text:
                for start, end in places:
                    stored = Stored(
                        end, label, known.name, tuple(sorted(values)), is_name, known.is_list
                    )
                    _keep(found[start], stored)


def _keep(known: list[Stored], stored: Stored) -> None:
    """A value in any case takes the place of the same one as written."""
    same = [
        other
        for other in known
        if (other.end, other.label, other.property) == (stored.end, stored.label, stored.property)
    ]
    if not same:
        known.append(stored)


def _statement(number: int, label: str, known: Property, any_case: bool) -> str:
    owner, name = quote_name(label), quote_name(known.name)
    if known.is_list:
        match = f"MATCH (n:{owner}) UNWIND n.{name} AS value WITH value"
    else:
        match = f"MATCH (n:{owner}) WITH n.{name} AS value"
    test = "toLower(value)" if any_case else "value"
    return f"{match} WHERE {test} IN $texts RETURN DISTINCT {number} AS place, value"


def _covered(found: dict[int, list[Stored]]) -> set[int]:
    return {n for start, options in found.items() for s in options for n in range(start, s.end)}

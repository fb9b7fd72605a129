"""Every place of a question that names something of the database."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from groundwire.draft.inflect import fold
from groundwire.draft.offline.knowledge import Convention
from groundwire.draft.offline.lexicon import Field, Lexicon, Named
from groundwire.draft.offline.tokens import Token
from groundwire.draft.offline.vocabulary import words
from groundwire.draft.values import Exactness, ValueIndex

__all__ = ["Mention", "Mentions", "Stored", "find_mentions"]

MentionKind = Literal["table", "column", "value", "flag", "convention"]

_FUNCTION_WORDS = words("function words")
"""Stored values that look like one of these are found only when quoted or in capitals."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A stored value as a phrase names it; `why` is "" or says what was not exact."""

    field: Field
    value: str
    exactness: Exactness | Literal["synonym"]


@dataclass(frozen=True, slots=True, eq=False)
class Mention:
    """Tokens `start` to `end` (exclusive) name something.

    What it may be: `named` for a table or column, `stored` for values (of one field they are
    alternatives of each other), `flags` for yes/no columns, `convention` for a word of the pack.
    """

    kind: MentionKind
    start: int
    end: int
    text: str
    named: tuple[Named, ...] = ()
    stored: tuple[Stored, ...] = ()
    flags: tuple[Field, ...] = ()
    convention: Convention | None = None


Mentions = dict[int, dict[MentionKind, list[Mention]]]


def find_mentions(tokens: tuple[Token, ...], lexicon: Lexicon, values: ValueIndex) -> Mentions:
    """Mentions by first token and kind, the longest first."""
    longest = max(lexicon.longest_phrase, min(values.longest_phrase, 12))
    found: Mentions = defaultdict(lambda: defaultdict(list))
    for start in range(len(tokens)):
        for end in range(min(len(tokens), start + longest), start, -1):
            span = tokens[start:end]
            if any(token.word == "," for token in span) or not _is_worded(span):
                continue
            for mention in _at(span, start, end, lexicon, values):
                found[start][mention.kind].append(mention)
    return found


def _at(
    span: tuple[Token, ...], start: int, end: int, lexicon: Lexicon, values: ValueIndex
) -> list[Mention]:
    text = " ".join(token.text for token in span)
    quoted = span[0].quoted and len(span) == 1
    if any(token.quoted for token in span) and not quoted:
        return []
    stems = " ".join(token.stem for token in span)
    make = _maker(start, end, text)
    found: list[Mention] = []
    if not quoted:
        if any(token.word not in _FUNCTION_WORDS for token in span):
            found += _named(stems, lexicon, make)
        if stems in lexicon.conventions:
            found.append(make("convention", convention=lexicon.conventions[stems]))
    stored = _stored(text, stems, lexicon, values)
    if stored and (quoted or not _is_function(span)):
        found.append(make("value", stored=stored))
    return found


def _maker(start: int, end: int, text: str) -> Callable[..., Mention]:
    def make(kind: MentionKind, **what: Any) -> Mention:
        return Mention(kind, start, end, text, **what)

    return make


def _named(stems: str, lexicon: Lexicon, make: Callable[..., Mention]) -> list[Mention]:
    found: list[Mention] = []
    for kind, source in (("table", lexicon.tables), ("column", lexicon.columns)):
        named = source.get(stems) or source.get(lexicon.synonyms(stems))
        if named:
            found.append(make(kind, named=tuple(named)))
    if stems in lexicon.flags:
        found.append(make("flag", flags=tuple(lexicon.flags[stems])))
    return found


def _stored(text: str, stems: str, lexicon: Lexicon, values: ValueIndex) -> tuple[Stored, ...]:
    synonyms = lexicon.synonym_values.get(stems)
    if synonyms is not None:
        found = [Stored(field, value, "synonym") for field, value in synonyms]
        for field, value in synonyms:
            found += [
                Stored(Field(m.table, m.column), m.value, "synonym")
                for m in values.lookup(value)
                if m.value == value
                and m.column.name == field.column.name
                and m.table is not field.table
            ]
        return tuple(found)
    matches = values.lookup(text)
    if not matches:
        return ()
    return tuple(Stored(Field(m.table, m.column), m.value, m.exactness) for m in matches)


def _is_worded(span: tuple[Token, ...]) -> bool:
    """A sign may stand inside a name (`HOTEL / MOTEL`), not at its ends."""
    return all(fold(token.text) for token in (span[0], span[-1]))


def _is_function(span: tuple[Token, ...]) -> bool:
    if all(token.number is not None for token in span):
        return True
    if len(span) > 1:
        return all(token.word in _FUNCTION_WORDS for token in span)
    token = span[0]
    if len(token.word) <= 2 and not token.text.isupper():
        return True
    return token.word in _FUNCTION_WORDS and not (token.text.isupper() and len(token.text) > 1)
